#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/index.h"
#include "base/result.h"
#include "io/text/json_text.h"

// What readers of glTF share: the JSON of a file, numbers in it, and what refers to what.
namespace thigmo::gltf {

using Json = nlohmann::json;

// A glTF or GLB file, parsed. Its bytes must outlive it.
struct Document {
  ParsedJson json;          // an object
  std::string_view binary;  // the BIN chunk of a GLB; empty where there is none
  const Json& root() const { return json.root; }
};
Result<Document> read_document(std::string_view bytes, std::string_view file, Budget& budget);

// The same reason with more words in front, "accessor 3 " of "reaches beyond its buffer view".
template <class T>
Diagnostic blamed(const std::string& words, const Result<T>& failed) {
  Diagnostic reason = failed.diagnostics().front();
  reason.message = words + reason.message;
  return reason;
}

// As many numbers under a key as there is room for. False when they are something else; where there are
// none, `numbers` stay as they are.
bool read_numbers(const Json& object, const char* key, std::span<double> numbers);

// A whole number from 0 on under a key; `otherwise` where there is none, nothing where it is no such
// number.
std::optional<std::uint64_t> whole(const Json& object, const char* key,
                                   std::optional<std::uint64_t> otherwise = {});

// The text under a key, as it stands in the object; empty where there is none.
std::string_view text_of(const Json& object, const char* key);

// The list, or the object, under a key; null where it is none.
const Json* list(const Json& object, const char* key);
const Json* part(const Json& object, const char* key);

// An object of a list by its number; null where it is not there.
const Json* element(const Json& root, const char* key, std::optional<std::uint64_t> number);

// A number that names one of `count` things.
std::optional<Index> reference(const Json& value, std::size_t count);

}  // namespace thigmo::gltf
