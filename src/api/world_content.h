#pragma once

#include <atomic>
#include <optional>

#include "api/call_log.h"
#include "api/common.h"
#include "simulation/edit.h"
#include "simulation/energy_book.h"
#include "thigmo/world.h"

namespace thigmo {

struct World::Content {
  Simulation simulation;
  std::optional<EnergyBook> book = std::nullopt;
  std::optional<CallLog> log = std::nullopt;  // where one is kept
  std::atomic<bool> busy = false;             // a call is under way

  Content() = default;
  // A copy is called by nobody yet.
  Content(const Content& other) : simulation(other.simulation), book(other.book), log(other.log) {}
};

// A call on a world: one at a time. What it does is a Result; what is refused is a Failure.
template <class AnyContent, class Work>
auto call(AnyContent& content, Work&& work) -> Outcome<std::decay_t<decltype(*work())>> {
  auto& busy = const_cast<std::atomic<bool>&>(content.busy);
  if (busy.exchange(true)) {
    Diagnostic said = error("another thread is in a call on this world",
                            "call a world from one thread at a time");
    said.trouble = Trouble::busy;
    return failure_from({said});
  }
  struct Leave {
    std::atomic<bool>& busy;
    ~Leave() { busy = false; }
  } leave{busy};
  return attempt(std::forward<Work>(work));
}

// A call that changes the world is noted in its log, where it keeps one, as make_call() says it.
template <class Content, class MakeCall>
struct Noting {
  Content& content;
  MakeCall make_call;
};
template <class Content, class MakeCall>
Noting<Content, MakeCall> noting(Content& content, MakeCall make_call) {
  return {content, std::move(make_call)};
}
template <class Content, class MakeCall, class Work>
auto call(const Noting<Content, MakeCall>& noting, Work&& work) {
  return call(noting.content, [&] {
    auto result = work();
    std::optional<CallLog>& log = noting.content.log;
    if (result && log) log->add(noting.make_call(), gives_of(*result));
    return result;
  });
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

// Whether all numbers are finite, and not beyond what can be reckoned with.
Result<Done> check_finite(const char* what, std::initializer_list<double> values);
inline Result<Done> check_finite(const char* what, const Numbers3& v) {
  return check_finite(what, {v[0], v[1], v[2]});
}

}  // namespace thigmo
