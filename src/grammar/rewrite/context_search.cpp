#include "grammar/rewrite/context_search.h"

#include <algorithm>

#include "base/index.h"

namespace thigmo {

namespace {

// A search that has passed so many modules asks the tables; a table costs about as much as it saves.
constexpr int hops_before_tables = 32;

// What every walk needs: the rule, and where the parameters it finds go.
struct Search {
  const Program& program;
  const Rule& rule;
  const KindSet& ignored;
  double* frame;
  std::int64_t& work_left;
};

void bind(const Search& search, const PatternItem& item, const double* values) {
  const int arity = search.program.kinds[item.kind].arity;
  for (int p = 0; p < arity; ++p) search.frame[item.slot + p] = values[p];
}

// A walk goes from module to module, away from the one that is rewritten. To the left a ] begins a
// branch beside the path, and [ leads down to what carries this branch. To the right a [ begins a
// branch, and ] is the end of this one.
//
//   next(item)     moves on; false at the end
//   kind()         of the module it stands on
//   pass_branch()  from the bracket where a branch begins to its other end; false when it has none
//   pass_rest()    to the end of this branch, for = in a pattern
//   found(item)    takes the parameters

// In the string as it was, to either side.
struct WalkOld {
  static constexpr bool can_pass_rest = true;
  const Search& search;
  const StringView& string;
  std::int64_t at = 0;
  std::int64_t passed = 0;
  int hops = 0;

  Kind kind() const { return string.kinds[at]; }
  std::int64_t size() const { return static_cast<std::int64_t>(string.size); }
  void begin() { hops = 0; }
  // The tables that the next hop asks; null where it goes to the neighbour.
  const ContextPaths* hop(const PatternItem& item) {
    --search.work_left;
    const bool asks = hops++ == hops_before_tables && item.type == PatternItem::Type::module &&
                      string.tables != nullptr;
    return asks ? string.tables->paths(search.program, string, search.rule.ignore) : nullptr;
  }
  void found(const PatternItem& item) const {
    if (string.parameter_at != nullptr) {
      bind(search, item, string.parameters + string.parameter_at[at]);
    }
  }
};

struct WalkLeft : WalkOld {
  static constexpr bool to_left = true;

  bool next(const PatternItem& item) {
    const ContextPaths* paths = hop(item);
    at = paths != nullptr ? paths->left[static_cast<std::size_t>(at)] : at - 1;
    if (at < 0) {
      if (!search.program.ring) return false;
      at = size() - 1;
    }
    return ++passed <= size();
  }
  bool pass_branch() {
    at = string.partner[at];
    return at >= 0;
  }
  void pass_rest() {
    while (at > 0 && string.kinds[at - 1] != search.program.open_bracket) {
      --at;
      --search.work_left;
      if (kind() == search.program.close_bracket) at = std::max(0, string.partner[at]);
    }
  }
};

struct WalkRight : WalkOld {
  static constexpr bool to_left = false;

  bool next(const PatternItem& item) {
    const ContextPaths* paths = hop(item);
    at = paths != nullptr ? paths->right[static_cast<std::size_t>(at)] : at + 1;
    if (paths != nullptr && at < 0) return false;
    if (at >= size()) {
      if (!search.program.ring) return false;
      at = 0;
    }
    return ++passed <= size();
  }
  bool pass_branch() {
    at = string.partner[at];
    return at < size();
  }
  void pass_rest() {
    while (at + 1 < size() && string.kinds[at + 1] != search.program.close_bracket) {
      ++at;
      --search.work_left;
      if (kind() == search.program.open_bracket) {
        at = std::min<std::int64_t>(size() - 1, string.partner[at]);
      }
    }
  }
};

// To the left, in the output of this step, which ends at the place of the module.
struct WalkNewLeft {
  static constexpr bool to_left = true, can_pass_rest = false;
  const Search& search;
  const ModuleString& string;
  std::size_t at = string.kinds.size();
  std::size_t parameter = string.parameters.size();

  Kind kind() const { return string.kinds[at]; }
  void begin() {}
  bool next(const PatternItem&) { return back(); }
  bool back() {
    if (at == 0) return false;
    --at;
    --search.work_left;
    parameter -= static_cast<std::size_t>(search.program.kinds[kind()].arity);
    return true;
  }
  bool pass_branch() {
    for (int depth = 1; depth > 0;) {
      if (!back()) return false;
      if (kind() == search.program.close_bracket) ++depth;
      if (kind() == search.program.open_bracket) --depth;
    }
    return true;
  }
  void pass_rest() {}
  void found(const PatternItem& item) const {
    bind(search, item, string.parameters.data() + parameter);
  }
};

// To the right, in what this step has written from the right.
struct WalkNewRight {
  static constexpr bool to_left = false, can_pass_rest = false;
  const Search& search;
  const WrittenFromRight& written;
  std::size_t piece = written.pieces.size();
  std::size_t behind = 0, piece_end = 0;  // the module after this one, and the end of its piece
  std::size_t own_parameter = 0, next_parameter = 0;

  Kind kind() const { return written.modules.kinds[behind - 1]; }
  void begin() {}
  bool next(const PatternItem&) { return forward(); }
  bool forward() {
    if (behind == piece_end) {
      if (piece == 0) return false;
      --piece;
      behind = written.pieces[piece].module;
      next_parameter = written.pieces[piece].parameter;
      piece_end = piece + 1 < written.pieces.size() ? written.pieces[piece + 1].module
                                                    : written.modules.kinds.size();
    }
    --search.work_left;
    ++behind;
    own_parameter = next_parameter;
    next_parameter += static_cast<std::size_t>(search.program.kinds[kind()].arity);
    return true;
  }
  bool pass_branch() {
    for (int depth = 1; depth > 0;) {
      if (!forward()) return false;
      if (kind() == search.program.open_bracket) ++depth;
      if (kind() == search.program.close_bracket) --depth;
    }
    return true;
  }
  void pass_rest() {}
  void found(const PatternItem& item) const {
    bind(search, item, written.modules.parameters.data() + own_parameter);
  }
};

// Does the walk meet the pattern, one item after the other? Ignored modules are passed, and so are
// branches, unless the pattern has the bracket where they begin.
template <class Walk>
bool meets(const Search& search, const std::vector<PatternItem>& pattern, Walk walk) {
  using Type = PatternItem::Type;
  const Kind enters = Walk::to_left ? search.program.close_bracket : search.program.open_bracket;
  const Kind leaves = Walk::to_left ? search.program.open_bracket : search.program.close_bracket;
  constexpr Type entering = Walk::to_left ? Type::close : Type::open;
  constexpr Type leaving = Walk::to_left ? Type::open : Type::close;
  for (const PatternItem& item : pattern) {
    if (Walk::can_pass_rest && item.type == Type::rest_of_branch) {
      walk.pass_rest();
      continue;
    }
    walk.begin();
    while (true) {
      if (!walk.next(item)) return false;
      const Kind kind = walk.kind();
      if (kind == enters) {
        if (item.type == entering) break;
        if (!search.ignored[kind] && !walk.pass_branch()) return false;
      } else if (kind == leaves) {
        if (item.type == leaving) break;
        const bool stops = Walk::to_left ? item.type == entering : true;
        if (stops && !search.ignored[kind]) return false;
      } else if (!search.ignored[kind]) {
        if (item.type != Type::module || kind != item.kind) return false;
        walk.found(item);
        break;
      }
    }
  }
  return true;
}

}  // namespace

void drop_until(WrittenFromRight& written, std::size_t parent) {
  while (!written.pieces.empty() && written.pieces.back().parent < parent) {
    const WrittenFromRight::Piece& piece = written.pieces.back();
    shorten(written.modules, piece.module, piece.parameter);
    written.pieces.pop_back();
  }
}

bool contexts_match(const Program& program, const Rule& rule, std::size_t index,
                    const Surroundings& around, double* frame, std::int64_t& work_left) {
  const Search search{program, rule, at(program.ignored, rule.ignore), frame, work_left};
  if (!rule.left.empty()) {
    const bool found =
        rule.left_new ? around.new_left != nullptr &&
                            meets(search, rule.left, WalkNewLeft{search, *around.new_left})
                      : meets(search, rule.left,
                              WalkLeft{{search, around.string, static_cast<std::int64_t>(index)}});
    if (!found) return false;
  }
  if (rule.right.empty()) return true;
  if (rule.right_new) {
    return around.new_right != nullptr &&
           meets(search, rule.right, WalkNewRight{search, *around.new_right});
  }
  const auto last = static_cast<std::int64_t>(index + rule.strict.size()) - 1;
  return meets(search, rule.right, WalkRight{{search, around.string, last}});
}

}  // namespace thigmo
