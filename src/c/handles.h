#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <vector>

namespace thigmo {

// Things that C knows by handles. A handle is a name that looks like a pointer: kind, slot and how many things had
// the slot before. So one that was freed, belongs to a thing of another kind or was made up is found out, and
// nothing that it might point to is ever touched. A slot whose generations are used up is not used again.
template <class Thing, class Handle, std::uintptr_t kind>
class HandleTable {
 public:
  Handle add(std::shared_ptr<Thing> thing) {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) {
      if (slots_.size() > most_slots) throw std::bad_alloc();
      free_.reserve(slots_.size() + 1);  // so that remove never needs memory
      slots_.emplace_back();
      free_.push_back(slots_.size() - 1);
    }
    const std::size_t slot = free_.back();
    free_.pop_back();
    slots_[slot].thing = std::move(thing);
    return name_of(slot, slots_[slot].generation);
  }

  // Null: there is none.
  std::shared_ptr<Thing> find(Handle handle) {
    const std::lock_guard lock(mutex_);
    const std::optional<std::size_t> slot = slot_of(handle);
    return slot ? slots_[*slot].thing : nullptr;
  }

  // The thing goes when the last call on it has ended.
  void remove(Handle handle) {
    std::shared_ptr<Thing> last;  // goes after the lock
    const std::lock_guard lock(mutex_);
    const std::optional<std::size_t> slot = slot_of(handle);
    if (!slot) return;
    last = std::move(slots_[*slot].thing);
    if (++slots_[*slot].generation <= most_generations) free_.push_back(*slot);
  }

 private:
  struct Slot {
    std::shared_ptr<Thing> thing;
    std::uintptr_t generation = 0;
  };
  static_assert(kind >= 1 && kind <= 3);
  static constexpr int bits = 8 * sizeof(std::uintptr_t), kind_bits = 2;
  static constexpr int slot_bits = bits / 2 - kind_bits, generation_bits = bits / 2;
  static constexpr std::uintptr_t most_slots = (std::uintptr_t{1} << slot_bits) - 1;
  static constexpr std::uintptr_t most_generations = (std::uintptr_t{1} << generation_bits) - 1;

  static Handle name_of(std::size_t slot, std::uintptr_t generation) {
    const std::uintptr_t number =
        generation << (slot_bits + kind_bits) | std::uintptr_t{slot} << kind_bits | kind;
    return reinterpret_cast<Handle>(number);  // NOLINT(performance-no-int-to-ptr): never followed
  }
  std::optional<std::size_t> slot_of(Handle handle) const {
    const auto number = reinterpret_cast<std::uintptr_t>(handle);
    const std::size_t slot = (number >> kind_bits) & most_slots;
    if ((number & 3) != kind || slot >= slots_.size() || !slots_[slot].thing) return std::nullopt;
    if (slots_[slot].generation != number >> (slot_bits + kind_bits)) return std::nullopt;
    return slot;
  }

  std::mutex mutex_;
  std::vector<Slot> slots_;
  std::vector<std::size_t> free_;
};

}  // namespace thigmo
