#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "grammar/environment.h"
#include "grammar/expander.h"
#include "grammar/predict.h"
#include "grammar/rewriter.h"

namespace thigmo {

// Derives one program, step by step.
class Derivation {
 public:
  Derivation(std::shared_ptr<const Program> program, const GrowOptions& options, bool with_births);

  // Is called with every string, from the axiom on, and for every module of it the module of the
  // string before that it comes from; the latter only after record_parents().
  using Watch = std::function<void(const ModuleString&, std::span<const std::int64_t> parents)>;
  void record_parents() { recording_ = true; }

  // The string after all steps.
  Result<ModuleString> run(const Watch& watch = {});

 private:
  // What a module of one kind can become in a step.
  struct Outcome {
    double longest = 1;          // modules, at most
    double most_parameters = 0;  // parameters, at most
    const Rule* only = nullptr;  // the rule that always applies
  };
  using Counts = std::array<std::int64_t, 256>;
  struct Prediction {
    Counts counts{};
    double length = 0, parameters = 0;  // exact when every kind has one successor
  };
  // Where a thread reads, and where it writes.
  struct Range {
    std::size_t begin = 0, end = 0, parameter = 0;
    std::size_t out = 0, out_end = 0, out_parameter = 0;
  };
  // Modules written in one step that wait to be derived further: those of `pending` from `module` on.
  struct DeepLevel {
    std::size_t begin = 0, begin_parameter = 0;
    std::size_t module = 0, parameter = 0;
    double written = 0;  // the step
  };
  // What a thread works on when it derives module by module.
  struct DeepWork {
    Rewriter& rewriter;
    ModuleString& out;
    double steps = 0;
    ModuleString pending = {};
    std::vector<DeepLevel> levels = {};
    std::size_t noted = 0;  // modules in the sum of all threads already
    double noted_bytes = 0;
  };

  // Where a module stands, for a step from the right.
  struct Standing {
    Index system = 0;       // whose rules rewrite it
    bool called = false;    // by ?(n,s)
    bool cut_away = false;  // by a % before it
  };

  void find_outcomes();
  std::optional<Diagnostic> predict_all(const ModuleString& axiom, double steps);
  bool grows_slowly(const ModuleString& axiom, double steps) const;
  std::optional<Diagnostic> predict_step(const ModuleString& string, double step,
                                         Prediction& prediction);
  void count_shares(const ModuleString& string);
  void multiply_shares();
  std::optional<Diagnostic> bad_length(double steps) const;
  std::optional<Diagnostic> unbalanced(const ModuleString& string) const;
  bool balanced_by_construction() const;
  Place place_of_lone_bracket() const;
  void set_clock(double done, double dt);
  bool ask_turtle(ModuleString& string, std::optional<Diagnostic>& refused);

  void step(const ModuleString& now, ModuleString& next, Index number,
            const Prediction& prediction);
  std::vector<Range> split(bool fixed) const;
  bool in_parallel(const ModuleString& string) const;
  void step_plain(const ModuleString& now, ModuleString& next, const Prediction& prediction);
  void plain_range(const ModuleString& now, const Range& range, Kind* out) const;
  void step_fixed(const ModuleString& now, ModuleString& next, const Prediction& prediction);
  void fixed_range(const ModuleString& now, const Range& range, Rewriter& rewriter,
                   ModuleString& next) const;
  void step_general(const ModuleString& now, ModuleString& next, const Prediction& prediction);
  void general_range(const ModuleString& now, const Range& range, const StringView& view,
                     Rewriter& rewriter, ModuleString& out) const;
  std::vector<Standing> find_standings(const ModuleString& now);
  void step_from_right(const ModuleString& now, ModuleString& next, const StringView& view);
  void develop(const ModuleString& now, std::size_t index, std::size_t parameter,
               const RuleTable& table, const StringView& view, Rewriter& rewriter,
               ModuleString& out, const WrittenFromRight* written) const;
  void decompose(const ModuleString& in, ModuleString& out);
  void join(const std::vector<ModuleString>& parts, ModuleString& out);

  void find_independence();
  bool goes_deep(const ModuleString& now, double left, const Watch& watch) const;
  void derive_deep(const ModuleString& now, double steps, ModuleString& out);
  void deep_range(const ModuleString& now, const Range& range, double steps, Rewriter& rewriter,
                  ModuleString& out) const;
  void deep_module(ModuleSeen here, double written, DeepWork& work) const;
  const Rule* next_rule(const ModuleSeen& here, double& step, DeepWork& work) const;
  void leave_finished_levels(DeepWork& work) const;
  bool next_module(ModuleSeen& here, double& written, DeepWork& work) const;
  void note_growth(DeepWork& work) const;
  void note_written(DeepWork& work) const;
  bool is_finished(const Prediction& prediction) const;
  void read_group();
  void enter_or_leave(Kind kind, const double* parameters, std::vector<std::size_t>& systems,
                      Rewriter& rewriter) const;
  std::size_t end_of_cut(const ModuleString& string, std::size_t i, bool in_sub_system) const;
  bool from_right() const;
  void note_parents(std::size_t parent, std::size_t size) const;
  std::uint64_t key(const ModuleString& string, std::size_t index) const;
  Rewriter& rewriter_of(std::size_t thread);

  std::shared_ptr<const Program> program_;
  GrowOptions options_;
  bool with_births_;
  std::uint64_t seed_;
  Rewriter rewriter_;
  std::vector<std::unique_ptr<Rewriter>> others_;  // of the other threads
  Expander expander_;
  ContextTables tables_;
  std::array<Outcome, 256> outcomes_;
  Fewest fewest_;                  // what a step makes of each kind, where it has one successor
  std::vector<Kind> plain_store_;  // successors, each padded for whole copies
  std::array<std::pair<const Kind*, std::size_t>, 256> plain_{};
  std::array<std::size_t, 256> arity_{};
  bool deterministic_ = false;  // every kind has exactly one successor
  bool has_decomposition_ = false;
  bool independent_ = false;            // no module's future depends on another one
  bool slow_growth_ = false;            // the steps copy far more than the last string holds
  std::array<bool, 256> passive_{};     // no rule for this kind
  std::array<bool, 256> stationary_{};  // where no rule applies, none ever will
  mutable std::atomic<std::int64_t> written_modules_ = 0, written_bytes_ = 0;  // by all threads
  // Modules of each kind in the shares of the string, one after the other, that threads work on.
  // Where every kind has one successor they are multiplied instead of counted again. Empty: unknown.
  std::vector<Counts> shares_;
  // Of the step being done.
  Index number_ = 0;
  std::int32_t group_ = 0;
  double dt_ = 1;
  std::uint64_t step_seed_ = 0;
  std::vector<double> lifetimes_;
  bool recording_ = false;
  mutable std::vector<std::int64_t> parents_;  // of the modules written so far, while recording
  double frame_[1] = {0};                      // blocks of the model have no parameters
};

double event_time(double step_end, double excess);
double bytes_per_module(const Program& program, bool with_births);
void clear(ModuleString& string);

}  // namespace thigmo
