#pragma once

#include <memory>
#include <type_traits>

#include "base/aligned.h"
#include "math/rotation.h"
#include "mechanics/schedule/schedule.h"

namespace thigmo {

// A number, vector or quaternion for every body. They lie one after the other, or, once a schedule
// has put them in its order, pack by pack: the first component of all lanes, then the second …, so
// that a step loads and stores them as they are. `Number` is what is stored, double or float.
template <class Value, class Number = double>
class PerBody {
 public:
  static constexpr std::size_t components = sizeof(Value) / sizeof(double);

  PerBody() = default;
  explicit PerBody(std::size_t count, const Value& value = {})
      : count_(count), numbers_(count * components) {
    fill(value);
  }

  // The same value for every body, in a schedule's order.
  PerBody(const std::shared_ptr<const Schedule>& schedule, const Value& value)
      : count_(schedule->slot.size()), schedule_(schedule) {
    const auto width = as_size(schedule->width);
    numbers_.reserve(schedule->packs.size() * width * components);
    for (std::size_t k = 0; k < schedule->packs.size(); ++k) {
      for (std::size_t c = 0; c < components; ++c) {
        numbers_.insert(numbers_.end(), width, component(value, c));
      }
    }
  }

  std::size_t size() const { return count_; }

  Value operator[](std::size_t body) const {
    const Place at = place(body);
    double all[components];
    for (std::size_t c = 0; c < components; ++c) all[c] = numbers_[at.first + c * at.stride];
    if constexpr (std::is_same_v<Value, double>) {
      return all[0];
    } else if constexpr (std::is_same_v<Value, Vec3>) {
      return {all[0], all[1], all[2]};
    } else {
      return {all[0], all[1], all[2], all[3]};
    }
  }

  void set(std::size_t body, const Value& value) {
    const Place at = place(body);
    for (std::size_t c = 0; c < components; ++c) {
      numbers_[at.first + c * at.stride] = component(value, c);
    }
  }

  void fill(const Value& value) {
    for (std::size_t i = 0; i < count_; ++i) set(i, value);
  }

  // Puts the values in a schedule's order; lanes that are not filled repeat the pack's first.
  void arrange(const std::shared_ptr<const Schedule>& schedule) {
    if (schedule == schedule_) return;
    PerBody arranged;
    arranged.count_ = count_;
    arranged.schedule_ = schedule;
    const auto width = as_size(schedule->width);
    arranged.numbers_.resize(schedule->packs.size() * width * components);
    for (std::size_t k = 0; k < schedule->packs.size(); ++k) {
      for (std::size_t lane = 0; lane < width; ++lane) {
        const Value value = (*this)[as_size(schedule->lanes[k * width + lane].body)];
        for (std::size_t c = 0; c < components; ++c) {
          arranged.numbers_[(k * components + c) * width + lane] = component(value, c);
        }
      }
    }
    *this = std::move(arranged);
  }

  // The numbers of a pack, component by component, in the order of the schedule.
  const Number* pack(Index k) const { return numbers_.data() + first_of_pack(k); }
  Number* pack(Index k) { return numbers_.data() + first_of_pack(k); }

 private:
  struct Place {
    std::size_t first, stride;
  };
  Place place(std::size_t body) const {
    if (!schedule_) return {body * components, 1};
    const auto slot = as_size(schedule_->slot[body]);
    const auto width = as_size(schedule_->width);
    const std::size_t lane = slot & (width - 1);
    return {(slot - lane) * components + lane, width};
  }
  std::size_t first_of_pack(Index k) const {
    return as_size(k) * components * as_size(schedule_->width);
  }
  static Number component(const Value& value, std::size_t c) {
    if constexpr (std::is_same_v<Value, double>) {
      return static_cast<Number>(value);
    } else if constexpr (std::is_same_v<Value, Vec3>) {
      return static_cast<Number>(c == 0 ? value.x : c == 1 ? value.y : value.z);
    } else {
      return static_cast<Number>(c == 0 ? value.w : c == 1 ? value.x : c == 2 ? value.y : value.z);
    }
  }

  std::size_t count_ = 0;
  std::shared_ptr<const Schedule> schedule_;  // null: one after the other
  AlignedVector<Number> numbers_;
};

}  // namespace thigmo
