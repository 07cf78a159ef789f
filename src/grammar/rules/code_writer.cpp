#include "grammar/rules/code_writer.h"

namespace thigmo {

namespace {

int find_in(const std::map<std::string, std::int32_t>& all, const std::string& name) {
  const auto found = all.find(name);
  return found == all.end() ? -1 : found->second;
}

SourcePosition place_at(const CodeWriter& w, std::size_t position) {
  const std::vector<SourcePosition>& places = w.program.source.places;
  return places.empty() ? SourcePosition{}
                        : places[position < places.size() ? position : places.size() - 1];
}

}  // namespace

int find_global(const CodeWriter& w, const std::string& name) {
  return find_in(w.program.global_of, name);
}
int find_array(const CodeWriter& w, const std::string& name) {
  return find_in(w.program.array_of, name);
}
int find_curve(const CodeWriter& w, const std::string& name) {
  return find_in(w.program.curve_of, name);
}

int make_global(CodeWriter& w, const std::string& name, double value) {
  const int found = find_global(w, name);
  if (found >= 0) return found;
  const auto index = static_cast<int>(w.program.global_values.size());
  w.program.global_of[name] = index;
  w.program.global_values.push_back(value);
  return index;
}

void emit(CodeWriter& w, OpCode code, std::size_t position, int index, double value) {
  w.program.ops.push_back({code, index, value, place_at(w, position)});
}

int emit_jump(CodeWriter& w, OpCode code, std::size_t position) {
  emit(w, code, position);
  return next_op(w) - 1;
}

void emit_binary(CodeWriter& w, OpCode code, std::size_t position) {
  --w.depth;
  auto& ops = w.program.ops;
  const bool both_known = ops.size() >= w.fold_from + 2;
  if (both_known && ops[ops.size() - 1].code == OpCode::constant &&
      ops[ops.size() - 2].code == OpCode::constant) {
    // Run the operation now: the same instruction, the same rounding.
    emit(w, code, position);
    Machine machine{.ops = &ops, .work_left = 8, .stack = std::vector<double>(4)};
    const auto end = static_cast<std::int32_t>(ops.size());
    double none = 0;
    const double value = *execute(machine, {end - 3, end}, &none);
    ops.resize(ops.size() - 3);
    emit(w, OpCode::constant, position, 0, value);
    return;
  }
  if (both_known && (code == OpCode::multiply || code == OpCode::add || code == OpCode::subtract)) {
    Op& a = ops[ops.size() - 2];
    const Op b = ops.back();
    const OpCode fused =
        code == OpCode::multiply ? OpCode::local_times_constant : OpCode::local_plus_constant;
    const double sign = code == OpCode::subtract ? -1.0 : 1.0;
    if (a.code == OpCode::local && b.code == OpCode::constant) {
      a.code = fused;
      a.value = sign * b.value;
      ops.pop_back();
      return;
    }
    if (code != OpCode::subtract && a.code == OpCode::constant && b.code == OpCode::local) {
      a.code = fused;
      a.index = b.index;
      ops.pop_back();
      return;
    }
  }
  emit(w, code, position);
}

}  // namespace thigmo
