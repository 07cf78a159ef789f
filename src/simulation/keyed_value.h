#pragma once

#include <algorithm>
#include <vector>

namespace thigmo {

// A value that is given at some times, rising, and goes straight from one to the next; before the first and
// after the last it stays.
template <class Value>
struct KeyedValue {
  std::vector<double> times;  // [s]
  std::vector<Value> values;
  bool empty() const { return times.empty(); }
};

// A function of the time alone, and at a key its very value.
template <class Value>
Value value_at(const KeyedValue<Value>& keyed, double time) {
  const auto after = std::upper_bound(keyed.times.begin(), keyed.times.end(), time);
  if (after == keyed.times.begin()) return keyed.values.front();
  const auto i = static_cast<std::size_t>(after - keyed.times.begin()) - 1;
  if (i + 1 == keyed.times.size()) return keyed.values.back();
  const double part = (time - keyed.times[i]) / (keyed.times[i + 1] - keyed.times[i]);
  return keyed.values[i] + (keyed.values[i + 1] - keyed.values[i]) * part;
}

// ∫ value dt from 0 to a time: of straight pieces the mean of their ends times their length.
inline double integral_to(const KeyedValue<double>& keyed, double time) {
  double sum = 0, begin = 0;
  const auto add_to = [&](double end) {
    sum += 0.5 * (value_at(keyed, begin) + value_at(keyed, end)) * (end - begin);
    begin = end;
  };
  for (const double key : keyed.times) {
    if (key > 0 && key < time) add_to(key);
  }
  add_to(time);
  return sum;
}

// Whether it changes within a time.
template <class Value>
bool changes_within(const KeyedValue<Value>& keyed, double begin, double end) {
  return !keyed.empty() && end > keyed.times.front() && begin < keyed.times.back();
}

}  // namespace thigmo
