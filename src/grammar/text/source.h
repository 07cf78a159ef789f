#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/diagnostic.h"
#include "base/result.h"

namespace thigmo {

// Gives the text of a file. Where `folder` is not empty the file must lie in it or below it, links
// followed: includes may not leave the model's folder. The core opens no files.
class ReadFile {
 public:
  ReadFile() = default;
  template <class Read>
  requires std::is_invocable_v<Read, std::string_view> ReadFile(Read read)
      : read_([read](std::string_view path, std::string_view) { return read(path); }) {}
  template <class Read>
  requires std::is_invocable_v<Read, std::string_view, std::string_view> ReadFile(Read read)
      : read_(read) {}

  explicit operator bool() const { return static_cast<bool>(read_); }
  Result<std::string> operator()(std::string_view path, std::string_view folder = {}) const {
    return read_(path, folder);
  }

 private:
  std::function<Result<std::string>(std::string_view path, std::string_view folder)> read_;
};

// Where a byte of the preprocessed text came from.
struct SourcePosition {
  std::int32_t file = 0;     // into Source::files
  std::uint32_t offset = 0;  // byte in that file
};

struct SourceFile {
  SourceFile(std::string file_name, std::string file_text);
  std::string name;
  std::string text;
  std::vector<std::uint32_t> line_starts;  // so that a place is found without reading up to it
};

// A model after its preprocessor lines: comments gone, macros replaced, includes inserted, one place
// per byte so that every later diagnostic points into the user's own file.
struct Source {
  std::vector<SourceFile> files;  // [0] is the model itself
  std::string text;
  std::vector<SourcePosition> places;  // one per byte of text
  std::vector<std::string> constants;  // names of object-like macros, in order of definition
  bool incomplete = false;             // some of the text is missing: errors behind it mean nothing
};

TextPosition position_in(const Source& source, SourcePosition place);
Diagnostic diagnostic_in(const Source& source, SourcePosition place, std::string message,
                         std::string hint = {});
Diagnostic diagnostic_in(const Source& source, std::size_t position, std::string message,
                         std::string hint = {});

// Runs #define (with and without arguments), #undef, #include, #ifdef, #ifndef, #if, #elif, #else,
// #endif, as the C preprocessor does. `overrides` replace the bodies of #define constants.
// Errors and warnings go to `diagnostics`; what could be read is returned all the same.
Source preprocess(std::string_view file, std::string_view text, const ReadFile& read_include,
                  const std::map<std::string, double>& overrides, Diagnostics& diagnostics);

bool is_name_start(char c);
bool is_name_part(char c);

}  // namespace thigmo
