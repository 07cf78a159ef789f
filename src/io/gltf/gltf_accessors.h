#pragma once

#include <deque>
#include <vector>

#include "io/gltf/gltf_json.h"

namespace thigmo::gltf {

// The bytes of a file's buffers: its BIN chunk, or data: URIs.
struct Buffers {
  std::vector<std::string_view> bytes;  // of each buffer
  std::deque<std::string> decoded;      // what some of them look at
};
Result<Buffers> read_buffers(const Document& document);

// The numbers of an accessor, `size` for each of its elements.
struct Column {
  std::size_t count = 0;
  std::vector<double> numbers;
};
// Of a document that check_document has passed. None when the accessor has another type, or its numbers
// are not all there and finite.
std::optional<Column> read_column(const Json& root, const Buffers& buffers, const Json* accessor,
                                  std::size_t size);

}  // namespace thigmo::gltf
