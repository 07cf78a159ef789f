#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/index.h"
#include "base/result.h"
#include "grammar/text/expression.h"
#include "grammar/text/source.h"
#include "material/material.h"
#include "math/vector.h"

namespace thigmo {

// A kind is a symbol with its number of parameters; a module of the string is one byte, its kind.
using Kind = std::uint8_t;
inline constexpr std::size_t kind_limit = 255;

struct KindInfo {
  std::string name;            // "F", "@v", "Leaf"
  int arity = 0;               // number of parameters
  bool declared = false;       // by "module NAME(...)"
  int plain_length = 1;        // symbols it counts for in the plain string
  std::int32_t lifetime = -1;  // of a timed module, into Program::lifetimes
};

// One element of a context pattern.
struct PatternItem {
  enum class Type : std::uint8_t { module, open, close, rest_of_branch };
  Type type = Type::module;
  Kind kind = 0;
  std::int32_t slot = 0;  // where its parameters go in the frame
};

struct Successor {
  std::vector<Kind> kinds;
  std::vector<Code> parameters;        // one expression per parameter, in order
  std::vector<double> constants;       // their values when all are constant
  std::vector<Op> simple;              // their instructions when all have but one
  std::vector<SourcePosition> places;  // of the modules
  bool constant = true;
};

using KindSet = std::bitset<256>;

enum class RuleSet : std::uint8_t { production, decomposition, homomorphism };

struct Rule {
  std::vector<PatternItem> left;   // nearest first
  std::vector<Kind> strict;        // what is replaced
  std::vector<PatternItem> right;  // nearest first
  bool left_new = false;           // << : the left context is already rewritten
  bool right_new = false;          // >>
  int slots = 0;                   // size of the frame: parameters and local variables
  int strict_parameters = 0;       // parameters of the replaced modules
  std::int32_t strict_slot = 0;    // where they go in the frame
  Code condition;                  // empty: always
  Code before;                     // statements before the condition
  Code after;                      // statements when the rule was chosen
  std::optional<Code> weight;
  Successor successor;
  std::int32_t ignore = 0;  // into Program::ignored
  std::int32_t group = 0;
  Index number = 0;  // in file order over all rule sets
  SourcePosition place;
  std::string text;  // its first line, for explaining
  std::vector<SourcePosition> parameter_places;
  std::vector<std::string> parameter_names;
  std::vector<bool> parameter_used;

  // What the nearest module says about the context: 0 no, 1 the first item is met, 2 search on.
  std::array<std::uint8_t, 256> left_says{}, right_says{};

  bool has_context() const { return !left.empty() || !right.empty(); }
  bool has_statements() const { return !before.empty() || !after.empty(); }
  bool always_applies() const { return condition.empty() && !has_context() && !weight; }
};

struct RuleTable {
  std::vector<Rule> rules;
  // For every kind, the rules whose first replaced module it is, in file order.
  std::array<std::vector<std::int32_t>, 256> by_kind;
  std::optional<int> maximum_depth;
  std::optional<Code> seed;
  SourcePosition place;
  bool present = false;
};

struct LSystem {
  int label = 1;
  RuleTable productions, decomposition, homomorphism;
  Code start, start_each, end_each, end;
  SourcePosition place;
};

inline const RuleTable& table_of(const LSystem& system, RuleSet set) {
  return set == RuleSet::production      ? system.productions
         : set == RuleSet::decomposition ? system.decomposition
                                         : system.homomorphism;
}

struct Expectation {
  enum class What : std::uint8_t { length, count, segments, organs };
  What what = What::length;
  std::string symbol;
  double value = 0;
  SourcePosition place;
};

struct Tropism {
  Vec3 direction{0, -1, 0};
  double elasticity = 0;
};

// Who answers ?E modules, where the caller gives nobody.
struct EnvironmentChoice {
  std::string name;  // "light" or "space"; empty: nobody
  double size = 0;   // [m]; 0: the environment's own default
};

// The cross-section of stems, besides its width.
struct StemShape {
  double flatness = 1;  // height over width
  double hollow = 0;    // inner over outer radius
};
// Refuses what is no section.
Result<Done> check_shape(const StemShape& shape);

// A grammar, compiled.
struct Program {
  Source source;
  std::vector<KindInfo> kinds;
  std::map<std::pair<std::string, int>, Kind> kind_of;
  std::map<std::string, std::vector<std::string>> declared;  // parameter names of each module

  std::vector<Op> ops;
  std::vector<Array> arrays;
  std::vector<Curve> curves;
  std::map<std::string, std::int32_t> array_of, curve_of;  // by name
  std::map<std::string, std::int32_t> global_of;           // variables by name, into:
  std::vector<double> global_values;  // at the start; variables and elements of arrays
  int stack_size = 8;
  int frame_size = 1;
  std::vector<Code> lifetimes;

  Successor axiom;
  SourcePosition axiom_place;
  bool articulated = false;      // B and J modules are bodies and joints, nothing else is drawn
  std::vector<LSystem> systems;  // [0] is the model, the others are called by ?(n,s)
  std::vector<KindSet> ignored;  // by the context search; sets of the rules
  std::vector<Expectation> expectations;
  Diagnostics warnings;  // of the text; they go with what is drawn

  std::optional<double> seed, steps, angle_degrees, step_length, width, width_factor;
  std::optional<double> time_step;
  std::vector<Tropism> tropisms;
  std::vector<Material> materials;  // of "material:" lines; the first is used from the start
  std::vector<StemShape> shapes;    // of stems made of each
  EnvironmentChoice environment;
  SourcePosition steps_place;  // of the derivation length
  bool ring = false;

  // What the derivation must prepare for.
  bool uses_random = false;
  bool uses_context = false;
  bool writes_globals = false;  // in rules: the order of rewriting matters
  bool uses_new_context = false;
  bool multi_module = false;  // some rule replaces more than one module
  bool uses_time = false;     // timed modules or dt
  bool uses_groups = false;
  bool context_has_parameters = false;
  bool asks_turtle = false;        // ?P ?H ?L ?U or ?E stand in strings
  std::int32_t group_global = -1;  // index of the variable `group`
  std::int32_t dt_global = -1;
  std::int32_t time_global = -1;
  std::int32_t step_global = -1;

  // Kinds with a meaning, 256 when the grammar has none.
  Kind open_bracket = 0, close_bracket = 1;  // always there
  int cut = 256;
  int sub_open = 256, sub_close = 256;  // ?(n,s) and $
};

inline bool is_bracket(const Program& program, Kind kind) {
  return kind == program.open_bracket || kind == program.close_bracket;
}

// The first ] that has no partner before it; where there is none, the last [ that has none behind it.
std::optional<std::size_t> lone_bracket(const Program& program, std::span<const Kind> kinds);
inline std::optional<std::size_t> lone_bracket(const Program& program, const Successor& successor) {
  return lone_bracket(program, std::span<const Kind>(successor.kinds));
}

// The rule with this number in file order; null for the axiom (-1).
const Rule* rule_with_number(const Program& program, Index number);

}  // namespace thigmo
