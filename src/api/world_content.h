#pragma once

#include <atomic>
#include <optional>

#include "api/common.h"
#include "simulation/edit.h"
#include "simulation/energy_book.h"
#include "thigmo/world.h"

namespace thigmo {

struct World::Content {
  Simulation simulation;
  std::optional<EnergyBook> book = std::nullopt;
  std::atomic<bool> busy = false;  // a call is under way

  Content() = default;
  // Who copies a world that is being called gets what is there; a copy is called by nobody yet.
  Content(const Content& other) : simulation(other.simulation), book(other.book) {}
};

// A call on a world: one at a time. What it does is a Result; what is refused is a Failure.
template <class AnyContent, class Work>
auto call(AnyContent& content, Work&& work) -> Outcome<std::decay_t<decltype(*work())>> {
  auto& busy = const_cast<std::atomic<bool>&>(content.busy);
  if (busy.exchange(true)) {
    Diagnostic said = error("another thread is in a call on this world",
                            "call a world from one thread at a time, or copy it");
    said.trouble = Trouble::busy;
    return failure_from({said});
  }
  struct Leave {
    std::atomic<bool>& busy;
    ~Leave() { busy = false; }
  } leave{busy};
  return attempt(std::forward<Work>(work));
}

// A question that cannot say why it has no answer: `otherwise` while another thread is in a call.
template <class Content, class Value, class Work>
Value ask(const Content& content, Value otherwise, Work&& work) {
  const Outcome<Value> answer = call(content, [&]() -> Result<Value> { return work(); });
  return answer ? *answer : otherwise;
}

// An argument that makes no sense.
Diagnostic bad_argument(std::string message, std::string hint = {});

// What is refused of numbers and names that a caller gave: where no text is read an input is an argument.
Diagnostics as_arguments(Diagnostics refused);

// Whether all numbers are finite.
Result<Done> check_finite(const char* what, std::initializer_list<double> values);
inline Result<Done> check_finite(const char* what, const Numbers3& v) {
  return check_finite(what, {v[0], v[1], v[2]});
}

}  // namespace thigmo
