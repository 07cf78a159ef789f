#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

#include "grammar/grammar.h"
#include "grammar/program.h"

namespace thigmo {

class ContextTables;

// A string being read, with the tables that a search for context needs.
struct StringView {
  const Kind* kinds = nullptr;
  const double* parameters = nullptr;
  std::size_t size = 0;
  // With context only: for a bracket its partner (size or -1 when it has none), for every module
  // the index of its first parameter. Null where the string has no brackets, or no context has
  // parameters.
  const std::int32_t* partner = nullptr;
  const std::int32_t* parameter_at = nullptr;
  ContextTables* tables = nullptr;  // for searches that pass many modules
};

// For every module the nearest one to its left and right that a search finds which passes over one
// set of ignored modules; -1 where there is none. Thousands of branches at one node, or ignored
// modules in a row, are then passed at once.
struct ContextPaths {
  Buffer<std::int32_t> left, right;          // empty: there was no room
  std::atomic<std::int64_t> generation = 0;  // of the string it was made for
};

// The tables of a StringView.
class ContextTables {
 public:
  StringView view(const Program& program, const ModuleString& string, bool has_brackets);

  // Made by the first search that asks for them; any thread may. Null: there is no room for more.
  const ContextPaths* paths(const Program& program, const StringView& string, std::int32_t ignore);

 private:
  bool make_room(std::size_t modules);

  Buffer<std::int32_t> partner_, parameter_at_, open_;
  std::vector<ContextPaths> paths_;  // one for each set of Program::ignored
  std::size_t held_ = 0;             // modules of all of them
  std::int64_t generation_ = 0, full_ = -1;
  std::mutex making_;
};

// What a step from the right has written so far: the successors of the last modules, last first.
struct WrittenFromRight {
  struct Piece {
    std::size_t module, parameter;  // where it begins
    std::size_t parent;             // the module it replaces
  };
  // What came of the modules before `parent` is cut away again.
  void drop_until(std::size_t parent);

  ModuleString modules;
  std::vector<Piece> pieces;  // none is empty
};

// A module that rules are tried on: its parameters, and where it stands.
struct Subject {
  Kind kind = 0;
  const double* parameters = nullptr;
  std::size_t index = 0;  // in the string, for the context
  std::uint64_t random_key = 0;
};

// Chooses rules and writes successors. One per thread.
class Rewriter {
 public:
  Rewriter(const Program& program, const Limits& limits);

  // The rule that applies, with its parameters bound in the frame; null when none does.
  // `old_string` gives the context, `new_string` the part already rewritten for << and >>.
  const Rule* choose(const RuleTable& table, const Subject& subject, const StringView& old_string,
                     const ModuleString* new_left, const WrittenFromRight* new_right,
                     std::int32_t group);

  // Appends the successor of the chosen rule.
  void write(const Rule& rule, std::uint64_t parent_identity, Index step, ModuleString& out);
  // Evaluates the parameters of a successor; `frame` holds those of the module replaced.
  void evaluate(const Successor& successor, double* frame, double* out);
  void write_axiom(ModuleString& out);

  // Appends `count` modules unchanged.
  void copy(const ModuleString& from, std::size_t module, std::size_t count, std::size_t parameter,
            std::size_t parameter_count, ModuleString& out);

  bool failed() const { return !machine.error.empty(); }
  void fail(std::string message, Place place);
  // Adds to an error for which module, with its parameters in `frame`, and in which step it happened.
  void name_module(const Rule& rule, const double* frame);
  void set_globals(const std::vector<double>& values);
  Diagnostic diagnostic() const;

  Machine machine;
  std::vector<double> globals;

 private:
  bool matches(const Rule& rule, const Subject& subject, const StringView& old_string,
               const ModuleString* new_left, const WrittenFromRight* new_right);
  bool matches_left(const Rule& rule, std::size_t index, const StringView& string);
  bool matches_new_left(const Rule& rule, const ModuleString& string);
  bool matches_right(const Rule& rule, std::size_t index, const StringView& string);
  bool matches_new_right(const Rule& rule, const WrittenFromRight& written);
  void bind(const PatternItem& item, const double* values);
  void write_successor(const Successor& successor, ModuleString& out);

  const Program& program_;
  std::vector<double> frame_;
  bool module_named_ = false;
  struct Candidate {
    const Rule* rule;
    double weight;
    std::uint32_t first_draw;
  };
  std::vector<Candidate> candidates_;
};

}  // namespace thigmo
