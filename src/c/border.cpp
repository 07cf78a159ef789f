#include "c/border.h"

#include "c/values.h"

namespace thigmo {
namespace {

// What the last call of this thread that failed said.
struct LastFailure {
  Failure failure = {.diagnostics = {}, .message = {}};
  std::optional<thigmo_code> code;  // where no Trouble says it
  const char* no_memory = nullptr;  // instead of all that, where there was no memory to say it
};
thread_local LastFailure last_failure;

// Never destroyed, so that threads that outlive main() find it.
template <class Table>
Table& only_one() {
  static Table& table = *new Table;
  return table;
}

}  // namespace

thigmo_code code_of(const Diagnostic& said) {
  switch (said.trouble) {
    case Trouble::input:
      return THIGMO_BAD_INPUT;
    case Trouble::argument:
      return THIGMO_BAD_ARGUMENT;
    case Trouble::stale:
      return THIGMO_STALE;
    case Trouble::memory:
      return THIGMO_NO_MEMORY;
    case Trouble::busy:
      return THIGMO_BUSY;
    case Trouble::motion:
      return THIGMO_NO_MOTION;
  }
  return THIGMO_UNEXPECTED;
}

HandleTable<WorldOfC, thigmo_world, 1>& handles_of(thigmo_world) {
  return only_one<HandleTable<WorldOfC, thigmo_world, 1>>();
}
HandleTable<GrownOfC, thigmo_grown, 2>& handles_of(thigmo_grown) {
  return only_one<HandleTable<GrownOfC, thigmo_grown, 2>>();
}
HandleTable<SurfaceOfC, thigmo_surface, 3>& handles_of(thigmo_surface) {
  return only_one<HandleTable<SurfaceOfC, thigmo_surface, 3>>();
}

thigmo_world keep_world(World world) {
  auto its = std::make_shared<WorldOfC>();
  its->world = std::move(world);
  return handles_of(thigmo_world{}).add(std::move(its));
}

thigmo_code keep_failure(Failure failure) noexcept {
  LastFailure& last = last_failure;
  last.failure = std::move(failure);
  last.code.reset();
  last.no_memory = nullptr;
  for (const Diagnostic& said : last.failure.diagnostics) {
    if (said.severity == Severity::error) return code_of(said);
  }
  return THIGMO_UNEXPECTED;
}

thigmo_code refuse(thigmo_code code, const char* message, const char* hint) noexcept {
  try {
    keep_failure({.diagnostics = {{.message = message, .hint = hint}}});
    last_failure.code = code;
    return code;
  } catch (const std::bad_alloc&) {
    return refuse_memory();
  }
}

thigmo_code refuse_memory() noexcept {
  LastFailure& last = last_failure;
  last.failure.diagnostics.clear();
  last.no_memory = "error: out of memory: there is not enough for what was asked";
  return THIGMO_NO_MEMORY;
}

thigmo_code refuse_threads() noexcept {
  return refuse(THIGMO_BAD_ARGUMENT, "a step cannot be taken on fewer than 0 threads",
                "0 takes as many as the machine has");
}

thigmo_code refuse_stale(const char* what) noexcept {
  return guarded([&] {
    return refuse(THIGMO_STALE, fmt::format("there is no such {}", what).c_str(),
                  "it was freed, or its handle was never made");
  });
}

thigmo_code refuse_busy(const char* what) noexcept {
  return guarded([&] {
    return refuse(THIGMO_BUSY, fmt::format("another call on this {} is under way", what).c_str(),
                  "call it from one thread at a time, or copy it");
  });
}

thigmo_code check_given(std::initializer_list<Argument> arguments) noexcept {
  for (const Argument& argument : arguments) {
    if (argument.given) continue;
    return guarded([&] {
      return refuse(THIGMO_BAD_ARGUMENT,
                    fmt::format("the argument '{}' is null", argument.name).c_str());
    });
  }
  return THIGMO_OK;
}

thigmo_code check_numbers(const char* what, std::initializer_list<double> values) noexcept {
  for (const double value : values) {
    if (std::isfinite(value)) continue;
    return guarded([&] {
      return refuse(THIGMO_BAD_ARGUMENT, fmt::format("the {} cannot be {}", what, value).c_str(),
                    "give finite numbers");
    });
  }
  return THIGMO_OK;
}

thigmo_code check_room(std::size_t needed, const void* to, std::size_t room,
                       std::size_t* count) noexcept {
  if (to == nullptr && count == nullptr) {
    return refuse(THIGMO_BAD_ARGUMENT, "both 'to' and 'count' are null",
                  "give one of them at least");
  }
  if (count != nullptr) *count = needed;
  if (to == nullptr || room >= needed) return THIGMO_OK;
  return guarded([&] {
    return refuse(THIGMO_NO_ROOM,
                  fmt::format("there is room for {}, and {} are needed", room, needed).c_str(),
                  "ask how many there are with a null 'to' first");
  });
}

}  // namespace thigmo

using namespace thigmo;

// --- what C asks about errors

const char* thigmo_error_message(void) {
  const LastFailure& last = last_failure;
  return last.no_memory != nullptr ? last.no_memory : last.failure.message.c_str();
}

size_t thigmo_error_count(void) {
  const LastFailure& last = last_failure;
  return last.no_memory != nullptr ? 1 : last.failure.diagnostics.size();
}

thigmo_code thigmo_error_get(size_t number, thigmo_diagnostic* to) {
  const LastFailure& last = last_failure;
  if (to == nullptr || number >= thigmo_error_count()) return THIGMO_BAD_ARGUMENT;
  if (last.no_memory != nullptr) {
    *to = {.severity = THIGMO_ERROR,
           .code = THIGMO_NO_MEMORY,
           .message = "out of memory: there is not enough for what was asked",
           .file = "",
           .source_line = "",
           .hint = ""};
    return THIGMO_OK;
  }
  *to = c_of(last.failure.diagnostics[number]);
  if (last.code) to->code = *last.code;
  return THIGMO_OK;
}
