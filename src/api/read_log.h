#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/calls.h"
#include "base/result.h"

namespace thigmo {

struct LoggedCall {
  Call call;
  std::string gives = {};  // names that the world gave
  std::size_t offset = 0;  // of its line in the log
};

// Reads a log call by call; what is none is refused with line and column. Whether a world takes the calls is not
// looked at. Text and name of the file must outlive it.
class LogReader {
 public:
  LogReader(std::string_view text, std::string_view file) : text_(text), file_(file) {}

  // First: the world that the log begins with, as bytes.
  struct World {
    std::string bytes;
    std::size_t offset = 0;  // of its line in the log
  };
  Result<World> read_world();
  // Then each call; nothing at the end.
  Result<std::optional<LoggedCall>> next();

  Diagnostic refused(std::size_t offset, std::string message, std::string hint = {}) const;

 private:
  friend class ArgumentReader;
  struct Line {
    std::string_view text;
    std::size_t offset = 0;
  };
  bool at_end() const { return at_ >= text_.size(); }
  Line next_line();
  Line next_call();
  Result<Done> read_data(const Line& of, std::string& bytes);

  std::string_view text_, file_;
  std::size_t at_ = 0;
};

// Whether all of a text is a log.
Result<Done> check_log(std::string_view text, std::string_view file);

}  // namespace thigmo
