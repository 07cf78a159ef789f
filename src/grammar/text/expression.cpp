#include "grammar/text/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>

#include "base/index.h"
#include "base/random.h"

namespace thigmo {

namespace {

constexpr double radians = std::numbers::pi / 180.0;

constexpr std::array<FunctionInfo, static_cast<std::size_t>(Function::count)> functions{{
    {"sin", 1, false, 10},  {"cos", 1, false, 10},  {"tan", 1, false, 10},   {"asin", 1, false, 10},
    {"acos", 1, false, 10}, {"atan", 1, false, 10}, {"atan2", 2, false, 20}, {"exp", 1, false, 10},
    {"log", 1, false, 10},  {"sqrt", 1, false, 5},  {"floor", 1, false, 2},  {"ceil", 1, false, 2},
    {"trunc", 1, false, 2}, {"round", 1, false, 2}, {"fabs", 1, false, 2},   {"sign", 1, false, 2},
    {"min", 2, false, 2},   {"max", 2, false, 2},   {"pow", 2, false, 20},   {"ran", 1, true, 5},
    {"nran", 2, true, 30},  {"biran", 2, true, 5},  {"bran", 2, true, 300},
}};

std::uint64_t next_bits(Machine& machine) {
  return mix_bits(machine.random_key, machine.random_draw++);
}

// Gamma variate by Marsaglia and Tsang 2000; shapes below 1 by their boost.
double gamma_variate(Machine& machine, double shape) {
  double boost = 1.0;
  if (shape < 1.0) {
    boost = std::pow(1.0 - unit_from_bits(next_bits(machine)), 1.0 / shape);
    shape += 1.0;
  }
  const double d = shape - 1.0 / 3.0;
  const double c = 1.0 / std::sqrt(9.0 * d);
  for (int attempt = 0; attempt < 1000; ++attempt) {
    const double x = normal_from_bits(next_bits(machine));
    const double v = std::pow(1.0 + c * x, 3);
    if (v <= 0) continue;
    const double u = 1.0 - unit_from_bits(next_bits(machine));
    if (std::log(u) < 0.5 * x * x + d - d * v + d * std::log(v)) return boost * d * v;
  }
  return boost * d;
}

// Why a function cannot be called with these arguments.
std::optional<std::string> refusal(Function function, const double* a) {
  if (function == Function::binomial && !(a[0] >= 0 && a[0] <= 100000)) {
    return fmt::format("biran needs 0 to 100000 trials, not {}", a[0]);
  }
  if (function == Function::beta && !(a[0] > 0 && a[1] > 0)) {
    return fmt::format("bran needs two positive numbers, not {} and {}", a[0], a[1]);
  }
  return std::nullopt;
}

// Long because it has one case for each function.
double call(Machine& machine, Function function, const double* a) {
  switch (function) {
    case Function::sine:
      return std::sin(a[0] * radians);
    case Function::cosine:
      return std::cos(a[0] * radians);
    case Function::tangent:
      return std::tan(a[0] * radians);
    case Function::arcsine:
      return std::asin(a[0]) / radians;
    case Function::arccosine:
      return std::acos(a[0]) / radians;
    case Function::arctangent:
      return std::atan(a[0]) / radians;
    case Function::arctangent2:
      return std::atan2(a[0], a[1]) / radians;
    case Function::exponential:
      return std::exp(a[0]);
    case Function::logarithm:
      return std::log(a[0]);
    case Function::square_root:
      return std::sqrt(a[0]);
    case Function::floor:
      return std::floor(a[0]);
    case Function::ceiling:
      return std::ceil(a[0]);
    case Function::truncate:
      return std::trunc(a[0]);
    case Function::round:
      return std::round(a[0]);
    case Function::absolute:
      return std::abs(a[0]);
    case Function::sign:
      return a[0] > 0 ? 1.0 : a[0] < 0 ? -1.0 : 0.0;
    case Function::minimum:
      return std::min(a[0], a[1]);
    case Function::maximum:
      return std::max(a[0], a[1]);
    case Function::power:
      return std::pow(a[0], a[1]);
    case Function::uniform:
      return a[0] * unit_from_bits(next_bits(machine));
    case Function::normal:
      return a[0] + a[1] * normal_from_bits(next_bits(machine));
    case Function::binomial: {
      double hits = 0;
      for (int i = 0; i < static_cast<int>(a[0]); ++i) {
        hits += unit_from_bits(next_bits(machine)) < a[1] ? 1 : 0;
      }
      machine.work_left -= static_cast<std::int64_t>(a[0]);
      return hits;
    }
    case Function::beta: {
      const double x = gamma_variate(machine, a[0]);
      const double y = gamma_variate(machine, a[1]);
      return x + y > 0 ? x / (x + y) : 0.5;
    }
    case Function::count:
      break;
  }
  return 0;
}

}  // namespace

const FunctionInfo& function_info(Function function) {
  return functions[static_cast<std::size_t>(function)];
}

int find_function(std::string_view name) {
  if (name == "abs") name = "fabs";
  if (name == "rint") name = "round";
  for (std::size_t i = 0; i < functions.size(); ++i) {
    if (name == functions[i].name) return static_cast<int>(i);
  }
  return -1;
}

void prepare_slopes(Curve& curve) {
  const std::size_t n = curve.x.size();
  curve.slope.assign(n, 0.0);
  if (!curve.smooth || n < 2) return;
  // Fritsch and Carlson: harmonic means of neighbouring secants, 0 at extrema.
  std::vector<double> secant(n - 1);
  for (std::size_t i = 0; i + 1 < n; ++i) {
    secant[i] = (curve.y[i + 1] - curve.y[i]) / (curve.x[i + 1] - curve.x[i]);
  }
  curve.slope[0] = secant[0];
  curve.slope[n - 1] = secant[n - 2];
  for (std::size_t i = 1; i + 1 < n; ++i) {
    const double a = secant[i - 1], b = secant[i];
    curve.slope[i] = a * b > 0 ? 2.0 * a * b / (a + b) : 0.0;
  }
}

double evaluate(const Curve& curve, double x) {
  if (curve.x.empty() || std::isnan(x)) return 0;
  if (x <= curve.x.front()) return curve.y.front();
  if (x >= curve.x.back()) return curve.y.back();
  const auto above = std::upper_bound(curve.x.begin(), curve.x.end(), x);
  const auto i = static_cast<std::size_t>(above - curve.x.begin()) - 1;
  const double h = curve.x[i + 1] - curve.x[i];
  const double t = (x - curve.x[i]) / h;
  if (!curve.smooth) return curve.y[i] + t * (curve.y[i + 1] - curve.y[i]);
  const double t2 = t * t, t3 = t2 * t;
  return (2 * t3 - 3 * t2 + 1) * curve.y[i] + (t3 - 2 * t2 + t) * h * curve.slope[i] +
         (3 * t2 - 2 * t3) * curve.y[i + 1] + (t3 - t2) * h * curve.slope[i + 1];
}

namespace {

// The place in the globals of the element whose subscripts lie at `subscripts`; -1 when outside.
std::int32_t element_index(const Array& array, const double* subscripts) {
  std::int64_t index = 0;
  for (std::size_t d = 0; d < array.sizes.size(); ++d) {
    const double s = std::floor(subscripts[d]);
    if (!(s >= 0 && s < array.sizes[d])) return -1;
    index = index * array.sizes[d] + static_cast<std::int64_t>(s);
  }
  return array.begin + static_cast<std::int32_t>(index);
}

std::string outside_message(const Array& array, const double* subscripts) {
  std::size_t d = 0;
  while (std::floor(subscripts[d]) >= 0 && std::floor(subscripts[d]) < array.sizes[d]) ++d;
  return fmt::format("subscript {} of '{}' is outside 0..{}", subscripts[d], array.name,
                     array.sizes[d] - 1);
}

}  // namespace

// Long because it has one case for each instruction.
Result<double> execute(Machine& machine, Code code, double* frame) {
  const Op* const ops = machine.ops->data();
  const Op* op = ops + code.begin;
  const Op* const end = ops + code.end;
  double* top = machine.stack.data();  // one past the last value
  const std::int64_t stop = std::max<std::int64_t>(0, machine.work_left - machine.block_limit);
  const auto fault = [&](std::string message) {
    return diagnostic_in(*machine.source, op->place, std::move(message));
  };
  while (op < end) {
    if (--machine.work_left < stop) {
      return fault(stop == 0 ? "the model needs more work than its limit allows"
                             : fmt::format("this block takes more than {} instructions",
                                           machine.block_limit));
    }
    switch (op->code) {
      case OpCode::constant:
        *top++ = op->value;
        break;
      case OpCode::local:
        *top++ = frame[op->index];
        break;
      case OpCode::store_local:
        frame[op->index] = *--top;
        break;
      case OpCode::global:
        *top++ = machine.globals[op->index];
        break;
      case OpCode::store_global:
        machine.globals[op->index] = *--top;
        break;
      case OpCode::element: {
        const Array& array = at(*machine.arrays, op->index);
        top -= array.sizes.size();
        const std::int32_t i = element_index(array, top);
        if (i < 0) return fault(outside_message(array, top));
        *top++ = machine.globals[i];
        break;
      }
      case OpCode::store_element: {
        const double value = *--top;
        const Array& array = at(*machine.arrays, op->index);
        top -= array.sizes.size();
        const std::int32_t i = element_index(array, top);
        if (i < 0) return fault(outside_message(array, top));
        machine.globals[i] = value;
        break;
      }
      case OpCode::jump:
        op = ops + op->index;
        continue;
      case OpCode::jump_if_zero:
        if (*--top == 0) {
          op = ops + op->index;
          continue;
        }
        break;
      case OpCode::add:
        --top;
        top[-1] += top[0];
        break;
      case OpCode::subtract:
        --top;
        top[-1] -= top[0];
        break;
      case OpCode::multiply:
        --top;
        top[-1] *= top[0];
        break;
      case OpCode::divide:
        --top;
        top[-1] /= top[0];
        break;
      case OpCode::remainder:
        --top;
        top[-1] = std::fmod(top[-1], top[0]);
        break;
      case OpCode::power:
        --top;
        top[-1] = std::pow(top[-1], top[0]);
        break;
      case OpCode::negate:
        top[-1] = -top[-1];
        break;
      case OpCode::logical_not:
        top[-1] = top[-1] == 0 ? 1.0 : 0.0;
        break;
      case OpCode::less:
        --top;
        top[-1] = top[-1] < top[0] ? 1.0 : 0.0;
        break;
      case OpCode::less_equal:
        --top;
        top[-1] = top[-1] <= top[0] ? 1.0 : 0.0;
        break;
      case OpCode::greater:
        --top;
        top[-1] = top[-1] > top[0] ? 1.0 : 0.0;
        break;
      case OpCode::greater_equal:
        --top;
        top[-1] = top[-1] >= top[0] ? 1.0 : 0.0;
        break;
      case OpCode::equal:
        --top;
        top[-1] = top[-1] == top[0] ? 1.0 : 0.0;
        break;
      case OpCode::not_equal:
        --top;
        top[-1] = top[-1] != top[0] ? 1.0 : 0.0;
        break;
      case OpCode::to_truth:
        top[-1] = top[-1] != 0 ? 1.0 : 0.0;
        break;
      case OpCode::local_times_constant:
        *top++ = frame[op->index] * op->value;
        break;
      case OpCode::local_plus_constant:
        *top++ = frame[op->index] + op->value;
        break;
      case OpCode::call: {
        const auto function = static_cast<Function>(op->index);
        const FunctionInfo& info = functions[static_cast<std::size_t>(function)];
        top -= info.arguments;
        machine.work_left -= info.work;
        if (auto wrong = info.random ? refusal(function, top) : std::nullopt) return fault(*wrong);
        *top = call(machine, function, top);
        ++top;
        break;
      }
      case OpCode::curve:
        top[-1] = evaluate(at(*machine.curves, op->index), top[-1]);
        break;
      case OpCode::curve_by_number: {
        --top;
        const double number = top[-1];
        if (!(number >= 1 && number <= static_cast<double>(machine.curves->size()))) {
          return fault(fmt::format("there is no curve number {}", number));
        }
        top[-1] = evaluate((*machine.curves)[static_cast<std::size_t>(number) - 1], top[0]);
        break;
      }
    }
    ++op;
  }
  return top > machine.stack.data() ? top[-1] : 0.0;
}

}  // namespace thigmo
