#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "grammar/rewrite/context_search.h"
#include "grammar/rewrite/module_string.h"
#include "grammar/rewrite/options.h"

namespace thigmo {

// A module that rules are tried on: its parameters, and where it stands.
struct Subject {
  Kind kind = 0;
  const double* parameters = nullptr;
  std::size_t index = 0;  // in the string, for the context
  std::uint64_t random_key = 0;
};

// Chooses rules and writes successors. One per thread: it holds the variables of the model as that
// thread sees them, and the machine that computes with them.
class Rewriter {
 public:
  Rewriter(const Program& program, const Limits& limits);
  Rewriter(const Rewriter&) = delete;
  Rewriter& operator=(const Rewriter&) = delete;

  // The rule that applies, with its parameters bound in the frame; null when none does.
  Result<const Rule*> choose(const RuleTable& table, const Subject& subject,
                             const Surroundings& around);

  // Appends the successor of the chosen rule. `step` is written into the births; -1: there are none.
  Result<Done> write(const Rule& rule, std::uint64_t parent_identity, Index step,
                     ModuleString& out);
  Result<Done> write_axiom(ModuleString& out);

  // The same for a rule that always applies: its statements and the parameters of its successor, for
  // a module whose parameters stand in `frame`.
  Result<Done> evaluate(const Rule& rule, double* frame, double* out);

  // Runs a block of the model, which has no parameters.
  Result<double> run(Code block);

  // Takes work from what is left of its limit; false when that is used up.
  [[nodiscard]] bool take_work(std::int64_t work) { return (work_left() -= work) >= 0; }
  std::int64_t& work_left() { return machine_.work_left; }
  void set_random_key(std::uint64_t key);

  // The model's variables.
  const std::vector<double>& globals() const { return globals_; }
  double& global(std::int32_t index) { return at(globals_, index); }
  void set_globals(const std::vector<double>& values);

 private:
  Result<bool> matches(const Rule& rule, const Subject& subject, const Surroundings& around);
  Result<double> weight_of(const Rule& rule);
  Result<const Rule*> draw_lot(const Subject& subject, const Surroundings& around, double sum);
  Result<Done> write_successor(const Successor& successor, ModuleString& out);
  Result<Done> evaluate(const Successor& successor, double* frame, double* out);
  Diagnostics named(Diagnostics errors, const Rule& rule, const double* frame) const;

  const Program& program_;
  Machine machine_;
  std::vector<double> globals_;
  std::vector<double> frame_;
  struct Candidate {
    const Rule* rule;
    double weight;
    std::uint32_t first_draw;
  };
  std::vector<Candidate> candidates_;
};

// What stops a model that goes on and on.
inline Diagnostic out_of_work(const Program& program, SourcePosition place) {
  return diagnostic_in(program.source, place, "the model needs more work than its limit allows");
}

}  // namespace thigmo
