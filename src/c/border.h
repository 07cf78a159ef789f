#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <initializer_list>
#include <new>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "c/handles.h"
#include "thigmo/c.h"
#include "thigmo/world.h"

// The border between C and C++: handles become things, failures become codes with a text that the thread can ask for,
// and no exception goes further.

namespace thigmo {

// What handles stand for.
struct WorldOfC {
  World world;
  EditReport edit;                         // of the last edit that succeeded
  std::vector<ProbeReading> probes;        // whose names were given away
  std::vector<MaterialInfo> materials;     // the same
  std::string kept;                        // bytes that were given away
  Diagnostic difference;                   // of the log that it was made from
  std::vector<SegmentBody> bodies;         // scratch
  std::vector<Motion3> motions;            // scratch
  std::vector<SectionLoad> section_loads;  // scratch
  std::atomic<bool> busy = false;          // a call is under way
};
// Never changes, so that any number of threads may be in a call on it.
struct GrownOfC {
  GrownPlant plant;
  Diagnostics notes;

  GrownOfC(GrownPlant its_plant, Diagnostics its_notes)
      : plant(std::move(its_plant)), notes(std::move(its_notes)) {}
};
struct SurfaceOfC {
  PlantSurface surface;
  std::atomic<bool> busy = false;

  explicit SurfaceOfC(PlantSurface its_surface) : surface(std::move(its_surface)) {}
};
HandleTable<WorldOfC, thigmo_world, 1>& handles_of(thigmo_world);
HandleTable<GrownOfC, thigmo_grown, 2>& handles_of(thigmo_grown);
HandleTable<SurfaceOfC, thigmo_surface, 3>& handles_of(thigmo_surface);

// Keeps what this thread can ask for, and says its code.
thigmo_code keep_failure(Failure failure) noexcept;
thigmo_code refuse(thigmo_code code, const char* message, const char* hint = "") noexcept;
thigmo_code refuse_stale(const char* what) noexcept;
thigmo_code refuse_busy(const char* what) noexcept;
thigmo_code refuse_memory() noexcept;
thigmo_code refuse_threads() noexcept;

template <class T>
thigmo_code code_of(const Outcome<T>& outcome) {
  if (outcome) return THIGMO_OK;
  return keep_failure({.diagnostics = outcome.diagnostics(), .message = outcome.error()});
}

// The first of the arguments that is null is refused.
struct Argument {
  const char* name;
  bool given;
  template <class T>
  Argument(const char* its_name, T* pointer) : name(its_name), given(pointer != nullptr) {}
};
thigmo_code check_given(std::initializer_list<Argument> arguments) noexcept;

// Numbers that may not be what is no number.
thigmo_code check_numbers(const char* what, std::initializer_list<double> values) noexcept;

template <class Work>
thigmo_code guarded(Work&& work) noexcept {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return refuse_memory();
  } catch (const std::length_error&) {  // more than any memory holds
    return refuse_memory();
  } catch (const std::exception& thrown) {
    return refuse(THIGMO_UNEXPECTED, thrown.what());
  } catch (...) {
    return refuse(THIGMO_UNEXPECTED, "something that is no exception was thrown");
  }
}

inline const char* name_of(thigmo_world) { return "world"; }
inline const char* name_of(thigmo_grown) { return "plant"; }
inline const char* name_of(thigmo_surface) { return "surface"; }

// One call at a time on a thing.
class Entry {
 public:
  explicit Entry(std::atomic<bool>& busy) : busy_(busy), entered_(!busy.exchange(true)) {}
  ~Entry() {
    if (entered_) busy_ = false;
  }
  Entry(const Entry&) = delete;
  Entry& operator=(const Entry&) = delete;
  explicit operator bool() const { return entered_; }

 private:
  std::atomic<bool>& busy_;
  bool entered_;
};

// Calls work(thing) for the thing of a handle, unless it is gone or another thread is in a call on it.
template <class Handle, class Work>
thigmo_code on(Handle handle, Work&& work) noexcept {
  return guarded([&]() -> thigmo_code {
    const auto thing = handles_of(handle).find(handle);
    if (!thing) return refuse_stale(name_of(handle));
    if constexpr (std::is_same_v<Handle, thigmo_grown>) {
      return work(*thing);
    } else {
      const Entry entry(thing->busy);
      if (!entry) return refuse_busy(name_of(handle));
      return work(*thing);
    }
  });
}

// The same for work that gives a value, which goes to the caller as `convert` says.
template <class T, class To, class Convert>
thigmo_code give(const Outcome<T>& outcome, To* to, Convert&& convert) {
  if (!outcome) return code_of(outcome);
  *to = convert(*outcome);
  return THIGMO_OK;
}

// Whether there is room for a list; says how long it is. THIGMO_OK with a null `to`: nothing more is asked for.
thigmo_code check_room(std::size_t needed, const void* to, std::size_t room,
                       std::size_t* count) noexcept;

template <class List, class To, class Convert>
thigmo_code give_list(const List& list, To* to, std::size_t room, std::size_t* count,
                      Convert&& convert) {
  const thigmo_code code = check_room(std::size(list), to, room, count);
  if (code != THIGMO_OK || to == nullptr) return code;
  for (const auto& item : list) *to++ = convert(item);
  return THIGMO_OK;
}

// A value for each segment of a plant: `fill` asks for them, by way of memory that the world keeps.
template <class Value, class To, class Fill, class Convert>
thigmo_code give_each(WorldOfC& its, PlantId plant, std::vector<Value>& values, To* to,
                      std::size_t room, std::size_t* count, Fill&& fill, Convert&& convert) {
  const Outcome<std::size_t> segments = its.world.segment_count(plant);
  if (!segments) return code_of(segments);
  const thigmo_code code = check_room(*segments, to, room, count);
  if (code != THIGMO_OK || to == nullptr) return code;
  values.resize(*segments);
  const Outcome<Done> filled = fill(std::span<Value>(values));
  if (!filled) return code_of(filled);
  std::transform(values.begin(), values.end(), to, convert);
  return THIGMO_OK;
}

// A handle for a world.
thigmo_world keep_world(World world);

// Frees a thing nobody is in a call on.
template <class Handle>
thigmo_code free_handle(Handle handle) noexcept {
  if (handle == nullptr) return THIGMO_OK;
  return on(handle, [&](auto&) {
    handles_of(handle).remove(handle);
    return THIGMO_OK;
  });
}

}  // namespace thigmo
