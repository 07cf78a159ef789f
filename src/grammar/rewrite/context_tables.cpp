#include "grammar/rewrite/context_tables.h"

#include <array>

#include "base/index.h"

namespace thigmo {

StringView ContextTables::view(const Program& program, const ModuleString& string,
                               bool has_brackets) {
  StringView view{.kinds = string.kinds.data(),
                  .parameters = string.parameters.data(),
                  .size = string.kinds.size()};
  if (!program.uses_context) return view;
  ++generation_;
  if (paths_.size() != program.ignored.size()) {
    paths_ = std::vector<ContextPaths>(program.ignored.size());
  }
  if (!program.ring) view.tables = this;
  if (program.context_has_parameters) {
    find_parameters(program, string);
    view.parameter_at = parameter_at_.data();
  }
  if (has_brackets) {
    find_partners(program, string);
    view.partner = partner_.data();
  }
  return view;
}

void ContextTables::find_parameters(const Program& program, const ModuleString& string) {
  std::array<std::int32_t, 256> arity{};
  for (std::size_t k = 0; k < program.kinds.size(); ++k) arity[k] = program.kinds[k].arity;
  parameter_at_.resize(string.kinds.size());
  std::int32_t parameter = 0;
  for (std::size_t i = 0; i < string.kinds.size(); ++i) {
    parameter_at_[i] = parameter;
    parameter += arity[string.kinds[i]];
  }
}

void ContextTables::find_partners(const Program& program, const ModuleString& string) {
  const std::size_t n = string.kinds.size();
  partner_.resize(n);
  open_.clear();
  for (std::size_t i = 0; i < n; ++i) {
    const Kind kind = string.kinds[i];
    if (kind == program.open_bracket) {
      open_.push_back(static_cast<std::int32_t>(i));
      partner_[i] = static_cast<std::int32_t>(n);
    } else if (kind == program.close_bracket) {
      partner_[i] = -1;
      if (open_.empty()) continue;
      const std::int32_t begin = open_[open_.size() - 1];
      partner_[i] = begin;
      at(partner_, begin) = static_cast<std::int32_t>(i);
      open_.resize(open_.size() - 1);
    }
  }
}

namespace {

// One sweep each: what stands nearest is remembered, and for open branches what stood before them.
void make_paths(const Program& program, const StringView& string, const KindSet& ignored,
                Buffer<std::int32_t>& open, ContextPaths& paths) {
  paths.left.resize_for_writing(string.size);
  paths.right.resize_for_writing(string.size);
  open.clear();
  const auto close_branch = [&open] {
    if (open.empty()) return no_index;
    const std::int32_t nearest = open[open.size() - 1];
    open.resize(open.size() - 1);
    return nearest;
  };
  std::int32_t nearest = no_index;
  for (std::size_t i = 0; i < string.size; ++i) {
    paths.left[i] = nearest;
    const Kind kind = string.kinds[i];
    if (ignored[kind]) continue;
    if (kind == program.open_bracket) {
      open.push_back(nearest);
    } else {
      nearest = kind == program.close_bracket ? close_branch() : static_cast<std::int32_t>(i);
    }
  }
  open.clear();
  nearest = no_index;
  for (std::size_t i = string.size; i-- > 0;) {
    paths.right[i] = nearest;
    const Kind kind = string.kinds[i];
    if (ignored[kind]) continue;
    if (kind == program.close_bracket) {
      open.push_back(nearest);
      nearest = no_index;
    } else {
      nearest = kind == program.open_bracket ? close_branch() : static_cast<std::int32_t>(i);
    }
  }
}

}  // namespace

// For so many modules more; sets that this string has not asked for make way.
bool ContextTables::make_room(std::size_t modules) {
  constexpr std::size_t most_modules = 200'000'000;  // of all sets together: 1.6 GB
  if (held_ + modules <= most_modules) return true;
  if (full_ == generation_) return false;
  for (ContextPaths& made : paths_) {
    if (made.generation.load(std::memory_order_relaxed) == generation_) continue;
    held_ -= made.left.size();
    made.left = {};
    made.right = {};
  }
  if (held_ + modules <= most_modules) return true;
  full_ = generation_;
  return false;
}

const ContextPaths* ContextTables::paths(const Program& program, const StringView& string,
                                         std::int32_t ignore) {
  const auto set = as_size(ignore);
  ContextPaths& paths = paths_[set];
  if (paths.generation.load(std::memory_order_acquire) != generation_) {
    const std::lock_guard lock(making_);
    if (paths.generation.load(std::memory_order_relaxed) != generation_) {
      held_ -= paths.left.size();
      paths.left.clear();
      paths.right.clear();
      if (make_room(string.size)) make_paths(program, string, program.ignored[set], open_, paths);
      held_ += paths.left.size();
      paths.generation.store(generation_, std::memory_order_release);
    }
  }
  return paths.left.empty() ? nullptr : &paths;
}

}  // namespace thigmo
