#pragma once

#include <array>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "grammar/rewriter.h"

namespace thigmo {

// Derives one program, step by step.
class Derivation {
 public:
  Derivation(std::shared_ptr<const Program> program, const GrowOptions& options, bool with_births);

  // The string after all steps; `lengths`, where given, receives the plain length after each.
  Result<ModuleString> run(std::vector<std::int64_t>* lengths = nullptr);

 private:
  // What a module of one kind can become in a step.
  struct Outcome {
    double longest = 1;                        // modules, at most
    double most_parameters = 0;                // parameters, at most
    const Rule* only = nullptr;                // the rule that always applies
    std::vector<std::pair<Kind, int>> fewest;  // modules of each kind, at least
  };
  struct Prediction {
    std::array<double, 256> counts{};
    double length = 0, parameters = 0;
  };

  void find_outcomes();
  bool constant_positive(Code code) const;
  Diagnostic too_long(double length, double step, bool exact) const;
  std::optional<Diagnostic> predict_all(const ModuleString& axiom, double steps) const;
  std::optional<Diagnostic> predict_step(const ModuleString& string, double step,
                                         Prediction& prediction) const;
  void set_clock(double done, double dt);
  void step(const ModuleString& now, ModuleString& next, Index number,
            const Prediction& prediction);
  void step_plain(const ModuleString& now, ModuleString& next, const Prediction& prediction);
  void step_general(const ModuleString& now, ModuleString& next, Index number);
  void enter_or_leave(Kind kind, const double* parameters, std::vector<std::size_t>& systems);

  std::shared_ptr<const Program> program_;
  GrowOptions options_;
  bool with_births_;
  std::uint64_t seed_;
  Rewriter rewriter_;
  ContextTables tables_;
  std::array<Outcome, 256> outcomes_;
  bool countable_ = false;      // the counts of kinds after a step are bounded by those before
  bool deterministic_ = false;  // every kind has exactly one successor
  double frame_[1] = {0};       // blocks of the model have no parameters
};

}  // namespace thigmo
