#pragma once

#include <array>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string_view>

#include "base/index.h"
#include "base/result.h"
#include "io/json_text.h"
#include "math/rotation.h"

// What readers of glTF share: the JSON of a file, its nodes and their places.
namespace thigmo::gltf {

using Json = nlohmann::json;

inline std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// The JSON chunk of a GLB, or the whole text.
inline std::optional<std::string_view> json_chunk(std::string_view bytes) {
  if (bytes.substr(0, 4) != "glTF") return bytes;
  if (bytes.size() < 20 || bytes.substr(16, 4) != "JSON") return std::nullopt;
  std::uint32_t whole = 0, length = 0;
  std::memcpy(&whole, bytes.data() + 8, 4);
  std::memcpy(&length, bytes.data() + 12, 4);
  if (whole > bytes.size() || length > bytes.size() - 20) return std::nullopt;
  return bytes.substr(20, length);
}

// The JSON of a glTF or GLB file, which is an object.
inline Result<ParsedJson> read_root(std::string_view bytes, std::string_view file, Budget& budget) {
  const auto failure = [file](const char* message) {
    return Diagnostic{.message = message, .file = std::string(file)};
  };
  const std::optional<std::string_view> text = json_chunk(bytes);
  if (!text) return failure("the GLB is shorter than it says: it is cut off");
  if (text->size() < bytes.size() && bytes.substr(4, 4) != std::string_view("\2\0\0\0", 4))
    return failure("this GLB is of another version than 2");
  Result<ParsedJson> parsed = parse_json(*text, file, budget);
  if (parsed && !parsed->root.is_object()) return failure("this is no glTF");
  return parsed;
}

// x -> linear x + offset; linear carries scale too.
struct Transform {
  Mat3 linear{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  Vec3 offset;
};

inline Transform combine(const Transform& a, const Transform& b) {
  return {.linear = a.linear * b.linear, .offset = a.linear * b.offset + a.offset};
}

// `count` finite numbers under a key; none when they are something else, nothing when missing.
inline bool read_numbers(const Json& node, const char* key, std::span<double> numbers) {
  const auto found = node.find(key);
  if (found == node.end()) return true;
  if (!found->is_array() || found->size() != numbers.size()) return false;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (!(*found)[i].is_number()) return false;
    numbers[i] = (*found)[i].get<double>();
  }
  return true;
}

inline std::optional<Transform> local_transform(const Json& node) {
  std::array<double, 16> m{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  if (node.contains("matrix")) {
    if (!read_numbers(node, "matrix", m)) return std::nullopt;
    return Transform{.linear = {{m[0], m[4], m[8]}, {m[1], m[5], m[9]}, {m[2], m[6], m[10]}},
                     .offset = {m[12], m[13], m[14]}};
  }
  std::array<double, 3> t{0, 0, 0}, s{1, 1, 1};
  std::array<double, 4> r{0, 0, 0, 1};
  if (!read_numbers(node, "translation", t) || !read_numbers(node, "scale", s) ||
      !read_numbers(node, "rotation", r))
    return std::nullopt;
  const double norm = r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3];
  if (!(norm > 1e-12)) return std::nullopt;
  const Mat3 turn = matrix(normalized(Quat{r[3], r[0], r[1], r[2]}));
  const Vec3 sizes{s[0], s[1], s[2]};
  return Transform{
      .linear = {scale(turn.row_x, sizes), scale(turn.row_y, sizes), scale(turn.row_z, sizes)},
      .offset = {t[0], t[1], t[2]}};
}

// A whole number from 0 on under a key; `otherwise` where there is none, nothing where it is no such number.
inline std::optional<std::uint64_t> whole(const Json& object, const char* key,
                                          std::optional<std::uint64_t> otherwise = {}) {
  const auto found = object.find(key);
  if (found == object.end()) return otherwise;
  if (found->is_number_unsigned()) return found->get<std::uint64_t>();
  // Some writers give whole numbers a fraction of zero.
  if (!found->is_number_float()) return std::nullopt;
  const double number = found->get<double>();
  const bool good = number >= 0 && number < 9e15 &&
                    number == static_cast<double>(static_cast<std::uint64_t>(number));
  return good ? std::optional(static_cast<std::uint64_t>(number)) : std::nullopt;
}

inline const Json* list(const Json& root, const char* key) {
  const auto found = root.find(key);
  return found != root.end() && found->is_array() ? &*found : nullptr;
}

// An object of a list by its number; null where it is not there.
inline const Json* element(const Json& root, const char* key, std::optional<std::uint64_t> number) {
  const Json* all = list(root, key);
  if (all == nullptr || !number || *number >= all->size()) return nullptr;
  const Json& found = (*all)[static_cast<std::size_t>(*number)];
  return found.is_object() ? &found : nullptr;
}

// A number that names one of `count` things.
inline std::optional<Index> reference(const Json& value, std::size_t count) {
  if (!value.is_number_integer() || value < 0 || value >= count) return std::nullopt;
  return value.get<Index>();
}

}  // namespace thigmo::gltf
