#pragma once

// What lanes do, for every kind and number of them, against plain loops. Apart from the unit tests, because
// lanes_program.cpp asks the same of other compilers and processors.

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "math/lanes.h"

namespace thigmo::lanes_laws {

struct Here {};

// Broken laws, in words.
using Wrong = std::vector<std::string>;

template <class T, int W>
class Laws {
 public:
  using Real = Lanes<T, W, Here>;
  using Numbers = std::array<T, W>;

  Wrong broken() {
    arithmetic();
    memory();
    masks();
    parts();
    shuffles();
    functions();
    return wrong_;
  }

 private:
  static T number(int i) { return static_cast<T>(0.75 * ((i * 7 + 3) % 11) - 3.5); }
  static Numbers numbers(int first) {
    Numbers n;
    for (int i = 0; i < W; ++i) n[at(i)] = number(first + i);
    return n;
  }
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  static Real lanes(const Numbers& n) { return Real::at(n.data()); }

  void expect(bool holds, const std::string& law, int lane) {
    if (holds) return;
    wrong_.push_back(std::to_string(W) + " lanes of " + std::to_string(8 * sizeof(T)) +
                     " bits: " + law + " in lane " + std::to_string(lane));
  }
  // `each(i)` is what lane i must be.
  template <class Got, class Each>
  void same(const Got& got, const Each& each, const std::string& law) {
    for (int i = 0; i < Got::width; ++i) {
      expect(got[i] == static_cast<double>(each(i)), law, i);
    }
  }

  void arithmetic() {
    const Numbers x = numbers(0), y = numbers(5);
    const Real a = lanes(x), b = lanes(y);
    same(
        a + b, [&](int i) { return x[at(i)] + y[at(i)]; }, "a + b");
    same(
        a - b, [&](int i) { return x[at(i)] - y[at(i)]; }, "a - b");
    same(
        a * b, [&](int i) { return x[at(i)] * y[at(i)]; }, "a * b");
    same(
        a / b, [&](int i) { return x[at(i)] / y[at(i)]; }, "a / b");
    same(
        -a, [&](int i) { return -x[at(i)]; }, "-a");
    same(
        Real(2.5), [](int) { return 2.5; }, "one number for all");
    const Real zero(-0.0);
    for (int i = 0; i < W; ++i) expect(std::signbit(zero[i]), "the sign of zero", i);
    Real sum = a;
    sum += b;
    sum -= a;
    same(
        sum, [&](int i) { return x[at(i)] + y[at(i)] - x[at(i)]; }, "a += b, a -= b");
    Real changed = a;
    changed.set(W - 1, 9);
    same(
        changed, [&](int i) { return i == W - 1 ? T(9) : x[at(i)]; }, "set");
  }

  void memory() {
    std::array<double, W> doubles;
    std::array<float, W> floats;
    for (int i = 0; i < W; ++i) {
      doubles[at(i)] = number(i) / 3;
      floats[at(i)] = static_cast<float>(number(i) / 3);
    }
    same(
        Real::at(doubles.data()), [&](int i) { return static_cast<T>(doubles[at(i)]); },
        "doubles in memory");
    same(
        Real::at(floats.data()), [&](int i) { return static_cast<T>(floats[at(i)]); },
        "floats in memory");
    std::array<double, W> doubles_back;
    std::array<float, W> floats_back;
    const Real a = Real::at(doubles.data());
    a.copy_to(doubles_back.data());
    a.copy_to(floats_back.data());
    same(
        a, [&](int i) { return doubles_back[at(i)]; }, "doubles to memory");
    for (int i = 0; i < W; ++i) {
      expect(floats_back[at(i)] == static_cast<float>(a[i]), "floats to memory", i);
      expect(Short<Real>(a)[i] == static_cast<double>(static_cast<float>(a[i])), "short", i);
    }
    same(
        Real(Short<Real>(a)), [&](int i) { return static_cast<float>(a[i]); }, "short and back");
    same(
        converted<double>(a), [&](int i) { return a[i]; }, "as doubles");
    same(
        converted<float>(a), [&](int i) { return static_cast<float>(a[i]); }, "as floats");
  }

  void masks() {
    Numbers x = numbers(0);
    const Numbers y = numbers(4);
    x[W - 1] = std::numeric_limits<T>::quiet_NaN();
    const Real a = lanes(x), b = lanes(y);
    const auto expect_mask = [&](const auto& mask, const auto& each, const std::string& law) {
      bool some = false, every = true;
      for (int i = 0; i < W; ++i) {
        const bool yes = each(x[at(i)], y[at(i)]);
        expect(mask[i] == yes, law, i);
        some = some || yes;
        every = every && yes;
      }
      expect(any(mask) == some, "any " + law, -1);
      expect(all(mask) == every, "all " + law, -1);
    };
    expect_mask(
        a < b, [](T p, T q) { return p < q; }, "a < b");
    expect_mask(
        a <= b, [](T p, T q) { return p <= q; }, "a <= b");
    expect_mask(
        a > b, [](T p, T q) { return p > q; }, "a > b");
    expect_mask(
        a >= b, [](T p, T q) { return p >= q; }, "a >= b");
    expect_mask(
        !(a < b), [](T p, T q) { return !(p < q); }, "not");
    expect_mask((a < b) & (b > Real(0.0)), [](T p, T q) { return p < q && q > 0; }, "and");
    expect_mask((a < b) | (b > Real(0.0)), [](T p, T q) { return p < q || q > 0; }, "or");
    same(
        chosen(b > Real(0.0), b, Real(7.0)), [&](int i) { return y[at(i)] > 0 ? y[at(i)] : T(7); },
        "chosen");
    // A single lane that differs is seen, whichever it is.
    for (int i = 0; i < W; ++i) {
      Real one(0.0);
      one.set(i, 1.0);
      expect(any(one > Real(0.0)) && !all(one > Real(0.0)), "any of one", i);
      expect(!all(one <= Real(0.0)) && any(one <= Real(0.0)), "all but one", i);
      one.set(i, std::numeric_limits<double>::quiet_NaN());
      expect(!all_below(one, 100.0), "all_below of what is not a number", i);
      expect(std::isnan(largest(one)), "largest of what is not a number", i);
      one.set(i, 7.0);
      expect(largest(one) == 7.0 && all_below(one, 7.0) && !all_below(one, 6.9), "largest", i);
    }
    expect(!any(b > Real(1e9)) && all(b < Real(1e9)), "none, all", -1);
  }

  void parts() {
    const Numbers x = numbers(0), y = numbers(W);
    const Real a = lanes(x), b = lanes(y);
    if constexpr (W > 2) {
      same(
          low_half(a), [&](int i) { return x[at(i)]; }, "low half");
      same(
          high_half(a), [&](int i) { return x[at(W / 2 + i)]; }, "high half");
      same(
          joined(low_half(a), high_half(b)), [&](int i) { return i < W / 2 ? x[at(i)] : y[at(i)]; },
          "joined");
    }
    // Backwards out of b and a in turn.
    const auto backwards = [&]<int... i>(std::integer_sequence<int, i...>) {
      return picked<(W - 1 - i + (i % 2 == 0 ? W : 0))...>(a, b);
    };
    same(
        backwards(std::make_integer_sequence<int, W>{}),
        [&](int i) { return (i % 2 == 0 ? y : x)[at(W - 1 - i)]; }, "picked");
  }

  void shuffles() {
    Numbers x, y;
    for (int i = 0; i < W; ++i) {
      x[at(i)] = static_cast<T>(i + 1);
      y[at(i)] = static_cast<T>(W + i + 1);
    }
    // Every place in every lane.
    for (int first = 0; first < 2 * W; ++first) {
      for (const int step : {0, 1, 5, 2 * W - 1}) {
        typename Real::Places places{};
        const auto place = [&](int i) { return (first + step * i) % (2 * W); };
        for (int i = 0; i < W; ++i) places[i] = place(i);
        same(
            shuffled(lanes(x), lanes(y), places), [&](int i) { return place(i) + 1; }, "shuffled");
      }
    }
  }

  void functions() {
    Numbers x = numbers(0);
    const Numbers y = numbers(3);
    const Real a = lanes(x), b = lanes(y);
    same(
        lane_max(a, b), [&](int i) { return std::max(x[at(i)], y[at(i)]); }, "lane_max");
    same(
        lane_min(a, b), [&](int i) { return std::min(x[at(i)], y[at(i)]); }, "lane_min");
    same(
        lane_abs(a), [&](int i) { return std::abs(x[at(i)]); }, "lane_abs");
    same(
        lane_step(a), [&](int i) { return x[at(i)] > 0 ? 1 : 0; }, "lane_step");
    same(
        lane_whole(a), [&](int i) { return std::trunc(x[at(i)]); }, "lane_whole");
    for (T& n : x) n = n * n + T(0.1);
    const Real positive = lanes(x);
    same(
        lane_sqrt(positive), [&](int i) { return std::sqrt(x[at(i)]); }, "lane_sqrt");
    // One step of Newton's method for doubles, a last digit for floats.
    const double digits = sizeof(T) == sizeof(double) ? 1e-13 : 3e-7;
    for (int i = 0; i < W; ++i) {
      const double n = static_cast<double>(x[at(i)]);
      expect(std::abs(lane_inverse(positive)[i] * n - 1) < digits, "lane_inverse", i);
      expect(std::abs(lane_inverse_sqrt(positive)[i] * std::sqrt(n) - 1) < digits,
             "lane_inverse_sqrt", i);
    }
    const Real not_a_number(std::numeric_limits<double>::quiet_NaN());
    same(
        lane_max(not_a_number, b), [&](int i) { return y[at(i)]; }, "lane_max without a number");
    same(
        lane_min(not_a_number, b), [&](int i) { return y[at(i)]; }, "lane_min without a number");
  }

  Wrong wrong_;
};

inline Wrong broken_laws() {
  Wrong all;
  const auto add = [&all](const Wrong& wrong) {
    all.insert(all.end(), wrong.begin(), wrong.end());
  };
  add(Laws<double, 2>().broken());
  add(Laws<double, 4>().broken());
  add(Laws<double, 8>().broken());
  add(Laws<double, 16>().broken());
  add(Laws<float, 2>().broken());
  add(Laws<float, 4>().broken());
  add(Laws<float, 8>().broken());
  add(Laws<float, 16>().broken());
  return all;
}

}  // namespace thigmo::lanes_laws
