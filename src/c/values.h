#pragma once

#include <string>

#include "thigmo/c.h"
#include "thigmo/world.h"

// The same values in C and in C++. What C++ takes for nothing has zeros alone in C, so that numbers are one more there.

namespace thigmo {

// Null is an empty text.
inline std::string text_of(const char* text) { return text == nullptr ? std::string() : text; }

inline Numbers3 numbers_of(const thigmo_vec3& v) { return {v.x, v.y, v.z}; }
inline Numbers4 numbers_of(const thigmo_quat& q) { return {q.w, q.x, q.y, q.z}; }
inline thigmo_vec3 c_of(const Numbers3& v) { return {v[0], v[1], v[2]}; }

inline PlantId id_of(thigmo_plant id) { return {id.slot - 1, id.generation}; }
inline SegmentId id_of(thigmo_segment id) { return {id.number - 1, id.birth}; }
inline GrabId id_of(thigmo_grab id) { return {id.number - 1}; }
inline ForceId id_of(thigmo_force id) { return {id.number - 1}; }
inline thigmo_plant c_of(PlantId id) { return {id.slot + 1, id.generation}; }
inline thigmo_segment c_of(SegmentId id) { return {id.number + 1, id.birth}; }
inline thigmo_grab c_of(GrabId id) { return {id.number + 1}; }
inline thigmo_force c_of(ForceId id) { return {id.number + 1}; }

inline Placing placing_of(const thigmo_placing& p) {
  return {.position = numbers_of(p.position), .turn = p.turn};
}
inline Transform transform_of(const thigmo_transform& t) {
  return {.position = numbers_of(t.position), .rotation = numbers_of(t.rotation)};
}

inline thigmo_split c_of(const Split& split) {
  return {.lower = c_of(split.lower), .upper = c_of(split.upper), .along = split.along};
}

thigmo_code code_of(const Diagnostic& said);

inline thigmo_diagnostic c_of(const Diagnostic& said) {
  return {.severity = static_cast<std::int32_t>(said.severity),
          .code = said.severity == Severity::error ? code_of(said) : THIGMO_OK,
          .message = said.message.c_str(),
          .file = said.file.c_str(),
          .line = said.line,
          .column = said.column,
          .source_line = said.source_line.c_str(),
          .source_start = said.source_start,
          .hint = said.hint.c_str()};
}

}  // namespace thigmo
