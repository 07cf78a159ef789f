#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "grammar/rewrite/buffer.h"
#include "grammar/rules/program.h"
#include "plant/plant.h"

namespace thigmo {

// The rule and step that wrote a module.
struct Birth {
  Index rule = no_index;  // in file order; -1: axiom
  Index step = 0;
};

// A string of modules: one byte each, the parameters of all of them one after the other. Identities
// are kept when the model uses chance, births when they were asked for.
struct ModuleString {
  std::shared_ptr<const Program> program;
  Buffer<std::uint8_t> kinds;
  Buffer<double> parameters;
  Buffer<std::uint64_t> identities;
  Buffer<Birth> births;
  std::vector<std::int64_t> kind_counts;  // modules of each kind, where the derivation knows them
  double steps = 0;                       // how far it was derived
  std::vector<double> globals;            // the model's variables after the last step
};

// One module of a string, or of what rules make of it.
struct Module {
  Kind kind = 0;
  const double* parameters = nullptr;
  std::uint64_t identity = 0;
  Birth birth;
};

// The module `index` of the string, whose parameters begin at `parameter`.
inline Module module_at(const ModuleString& string, std::size_t index, std::size_t parameter) {
  return {.kind = string.kinds[index],
          .parameters = string.parameters.data() + parameter,
          .identity = string.identities.empty() ? 0 : string.identities[index],
          .birth = string.births.empty() ? Birth{} : string.births[index]};
}

// What a string keeps of each module besides its kind and parameters.
struct Keeps {
  bool identities = false, births = false;
};
inline void append(const Module& module, std::size_t arity, Keeps keeps, ModuleString& out) {
  out.kinds.push_back(module.kind);
  out.parameters.append(module.parameters, arity);
  if (keeps.identities) out.identities.push_back(module.identity);
  if (keeps.births) out.births.push_back(module.birth);
}

// Modules [begin, end) of a string, and their parameters.
struct Stretch {
  std::size_t begin = 0, end = 0;
  std::size_t parameter = 0, parameter_end = 0;
};
void append(const ModuleString& from, const Stretch& stretch, ModuleString& out);

// Leaves the first modules, which have so many parameters.
void shorten(ModuleString& string, std::size_t modules, std::size_t parameters);
inline void clear(ModuleString& string) { shorten(string, 0, 0); }

// "F(0.5)"
std::string module_text(const KindInfo& kind, const double* parameters);

// How often each symbol occurs, by name, whatever the number of its parameters; and the symbols as the
// plain string counts them.
struct SymbolCounts {
  std::int64_t plain_length = 0;
  std::map<std::string, std::int64_t> by_symbol;
};
SymbolCounts count_symbols(const ModuleString& string, int threads = 1);
// How often each character of the plain string occurs; a declared name is one. They add up to
// plain_length().
std::map<std::string, std::int64_t> character_counts(const ModuleString& string, int threads = 1);
// Symbols as the plain string counts them: a character each, parameters not counted, a declared
// name 1.
std::int64_t plain_length(const ModuleString& string);
// The string with parameters: "A(4,4)F(0.5)".
std::string full_text(const ModuleString& string);

// Modules of each kind.
using KindCounts = std::array<std::int64_t, 256>;
KindCounts count_kinds(const Kind* kinds, std::size_t size);

// Where the text stands that wrote a module: its rule, or its own place in the axiom.
SourcePosition place_of_module(const ModuleString& string, std::size_t module);

Origin origin_of_module(const ModuleString& string, std::size_t module);

}  // namespace thigmo
