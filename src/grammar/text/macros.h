#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "grammar/text/source.h"

namespace thigmo {

struct Macro {
  std::vector<std::string> arguments;
  bool takes_arguments = false;
  std::string body;
  bool open = false;  // it is being replaced: it does not replace itself
};

// Text and where it comes from: a place for each byte, or one for all.
struct Stretch {
  std::string_view text;
  const SourcePosition* places = nullptr;
  bool one_place = false;

  SourcePosition place(std::size_t i) const { return places[one_place ? 0 : i]; }
};

// Bytes with their places.
struct Span {
  std::string text;
  std::vector<SourcePosition> places;

  void add(char c, SourcePosition place) {
    text += c;
    places.push_back(place);
  }
  void add(std::string_view more, SourcePosition place) {
    text += more;
    places.resize(text.size(), place);
  }
  void add(const Stretch& from, std::size_t begin, std::size_t end) {
    if (from.one_place) return add(from.text.substr(begin, end - begin), from.places[0]);
    text += from.text.substr(begin, end - begin);
    places.insert(places.end(), from.places + begin, from.places + end);
  }
};
inline Stretch stretch_of(const Span& span) { return {span.text, span.places.data()}; }

// Without the blanks at both ends.
std::string_view trimmed(std::string_view text);

// The macros of a model, and what replacing them has cost.
struct Macros {
  std::map<std::string, Macro, std::less<>> by_name = {};
  std::size_t work = 0;  // bytes written or read for nothing
  int depth = 0;         // macros inside of macros
};

// Errors of a text that is read on behind them, up to a limit.
struct ErrorList {
  Diagnostics& diagnostics;
  int count = 0;

  bool full() const { return count >= 1000; }
  void add(Diagnostic error) {
    diagnostics.push_back(std::move(error));
    ++count;
  }
};

// Appends `in` with its macros replaced. Wrong numbers of arguments go to `errors`, and reading goes on;
// an error that is returned means that nothing more can be read.
Result<Done> expand(const Source& source, const Span& in, Macros& macros, ErrorList& errors,
                    Span& out);

}  // namespace thigmo
