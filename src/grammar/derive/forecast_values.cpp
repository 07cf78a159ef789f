#include "grammar/derive/forecast_values.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <tuple>

#include "grammar/derive/lives.h"
#include "grammar/rewrite/rewriter.h"

namespace thigmo {

namespace {

// A module without its place: L-system, kind and parameters. Equal modules have equal futures.
struct Member {
  std::size_t system = 0;
  Kind kind = 0;
  std::vector<double> parameters = {};

  friend bool operator<(const Member& a, const Member& b) {
    return std::tie(a.system, a.kind, a.parameters) < std::tie(b.system, b.kind, b.parameters);
  }
};
using Population = std::map<Member, double>;  // how often each stands in the string

// Rules tried in all: about three milliseconds.
constexpr int trial_limit = 8000;
constexpr std::int64_t work_limit = 200'000;  // instructions

// Kinds that nothing happens to any more.
std::array<bool, 256> settled_kinds(const Program& p) {
  std::array<bool, 256> settled{};
  for (std::size_t k = 0; k < p.kinds.size(); ++k) {
    const auto rests = [&](const LSystem& s) {
      return s.productions.by_kind[k].empty() && s.decomposition.by_kind[k].empty();
    };
    settled[k] = p.kinds[k].lifetime < 0 && std::all_of(p.systems.begin(), p.systems.end(), rests);
  }
  return settled;
}

bool has_chance(const Program& p, Code code) {
  for (std::int32_t i = code.begin; i < code.end; ++i) {
    const Op& op = at(p.ops, i);
    if (op.code == OpCode::call && function_info(static_cast<Function>(op.index)).random) {
      return true;
    }
  }
  return false;
}

// Does chance reach further than into the parameters of settled modules, such as angles?
bool chance_matters(const Program& p, const std::array<bool, 256>& settled) {
  const auto in_successor = [&](const Successor& successor) {
    std::size_t parameter = 0;
    for (const Kind kind : successor.kinds) {
      for (int i = 0; i < p.kinds[kind].arity; ++i, ++parameter) {
        if (!settled[kind] && has_chance(p, successor.parameters[parameter])) return true;
      }
    }
    return false;
  };
  const auto in_rule = [&](const Rule& rule) {
    return rule.weight || has_chance(p, rule.condition) || has_chance(p, rule.before) ||
           has_chance(p, rule.after) || in_successor(rule.successor);
  };
  const auto in_blocks = [&](const LSystem& s) {
    return has_chance(p, s.start_each) || has_chance(p, s.end_each);
  };
  return std::any_of(p.systems.begin(), p.systems.end(), [&](const LSystem& s) {
    return in_blocks(s) ||
           std::any_of(s.productions.rules.begin(), s.productions.rules.end(), in_rule) ||
           std::any_of(s.decomposition.rules.begin(), s.decomposition.rules.end(), in_rule);
  });
}

class Census {
 public:
  Census(const Program& program, const std::vector<double>& globals, const Limits& limits)
      : p_(program), limits_(limits), rewriter_(program, limits) {
    rewriter_.set_globals(globals);
    rewriter_.work_left() = std::min(work_limit, limits.work);
    settled_ = settled_kinds(p_);
  }

  std::optional<Forecast> run(const ModuleString& axiom, double steps) {
    if (!add_all(axiom, 0, 1, now_)) return std::nullopt;
    for (done_ = 0; done_ < steps && may_go_on(); ++done_) {
      set_clock(std::min(1.0, steps - done_));
      run_block(p_.systems[0].start_each);
      if (auto found = step()) return found;
      decompose();
      run_block(p_.systems[0].end_each);
      if (!may_go_on()) return std::nullopt;
      if (auto found = too_long(now_)) return found;
      if (now_.empty()) return std::nullopt;
    }
    return std::nullopt;
  }

 private:
  bool may_go_on() const { return trials_ < trial_limit && !lost_; }

  void run_block(Code block) {
    if (!rewriter_.run(block)) lost_ = true;
  }

  void set_clock(double part) {
    const double whole = p_.time_step.value_or(1.0);
    dt_ = part * whole;
    rewriter_.global(p_.dt_global) = dt_;
    rewriter_.global(p_.time_global) = done_ * whole + dt_;
    rewriter_.global(p_.step_global) = done_ + 1;
  }

  std::optional<Forecast> too_long(const Population& population) const {
    double length = settled_count_;
    for (const auto& [member, count] : population) length += count;
    if (!(length > static_cast<double>(limits_.symbols))) return std::nullopt;
    return Forecast{.step = done_ + 1, .amount = length, .exact = true};
  }

  // The modules of a string, each so many times. What stands between ?(n,s) and $ belongs to
  // another L-system; false where such a pair is broken up.
  bool add_all(const ModuleString& string, std::size_t system, double count, Population& to) {
    std::vector<std::size_t> systems{system};
    const double* parameters = string.parameters.data();
    for (const Kind kind : string.kinds) {
      const auto arity = as_size(p_.kinds[kind].arity);
      // What is not even equal to itself has no place in an order.
      if (std::any_of(parameters, parameters + arity, [](double x) { return std::isnan(x); })) {
        return false;
      }
      if (kind == p_.sub_open) {
        std::size_t called = p_.systems.size();
        for (std::size_t s = 0; s < p_.systems.size(); ++s) {
          if (static_cast<double>(p_.systems[s].label) == parameters[0]) called = s;
        }
        if (called == p_.systems.size()) return false;
        systems.push_back(called);
      }
      if (kind == p_.sub_close && p_.sub_open != 256) {
        if (systems.size() == 1) return false;
        systems.pop_back();
      }
      if (settled_[kind]) {
        settled_count_ += count;
      } else {
        to[{systems.back(), kind, {parameters, parameters + arity}}] += count;
      }
      parameters += arity;
    }
    return systems.size() == 1;
  }

  // The successor of a member, left in `written_`; false where no rule applies.
  bool rewrite(const RuleTable& table, const Member& member) {
    ++trials_;
    const double* const parameters = member.parameters.data();
    const Surroundings alone{.string = {.kinds = &member.kind, .parameters = parameters, .size = 1},
                             .group = group_};
    const Result<const Rule*> rule =
        rewriter_.choose(table, {.kind = member.kind, .parameters = parameters}, alone);
    if (rule && *rule == nullptr) return false;
    clear(written_);
    if (rule && rewriter_.write(**rule, 0, no_index, written_)) return true;
    lost_ = true;
    return false;
  }

  std::optional<Forecast> step() {
    if (p_.uses_groups) group_ = group_of(rewriter_.global(p_.group_global));
    Population next;
    for (const auto& [member, count] : now_) {
      if (!may_go_on()) return std::nullopt;
      if (p_.kinds[member.kind].lifetime >= 0) {
        if (auto found = develop(member, count, next)) return found;
      } else if (rewrite(p_.systems[member.system].productions, member)) {
        lost_ = lost_ || !add_all(written_, member.system, count, next);
      } else {
        next[member] += count;
      }
    }
    now_ = std::move(next);
    return std::nullopt;
  }

  // A timed module through one step, as develop() of lives.h does it, the longest wait first.
  std::optional<Forecast> develop(const Member& first, double times, Population& next) {
    std::map<std::pair<double, Member>, double, std::greater<>> waiting;
    waiting[{dt_, first}] = times;
    double events = 0;
    while (!waiting.empty()) {
      const double elapsed = waiting.begin()->first.first, count = waiting.begin()->second;
      Member member = waiting.begin()->first.second;
      waiting.erase(waiting.begin());
      const std::int32_t life = p_.kinds[member.kind].lifetime;
      if (life < 0) {
        next[member] += count;
        continue;
      }
      const Result<double> lives = rewriter_.run(at(p_.lifetimes, life));
      if (!lives) {
        lost_ = true;
        return std::nullopt;
      }
      const double lifetime = *lives;
      const double age = member.parameters[0] + elapsed;
      member.parameters[0] = age;
      if (!(age >= lifetime - lifetime_slack)) {
        next[member] += count;
        continue;
      }
      member.parameters[0] = lifetime;
      double& clock = rewriter_.global(p_.time_global);
      const double step_end = clock;
      clock = event_time(step_end, std::max(0.0, age - lifetime));
      const bool applies = rewrite(p_.systems[member.system].productions, member);
      clock = step_end;
      if (!applies) {
        if (lost_) return std::nullopt;
        member.parameters[0] = age;
        next[member] += count;
        continue;
      }
      Population children;
      lost_ = lost_ || !add_all(written_, member.system, count, children);
      const double excess = std::max(0.0, age - lifetime);
      for (const auto& [child, number] : children) waiting[{excess, child}] += number;
      ++events;
      double length = settled_count_;
      for (const auto& [key2, number] : waiting) length += number;
      if (length > static_cast<double>(limits_.symbols)) {
        return Forecast{.step = done_ + 1, .amount = length, .exact = false};
      }
      if (!may_go_on()) return without_end(events, excess);
    }
    return std::nullopt;
  }

  // So many events took the first part of the step; all of it takes as many times more.
  std::optional<Forecast> without_end(double events, double left) const {
    if (lost_) return std::nullopt;
    const double all = left < dt_ ? events * dt_ / (dt_ - left) : 1e300;
    if (!(all * work_of_event > static_cast<double>(limits_.work))) return std::nullopt;
    return Forecast{.what = Forecast::What::events, .step = done_ + 1, .amount = all};
  }

  void decompose() {
    Population done;
    for (const auto& [start, times] : now_) {
      const RuleTable& table = p_.systems[start.system].decomposition;
      if (table.rules.empty()) {
        done[start] += times;
        continue;
      }
      Population level{{start, times}};
      const int depth = table.maximum_depth.value_or(limits_.recursion);
      for (int d = 0; d < depth && !level.empty() && may_go_on(); ++d) {
        Population deeper;
        for (const auto& [member, count] : level) {
          if (rewrite(table, member)) {
            lost_ = lost_ || !add_all(written_, member.system, count, deeper);
          } else {
            done[member] += count;
          }
        }
        level = std::move(deeper);
      }
      lost_ = lost_ || (!level.empty() && !table.maximum_depth);  // an error of its own
      for (const auto& [member, count] : level) done[member] += count;
    }
    now_ = std::move(done);
  }

  const Program& p_;
  const Limits& limits_;
  Rewriter rewriter_;
  std::array<bool, 256> settled_{};
  Population now_;
  double settled_count_ = 0;
  ModuleString written_;
  double done_ = 0, dt_ = 1;
  std::int32_t group_ = 0;
  int trials_ = 0;
  bool lost_ = false;  // an error, or a successor that cannot be counted
};

}  // namespace

std::optional<Forecast> forecast_by_values(const Program& p, const ModuleString& axiom,
                                           double steps, const std::vector<double>& globals,
                                           const Limits& limits) {
  constexpr std::size_t longest_axiom = 10000;
  if (chance_matters(p, settled_kinds(p)) || p.multi_module || p.cut != 256 || p.asks_turtle ||
      p.writes_globals || axiom.kinds.size() > longest_axiom) {
    return std::nullopt;
  }
  for (const LSystem& system : p.systems) {
    for (const Rule& rule : system.productions.rules) {
      if (rule.has_context()) return std::nullopt;
    }
  }
  return Census(p, globals, limits).run(axiom, steps);
}

}  // namespace thigmo
