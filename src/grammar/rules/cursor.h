#pragma once

#include <string>
#include <string_view>

#include "grammar/text/source.h"

namespace thigmo {

// A place in the preprocessed text, with the end of what may be read.
struct Cursor {
  const std::string* text = nullptr;
  std::size_t position = 0;
  std::size_t end = 0;

  void skip_space() {
    while (position < end && static_cast<unsigned char>((*text)[position]) <= ' ') ++position;
  }
  bool at_end() {
    skip_space();
    return position >= end;
  }
  char peek(std::size_t ahead = 0) const {
    return position + ahead < end ? (*text)[position + ahead] : '\0';
  }
  bool take(std::string_view word) {
    skip_space();
    if (text->compare(position, word.size(), word) != 0 || position + word.size() > end) {
      return false;
    }
    position += word.size();
    return true;
  }
};

// The name that stands here, and moves behind it; "" when there is none.
inline std::string read_name(Cursor& cursor) {
  cursor.skip_space();
  std::size_t length = 0;
  if (is_name_start(cursor.peek())) {
    while (is_name_part(cursor.peek(length))) ++length;
  }
  std::string found = cursor.text->substr(cursor.position, length);
  cursor.position += length;
  return found;
}

}  // namespace thigmo
