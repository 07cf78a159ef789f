#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "grammar/text/source.h"

namespace thigmo {

// Expressions and statements of rules are compiled to a flat list of instructions for a small stack
// machine, once per grammar.
enum class OpCode : std::uint8_t {
  constant,       // push value
  local,          // push frame[index]
  store_local,    // pop into frame[index]
  global,         // push globals[index]
  store_global,   // pop into globals[index]
  element,        // pop the subscripts of array `index`, push the element
  store_element,  // pop value, then subscripts
  jump,           // to ops[index]
  jump_if_zero,   // pop; jump when it is 0
  add,
  subtract,
  multiply,
  divide,
  remainder,
  power,
  negate,
  logical_not,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,
  to_truth,  // pop, push 1 or 0
  local_times_constant,
  local_plus_constant,
  call,             // function `index` of the table below
  curve,            // pop x, push curve `index` at x
  curve_by_number,  // pop x, pop number (from 1), push
};

struct Op {
  OpCode code = OpCode::constant;
  std::int32_t index = 0;
  double value = 0;
  SourcePosition place;
};

// A range of instructions in the program's list; empty when begin == end.
struct Code {
  std::int32_t begin = 0;
  std::int32_t end = 0;
  bool empty() const { return begin == end; }
};

// An expression of one instruction, as most parameters are: its value needs no machine.
inline bool is_simple(Code code, const Op& first) {
  return code.end - code.begin == 1 &&
         (first.code == OpCode::constant || first.code == OpCode::local ||
          first.code == OpCode::local_times_constant || first.code == OpCode::local_plus_constant);
}
inline double simple_value(const Op& op, const double* frame) {
  switch (op.code) {
    case OpCode::constant:
      return op.value;
    case OpCode::local:
      return frame[op.index];
    case OpCode::local_times_constant:
      return frame[op.index] * op.value;
    default:
      return frame[op.index] + op.value;
  }
}

// An array of the model, with one to four dimensions.
struct Array {
  std::string name;
  std::vector<int> sizes;
  std::int32_t begin = 0;  // of its elements in the globals
};

// A function given by points; between them monotone cubic (Fritsch and Carlson 1980) or linear.
struct Curve {
  std::string name;
  bool smooth = false;
  std::vector<double> x, y, slope;
};
double evaluate(const Curve& curve, double x);
void prepare_slopes(Curve& curve);

// Predefined functions: how many arguments each takes, and what a call takes of the limit of work
// besides its instruction: the time of so many.
struct FunctionInfo {
  const char* name;
  int arguments;
  bool random;
  int work;
};
enum class Function : std::int32_t {
  sine,
  cosine,
  tangent,
  arcsine,
  arccosine,
  arctangent,
  arctangent2,
  exponential,
  logarithm,
  square_root,
  floor,
  ceiling,
  truncate,
  round,
  absolute,
  sign,
  minimum,
  maximum,
  power,
  uniform,
  normal,
  binomial,
  beta,
  count
};
const FunctionInfo& function_info(Function function);
int find_function(std::string_view name);  // -1 when unknown

// What an expression can see while it runs.
struct Machine {
  const Source* source = nullptr;  // for the places of errors
  const std::vector<Op>* ops = nullptr;
  const std::vector<Array>* arrays = nullptr;
  const std::vector<Curve>* curves = nullptr;
  double* globals = nullptr;
  std::uint64_t random_key = 0;          // of the module being rewritten
  std::uint32_t random_draw = 0;         // draws made for it so far
  std::int64_t work_left = 0;            // instructions still allowed
  std::int64_t block_limit = 1'000'000;  // instructions of one block or expression
  std::vector<double> stack = {};
};

// Runs `code` on the parameters and local variables in `frame`. The value of an expression, 0 of
// statements.
Result<double> execute(Machine& machine, Code code, double* frame);

}  // namespace thigmo
