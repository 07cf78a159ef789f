#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "grammar/buffer.h"
#include "grammar/environment.h"
#include "grammar/source.h"
#include "plant/plant.h"

namespace thigmo {

struct Program;  // grammar/program.h

// A model that was read and compiled without error. Cheap to copy.
struct Grammar {
  std::shared_ptr<const Program> program;
  std::string file;
  std::string text;
  std::map<std::string, std::string> includes = {};  // texts of the included files, by path
};

// Where a derivation stops. Each is checked before the memory is touched.
struct Limits {
  std::int64_t symbols = 100'000'000;         // modules of the string
  std::int64_t steps = 1'000'000;             // derivation steps
  std::int64_t nesting = 1'000'000;           // open brackets at one place
  std::int64_t memory_bytes = 2'000'000'000;  // of all strings of the derivation
  std::int64_t work = 2'000'000'000;          // instructions, comparisons and modules copied
  std::int64_t block = 1'000'000;             // instructions of one block of statements
  int recursion = 100;                        // of decomposition and homomorphism without a depth
};

struct GrowOptions {
  std::optional<double> steps = {};  // may have a fraction when the model uses dt or lifetimes
  std::optional<std::uint64_t> seed = {};
  std::optional<double> angle_degrees = {};
  std::optional<Material> material = {};
  std::map<std::string, double> defines = {};     // other values for the model's #define constants
  std::shared_ptr<Environment> environment = {};  // answers ?E instead of the model's own
  double smallest_body_mass = 1e-8;  // [kg]; lighter ends of articulated bodies are left out
  Limits limits = {};
  int threads = 1;  // 0: as many as the machine has; the string is the same for any number
};

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

// The dialects, by the end of the file's name: .abs is an articulated-body string of LSDL
// (grammar/articulated.h), .sbt the notation of soft-body trees (grammar/soft_body.h), everything
// else this language.
Result<Grammar> parse_grammar(std::string_view file, std::string_view text,
                              const ReadFile& read_include = {});

// The model with other values for its #define constants.
Result<Grammar> with_constants(const Grammar& grammar, const std::map<std::string, double>& values);

// The string after the steps of the options, or of the file.
Result<ModuleString> derive(const Grammar& grammar, const GrowOptions& options = {});

// The same with the births of all modules, for who wants to know which rule wrote what.
Result<ModuleString> derive_with_births(const Grammar& grammar, const GrowOptions& options = {});

// Every string from the axiom on: what derive() gives for 0, 1, 2, … steps.
Result<std::vector<std::int64_t>> derive_lengths(const Grammar& grammar,
                                                 const GrowOptions& options = {});

// Modules in the string.
std::int64_t module_count(const ModuleString& string);
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
// How often each symbol occurs, by name, whatever the number of its parameters.
std::map<std::string, std::int64_t> symbol_counts(const ModuleString& string);
// The string without parameters: "F[+F]F".
std::string plain_text(const ModuleString& string);
// The string with parameters: "A(4,4)F(0.5)".
std::string full_text(const ModuleString& string);

// What the turtle made of a string.
struct Growth {
  Plant plant;
  Diagnostics warnings;
  Box drawn;                 // around both ends of everything drawn; at the origin when nothing was
  Box drawn_and_filled;      // around the vertices of polygons too
  Vec3 end_position;         // of the turtle [m]
  std::int64_t symbols = 0;  // of the plain string
  std::int64_t segments = 0;        // of the plant
  std::int64_t organs = 0;          // of the plant
  std::int64_t drawn_segments = 0;  // F and G, those of length 0 too
  double drawn_length = 0;          // [m]
  std::int64_t polygons = 0;
  std::int64_t deepest_bracket = 0;
};

Result<Growth> grow(const Grammar& grammar, const GrowOptions& options = {});
Result<Growth> interpret(const ModuleString& string, const GrowOptions& options = {});

// The same without the plant itself, for strings whose plant would not fit into memory: counts and
// boxes only.
Result<Growth> measure(const ModuleString& string, const GrowOptions& options = {});

// derive, then homomorphism and turtle.
Result<Plant> grow_plant(const Grammar& grammar, const GrowOptions& options = {});

// The modules that the turtle sees, after the homomorphism, without parameters.
Result<std::string> interpreted_text(const ModuleString& string, const GrowOptions& options = {});

}  // namespace thigmo
