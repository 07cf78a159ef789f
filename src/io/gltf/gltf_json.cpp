#include "io/gltf/gltf_json.h"

#include <cstring>

namespace thigmo::gltf {
namespace {

constexpr std::size_t header_bytes = 20;  // of a GLB, with the head of its first chunk

std::uint32_t word_at(std::string_view bytes, std::size_t offset) {
  std::uint32_t word = 0;
  std::memcpy(&word, bytes.data() + offset, sizeof word);
  return word;
}

bool is_glb(std::string_view bytes) { return bytes.starts_with("glTF"); }

// The JSON chunk of a GLB, or the whole text.
Result<std::string_view> json_text(std::string_view bytes, std::string_view file) {
  if (!is_glb(bytes)) return bytes;
  const auto failure = [file](const char* message) {
    return Diagnostic{.message = message, .file = std::string(file)};
  };
  if (bytes.size() < header_bytes || bytes.substr(16, 4) != "JSON" ||
      word_at(bytes, 8) > bytes.size() || word_at(bytes, 12) > bytes.size() - header_bytes)
    return failure("the GLB is shorter than it says: it is cut off");
  if (word_at(bytes, 4) != 2) return failure("this GLB is of another version than 2");
  return bytes.substr(header_bytes, word_at(bytes, 12));
}

// What lies behind the JSON chunk of a GLB.
std::string_view binary_chunk(std::string_view bytes) {
  if (!is_glb(bytes)) return {};
  const std::size_t head = header_bytes + word_at(bytes, 12);
  if (head + 8 > bytes.size() || bytes.substr(head + 4, 4) != std::string_view("BIN\0", 4))
    return {};
  return bytes.substr(head + 8, word_at(bytes, head));
}

}  // namespace

Result<Document> read_document(std::string_view bytes, std::string_view file, Budget& budget) {
  const Result<std::string_view> text = json_text(bytes, file);
  if (!text) return text.diagnostics();
  Result<ParsedJson> parsed = parse_json(*text, file, budget);
  if (!parsed) return parsed.diagnostics();
  if (!parsed->root.is_object())
    return Diagnostic{.message = "this is no glTF", .file = std::string(file)};
  return Document{.json = std::move(*parsed), .binary = binary_chunk(bytes)};
}

bool read_numbers(const Json& object, const char* key, std::span<double> numbers) {
  const auto found = object.find(key);
  if (found == object.end()) return true;
  if (!found->is_array() || found->size() != numbers.size()) return false;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (!(*found)[i].is_number()) return false;
    numbers[i] = (*found)[i].get<double>();
  }
  return true;
}

std::optional<std::uint64_t> whole(const Json& object, const char* key,
                                   std::optional<std::uint64_t> otherwise) {
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

std::string_view text_of(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string()
             ? std::string_view(found->get_ref<const std::string&>())
             : "";
}

const Json* list(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_array() ? &*found : nullptr;
}

const Json* part(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_object() ? &*found : nullptr;
}

const Json* element(const Json& root, const char* key, std::optional<std::uint64_t> number) {
  const Json* all = list(root, key);
  if (all == nullptr || !number || *number >= all->size()) return nullptr;
  const Json& found = (*all)[static_cast<std::size_t>(*number)];
  return found.is_object() ? &found : nullptr;
}

std::optional<Index> reference(const Json& value, std::size_t count) {
  if (!value.is_number_integer() || value < 0 || value >= count) return std::nullopt;
  return value.get<Index>();
}

}  // namespace thigmo::gltf
