#include "io/gltf/gltf_accessors.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "base/base64.h"
#include "io/gltf/gltf_check.h"

namespace thigmo::gltf {
namespace {

constexpr std::size_t most_elements = 400'000'000;

template <class T>
double value_at(const char* place) {
  T value{};
  std::memcpy(&value, place, sizeof value);
  return static_cast<double>(value);
}

// A normalized whole number is a part of the largest of its kind.
double number_at(const char* place, std::uint64_t type, bool fraction) {
  switch (type) {
    case 5120:
      return fraction ? std::max(value_at<std::int8_t>(place) / 127, -1.0)
                      : value_at<std::int8_t>(place);
    case 5121:
      return value_at<std::uint8_t>(place) / (fraction ? 255 : 1);
    case 5122:
      return fraction ? std::max(value_at<std::int16_t>(place) / 32767, -1.0)
                      : value_at<std::int16_t>(place);
    case 5123:
      return value_at<std::uint16_t>(place) / (fraction ? 65535 : 1);
    case 5125:
      return value_at<std::uint32_t>(place);
    default:
      return value_at<float>(place);
  }
}

// Where elements of so many bytes lie. The check has held them against their view, and the view against
// the length that its buffer says it has; only a buffer without bytes in this file is shorter.
struct Place {
  const char* first = nullptr;
  std::size_t stride = 0;
  const char* operator[](std::size_t element) const { return first + element * stride; }
};
std::optional<Place> place_of(const Json& root, const Buffers& buffers, const Json& from,
                              std::size_t bytes_each) {
  const Json* view = element(root, "bufferViews", whole(from, "bufferView"));
  if (view == nullptr) return std::nullopt;
  const auto start = whole(from, "byteOffset", 0), offset = whole(*view, "byteOffset", 0),
             buffer = whole(*view, "buffer"), length = whole(*view, "byteLength"),
             stride = whole(*view, "byteStride", bytes_each);
  if (!start || !offset || !buffer || !length || !stride || *buffer >= buffers.bytes.size())
    return std::nullopt;
  const std::string_view bytes = buffers.bytes[*buffer];
  if (*offset > bytes.size() || *length > bytes.size() - *offset) return std::nullopt;
  return Place{.first = bytes.data() + *offset + *start, .stride = *stride};
}

// One type of numbers, in elements of `size`.
struct Element {
  std::uint64_t type = 0;
  bool fraction = false;
  std::size_t size = 1;
  std::size_t width() const { return bytes_of_component(type); }
};

bool read_element(const Element& of, const char* place, std::size_t number, Column& column) {
  for (std::size_t j = 0; j < of.size; ++j) {
    const double value = number_at(place + j * of.width(), of.type, of.fraction);
    if (!std::isfinite(value)) return false;
    column.numbers[number * of.size + j] = value;
  }
  return true;
}

// Some elements stand elsewhere: their numbers, which ascend, and their values.
bool read_sparse(const Json& root, const Buffers& buffers, const Json& sparse, const Element& of,
                 Column& column) {
  const Json &indices = sparse["indices"], &values = sparse["values"];
  const Element number{.type = whole(indices, "componentType").value_or(0)};
  const std::optional<Place> numbers = place_of(root, buffers, indices, number.width()),
                             contents = place_of(root, buffers, values, of.width() * of.size);
  if (!numbers || !contents) return false;
  double before = -1;
  for (std::size_t k = 0; k < whole(sparse, "count").value_or(0); ++k) {
    const double index = number_at((*numbers)[k], number.type, false);
    if (!(index > before) || !(index < static_cast<double>(column.count))) return false;
    before = index;
    if (!read_element(of, (*contents)[k], static_cast<std::size_t>(index), column)) return false;
  }
  return true;
}

}  // namespace

Result<Buffers> read_buffers(const Document& document) {
  const Json* all = list(document.root(), "buffers");
  if (all == nullptr) return error("it has no buffers");
  Buffers buffers;
  for (const Json& buffer : *all) {
    if (!buffer.is_object()) return error("a buffer is no object");
    if (!buffer.contains("uri")) {
      // Only the first buffer of a GLB is its BIN chunk; others without a URI hold nothing.
      buffers.bytes.push_back(buffers.bytes.empty() ? document.binary : std::string_view());
      continue;
    }
    const std::string_view text = text_of(buffer, "uri");
    const std::size_t comma = text.find(";base64,");
    if (!text.starts_with("data:") || comma == std::string::npos)
      return error("it keeps its buffer in another file; save it as .glb");
    std::optional<std::string> bytes = bytes_from_base64(text.substr(comma + 8));
    if (!bytes) return error("its buffer is no base64");
    buffers.bytes.push_back(buffers.decoded.emplace_back(std::move(*bytes)));
  }
  return buffers;
}

std::optional<Column> read_column(const Json& root, const Buffers& buffers, const Json* accessor,
                                  std::size_t size) {
  constexpr std::array types{"", "SCALAR", "VEC2", "VEC3"};
  if (accessor == nullptr || text_of(*accessor, "type") != types[size]) return std::nullopt;
  const auto count = whole(*accessor, "count");
  const auto normalized = accessor->find("normalized");
  const Element of{.type = whole(*accessor, "componentType").value_or(0),
                   .fraction = normalized != accessor->end() && *normalized == true,
                   .size = size};
  if (!count || *count > most_elements || of.width() == 0) return std::nullopt;
  // Without a view all numbers are zero.
  Column column{.count = *count, .numbers = std::vector<double>(*count * size, 0.0)};
  if (accessor->contains("bufferView")) {
    const std::optional<Place> place = place_of(root, buffers, *accessor, of.width() * size);
    if (!place) return std::nullopt;
    for (std::size_t k = 0; k < column.count; ++k) {
      if (!read_element(of, (*place)[k], k, column)) return std::nullopt;
    }
  }
  const Json* sparse = part(*accessor, "sparse");
  if (sparse != nullptr && !read_sparse(root, buffers, *sparse, of, column)) return std::nullopt;
  return column;
}

}  // namespace thigmo::gltf
