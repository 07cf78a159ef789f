#include "grammar/rules/headers.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "grammar/rules/definitions.h"
#include "grammar/rules/expressions.h"
#include "grammar/rules/read_material.h"
#include "grammar/rules/read_rule.h"
#include "grammar/rules/statements.h"

namespace thigmo {

namespace {

constexpr std::size_t system_limit = 255;

// A constant, and nothing behind it.
Result<double> read_number(Compiler& c, Cursor& rest) {
  Result<double> number = read_constant(c.writer, rest);
  if (!number || rest.at_end()) return number;
  return fault(c, rest.position, "nothing may follow the value");
}

// A number that is kept.
Result<Done> read_number(Compiler& c, Cursor& rest, std::optional<double>& value) {
  const Result<double> number = read_number(c, rest);
  if (!number) return number.diagnostics();
  value = *number;
  return Done{};
}

Result<Done> read_positive(Compiler& c, Cursor& rest, std::size_t at, const char* otherwise,
                           std::optional<double>& value) {
  if (auto done = read_number(c, rest, value); !done || *value > 0) return done;
  return fault(c, at, otherwise);
}

Result<Done> read_block_item(Compiler& c, Cursor& rest, Code& code) {
  Scope scope{.may_add_locals = true, .assigns_globals = true};
  const bool wrote = c.writer.wrote_global;
  const Result<Code> block = read_statements(c.writer, rest, scope);
  if (!block) return block.diagnostics();
  code = *block;
  c.writer.wrote_global = wrote;  // between steps the order of rewriting is not concerned
  return expect_end(c, rest, "nothing may follow the block");
}

Result<Done> begin_section(Compiler& c, const std::string& word, std::size_t at) {
  c.section = word == "homomorphism"    ? RuleSet::homomorphism
              : word == "decomposition" ? RuleSet::decomposition
                                        : RuleSet::production;
  if (c.section != RuleSet::production) {
    table_of_section(c).present = true;
    table_of_section(c).place = place_at(c, at);
  }
  return Done{};
}

Result<Done> read_depth(Compiler& c, Cursor& rest, std::size_t at) {
  const Result<double> depth = read_number(c, rest);
  if (!depth) return depth.diagnostics();
  if (!(*depth >= 0 && *depth <= 1e4)) return fault(c, at, "the depth is 0 to 10000");
  if (c.section == RuleSet::production) {
    return fault(c, at, "'maximum depth:' belongs below decomposition or homomorphism");
  }
  table_of_section(c).maximum_depth = static_cast<int>(*depth);
  return Done{};
}

// Of the model, or below decomposition and homomorphism of those.
Result<Done> read_seed(Compiler& c, Cursor& rest, std::size_t at) {
  if (c.section != RuleSet::production) {
    Scope none;
    const Result<Code> code = read_expression(c.writer, rest, none);
    if (!code) return code.diagnostics();
    table_of_section(c).seed = *code;
    return Done{};
  }
  if (auto done = read_number(c, rest, c.program.seed); !done) return done;
  const double seed = *c.program.seed;
  // Whole numbers that a double holds exactly.
  if (seed >= 0 && seed <= 9007199254740992.0 && seed == std::floor(seed)) return Done{};
  return fault(c, at, "the seed must be a whole number from 0 to 2^53");
}

Result<Done> read_derivation_length(Compiler& c, Cursor& rest) {
  rest.skip_space();
  const std::size_t at = rest.position;
  const Result<double> steps = read_number(c, rest);
  if (!steps) return steps.diagnostics();
  if (!(*steps >= 0)) return fault(c, at, "the derivation length cannot be negative");
  if (c.program.systems.size() == 1) {
    c.program.steps = *steps;
    c.program.steps_place = place_at(c, at);
  }
  return Done{};
}

Result<Done> read_step_length(Compiler& c, Cursor& rest, std::size_t at) {
  if (auto done = read_number(c, rest, c.program.step_length); !done) return done;
  if (*c.program.step_length >= 0) return Done{};
  return fault(c, at, "the step cannot be negative");
}

Result<Done> read_interpretation(Compiler& c, Cursor& rest) {
  c.program.articulated = rest.take("articulated");
  if (!c.program.articulated && !rest.take("turtle")) {
    return fault(c, rest.position, "expected 'turtle' or 'articulated'");
  }
  return expect_end(c, rest, "nothing may follow it");
}

Result<Done> read_group(Compiler& c, Cursor& rest, std::size_t at) {
  const Result<double> group = read_number(c, rest);
  if (!group) return group.diagnostics();
  if (!(*group >= 0 && *group <= 1000)) {
    return fault(c, at, "a group has a number from 0 to 1000");
  }
  c.group = static_cast<std::int32_t>(*group);
  c.program.uses_groups = true;
  c.program.group_global = make_global(c.writer, "group", 0);
  return Done{};
}

// "Lsystem: label"
Result<Done> begin_system(Compiler& c, Cursor& rest, std::size_t at, Diagnostics& diagnostics) {
  const Result<double> read = read_number(c, rest);
  if (!read) return read.diagnostics();
  const int label = static_cast<int>(*read);
  if (c.explicit_system) {
    if (!c.ended) {
      diagnostics.push_back(fault(c, at, "the L-system above has no 'endlsystem'"));
    }
    for (const LSystem& other : c.program.systems) {
      if (other.label == label) {
        return fault(c, at, fmt::format("there are two L-systems with label {}", label));
      }
    }
    if (c.program.systems.size() >= system_limit) {
      return fault(c, at, fmt::format("a model has at most {} L-systems", system_limit));
    }
    c.program.systems.emplace_back();
  }
  c.explicit_system = true;
  c.ended = false;
  c.section = RuleSet::production;
  c.group = 0;
  system_of(c).label = label;
  system_of(c).place = place_at(c, at);
  c.ignore_lists.emplace_back();
  return Done{};
}

Result<Done> read_ignore(Compiler& c, Cursor& rest, bool consider) {
  IgnoreList list{.consider = consider};
  while (!rest.at_end()) {
    // Old models list ~ alone, where its letter stands for a surface.
    if (rest.peek() == '~' && !is_name_part(rest.peek(1))) {
      ++rest.position;
      continue;
    }
    const Result<std::string> name = read_symbol(c, rest, false);
    if (!name) return name.diagnostics();
    list.names.insert(*name);
  }
  c.ignore_lists.push_back(std::move(list));
  return Done{};
}

Result<Done> read_tropism(Compiler& c, Cursor& rest) {
  Tropism tropism;
  for (double* value :
       {&tropism.direction.x, &tropism.direction.y, &tropism.direction.z, &tropism.elasticity}) {
    const Result<double> read = read_constant(c.writer, rest);
    if (!read) return read.diagnostics();
    *value = *read;
    rest.take(",");
  }
  if (!rest.at_end()) {
    return fault(c, rest.position, "a tropism has four numbers", "tropism: 0, -1, 0, 0.22");
  }
  if (c.program.tropisms.size() == 4) {
    return fault(c, rest.position, "there are at most 4 tropisms");
  }
  c.program.tropisms.push_back(tropism);
  return Done{};
}

Result<Done> read_environment(Compiler& c, Cursor& rest) {
  EnvironmentChoice& environment = c.program.environment;
  rest.skip_space();
  const std::size_t begin = rest.position;
  if (rest.take("light")) {
    environment.name = "light";
  } else if (rest.take("space")) {
    environment.name = "space";
  } else {
    return fault(c, begin, "there is no such environment",
                 "environment: light, or environment: space");
  }
  if (!rest.at_end()) {
    const Result<double> size = read_constant(c.writer, rest);
    if (!size) return size.diagnostics();
    environment.size = *size;
    if (!(*size > 0)) return fault(c, begin, "its size must be positive");
  }
  return expect_end(c, rest, "nothing may follow the size");
}

Result<Done> read_definition_block(Compiler& c, Cursor& rest) {
  if (auto done = read_definitions(c.writer, rest); !done) return done;
  return expect_end(c, rest, "nothing may follow the block");
}

}  // namespace

Result<Done> read_header(Compiler& c, const std::string& word, Cursor& rest, std::size_t at,
                         Diagnostics& diagnostics) {
  Program& p = c.program;
  if (word == "lsystem") return begin_system(c, rest, at, diagnostics);
  if (word == "endlsystem") {
    c.ended = true;
    return Done{};
  }
  if (word == "ring lsystem") {
    p.ring = true;
    return Done{};
  }
  if (word == "axiom") return read_axiom(c, rest, at);
  if (word == "homomorphism" || word == "decomposition" || word == "production") {
    return begin_section(c, word, at);
  }
  if (word == "maximum depth") return read_depth(c, rest, at);
  if (word == "seed") return read_seed(c, rest, at);
  if (word == "derivation length") return read_derivation_length(c, rest);
  if (word == "angle") return read_number(c, rest, p.angle_degrees);
  if (word == "step") return read_step_length(c, rest, at);
  if (word == "width") return read_positive(c, rest, at, "the width must be positive", p.width);
  if (word == "width factor") {
    return read_positive(c, rest, at, "the factor must be positive", p.width_factor);
  }
  if (word == "time step") {
    return read_positive(c, rest, at, "the time step must be positive", p.time_step);
  }
  if (word == "ignore" || word == "consider") return read_ignore(c, rest, word == "consider");
  if (word == "define") return read_definition_block(c, rest);
  if (word == "start") return read_block_item(c, rest, system_of(c).start);
  if (word == "starteach") return read_block_item(c, rest, system_of(c).start_each);
  if (word == "endeach") return read_block_item(c, rest, system_of(c).end_each);
  if (word == "end") return read_block_item(c, rest, system_of(c).end);
  if (word == "tropism") return read_tropism(c, rest);
  if (word == "material") return read_material(c, rest, at);
  if (word == "environment") return read_environment(c, rest);
  if (word == "interpretation") return read_interpretation(c, rest);
  if (word == "group") return read_group(c, rest, at);
  return fault(c, at, fmt::format("'{}' is not known here", word));
}

}  // namespace thigmo
