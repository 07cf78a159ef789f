#include "api/read_log.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <optional>

#include "api/call_log.h"
#include "base/base64.h"
#include "base/text.h"

namespace thigmo {
namespace {

std::optional<std::uint64_t> whole_number(std::string_view text, int base = 10) {
  std::uint64_t value = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (failed != std::errc() || end != text.data() + text.size() || text.empty()) return {};
  return value;
}
std::optional<std::uint32_t> short_number(std::string_view text) {
  const std::optional<std::uint64_t> value = whole_number(text);
  if (!value || *value > UINT32_MAX) return {};
  return static_cast<std::uint32_t>(*value);
}

// What is before a character, which is taken away with it; all where there is none.
std::string_view take_to(char c, std::string_view& text) {
  const std::size_t at = std::min(text.find(c), text.size());
  const std::string_view before = text.substr(0, at);
  text.remove_prefix(std::min(at + 1, text.size()));
  return before;
}

template <class Id>
std::optional<Id> two_part_id(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return {};
  const auto first = short_number(text.substr(0, colon)),
             second = short_number(text.substr(colon + 1));
  if (!first || !second) return {};
  return Id{*first, *second};
}

template <std::size_t Count>
std::optional<std::array<double, Count>> numbers_of_text(std::string_view text) {
  std::array<double, Count> values{};
  for (std::size_t i = 0; i < Count; ++i) {
    if (i + 1 < Count && text.find(',') == std::string_view::npos) return {};
    const std::optional<double> value = number_from_text(i + 1 < Count ? take_to(',', text) : text);
    if (!value) return {};
    values[i] = *value;
  }
  return values;
}

bool parse(std::string_view text, double& value) {
  const std::optional<double> number = number_from_text(text);
  if (number) value = *number;
  return number.has_value();
}
bool parse(std::string_view text, std::uint64_t& value) {
  const std::optional<std::uint64_t> number = whole_number(text);
  if (number) value = *number;
  return number.has_value();
}
bool parse(std::string_view text, bool& value) {
  value = text == "true";
  return value || text == "false";
}
bool parse(std::string_view text, PlantId& id) {
  const std::optional<PlantId> found = two_part_id<PlantId>(text);
  if (found) id = *found;
  return found.has_value();
}
bool parse(std::string_view text, SegmentId& id) {
  const std::optional<SegmentId> found = two_part_id<SegmentId>(text);
  if (found) id = *found;
  return found.has_value();
}
template <class Id>
requires std::is_same_v<Id, ForceId> || std::is_same_v<Id, GrabId>
bool parse(std::string_view text, Id& id) {
  const std::optional<std::uint32_t> number = short_number(text);
  if (number) id.number = *number;
  return number.has_value();
}
bool parse(std::string_view text, GraftRest& rest) {
  rest = text == "as_before" ? GraftRest::as_before : GraftRest::as_it_is;
  return text == "as_before" || text == "as_it_is";
}
template <std::size_t Count>
bool parse(std::string_view text, std::array<double, Count>& values) {
  const auto numbers = numbers_of_text<Count>(text);
  if (numbers) values = *numbers;
  return numbers.has_value();
}
bool parse(std::string_view text, std::vector<Placing>& places) {
  while (!text.empty()) {
    const auto numbers = numbers_of_text<4>(take_to(';', text));
    if (!numbers) return false;
    const auto& [x, y, z, turn] = *numbers;
    places.push_back({.position = {x, y, z}, .turn = turn});
  }
  return true;
}

constexpr std::size_t most_named_segments = 10'000'000;  // of one call

// Names, and runs of them: 3:0,5-9:0.
bool parse(std::string_view text, std::vector<SegmentId>& ids) {
  while (!text.empty()) {
    std::string_view run = take_to(',', text);
    std::optional<std::uint32_t> first;
    if (const std::size_t dash = run.find('-'); dash != std::string_view::npos) {
      first = short_number(run.substr(0, dash));
      if (!first) return false;
      run.remove_prefix(dash + 1);
    }
    const std::optional<SegmentId> last = two_part_id<SegmentId>(run);
    if (!last || first.value_or(last->number) > last->number) return false;
    const std::uint32_t begin = first.value_or(last->number);
    if (ids.size() + (last->number - begin) >= most_named_segments) return false;
    for (std::uint32_t i = begin;; ++i) {
      ids.push_back({.number = i, .birth = last->birth});
      if (i == last->number) break;
    }
  }
  return true;
}
bool parse(std::string_view text, std::string& value) {
  if (text.size() < 2 || text.front() != '"' || text.back() != '"') return false;
  text = text.substr(1, text.size() - 2);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      value += text[i];
      continue;
    }
    const std::string_view digits = text.substr(i + 1, 2);
    const std::optional<std::uint64_t> byte = whole_number(digits, 16);
    if (digits.size() != 2 || !byte) return false;
    value += static_cast<char>(*byte);
    i += 2;
  }
  return true;
}

}  // namespace

// Reads arguments in the order in which they are written.
class ArgumentReader {
 public:
  using Word = LogReader::Line;

  ArgumentReader(LogReader& log, const Word& line, std::size_t at)
      : log_(log), line_(line), at_(at) {}

  template <class Value>
  void operator()(const char* key, Value& value) {
    const std::optional<Word> word = argument(key);
    if (word && !parse(word->text, value)) refuse_value(key, *word);
  }
  void hash(const char* key, std::uint64_t& value) {
    const std::optional<Word> word = argument(key);
    if (!word) return;
    const std::optional<std::uint64_t> number = whole_number(word->text, 16);
    if (!number) return refuse_value(key, *word);
    value = *number;
  }
  void data(std::string& bytes) {
    wants_data_ = true;
    bytes_ = &bytes;
  }

  // What the call gave, the end of the line, and bytes behind it.
  Result<Done> finish(std::string& gives) {
    if (problem_) return *problem_;
    if (line_.text.substr(at_).starts_with(" gives=")) {
      const std::optional<Word> word = argument("gives");
      if (word) gives = word->text;
    }
    if (at_ < line_.text.size()) {
      return log_.refused(line_.offset + at_, "there is more in this line than the call takes");
    }
    return wants_data_ ? log_.read_data(line_, *bytes_) : Done{};
  }

 private:
  // The value of the next argument, which has this key.
  std::optional<Word> argument(std::string_view key) {
    if (problem_) return {};
    const std::string_view rest = line_.text.substr(at_);
    if (!rest.starts_with(' ') || !rest.substr(1).starts_with(key) ||
        !rest.substr(1 + key.size()).starts_with('=')) {
      problem_ = log_.refused(line_.offset + at_, fmt::format("'{}' is missing here", key),
                              fmt::format("the next argument is {}=…", key));
      return {};
    }
    const std::size_t start = key.size() + 2;
    std::size_t end = rest.find(' ', start);
    if (rest.substr(start).starts_with('"')) end = rest.find('"', start + 1);
    if (end != std::string_view::npos && rest[end] == '"') ++end;
    const Word word{rest.substr(start, std::min(end, rest.size()) - start),
                    line_.offset + at_ + start};
    at_ += start + word.text.size();
    return word;
  }
  void refuse_value(std::string_view key, const Word& word) {
    problem_ = log_.refused(word.offset,
                            shortened(fmt::format("'{}' is no value of '{}'", word.text, key)));
  }

  LogReader& log_;
  Word line_;
  std::size_t at_;
  std::optional<Diagnostic> problem_;
  bool wants_data_ = false;
  std::string* bytes_ = nullptr;
};

namespace {

// The call of a name, made anew; none has that name.
template <std::size_t Kind = 0>
std::optional<Call> call_of_name(std::string_view name) {
  if constexpr (Kind == std::variant_size_v<Call>) {
    return {};
  } else {
    using This = std::variant_alternative_t<Kind, Call>;
    return name == This::name ? Call(This{}) : call_of_name<Kind + 1>(name);
  }
}

}  // namespace

Diagnostic LogReader::refused(std::size_t offset, std::string message, std::string hint) const {
  return diagnostic_at(file_, text_, offset, std::move(message), std::move(hint));
}

LogReader::Line LogReader::next_line() {
  const std::size_t start = std::min(at_, text_.size());
  const std::size_t end = std::min(text_.find('\n', start), text_.size());
  at_ = end + 1;
  std::string_view line = text_.substr(start, end - start);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return {line, start};
}

// Past remarks and empty lines; empty at the end.
LogReader::Line LogReader::next_call() {
  while (!at_end()) {
    const Line line = next_line();
    if (!line.text.empty() && line.text.front() != '#') return line;
  }
  return {{}, text_.size()};
}

// The lines of bytes behind a line.
Result<Done> LogReader::read_data(const Line& of, std::string& bytes) {
  std::string letters;
  while (!at_end() && text_[at_] == ' ') letters += next_line().text.substr(1);
  std::optional<std::string> decoded = bytes_from_base64(letters);
  if (!decoded || decoded->empty()) {
    return refused(of.offset, decoded ? "the bytes of this line are missing"
                                      : "the bytes behind this line are no base64");
  }
  bytes = std::move(*decoded);
  return Done{};
}

Result<LogReader::World> LogReader::read_world() {
  const Line head = next_line();
  if (head.text != log_head) {
    return refused(head.offset, "this is not a log of a world",
                   fmt::format("a log begins with \"{}\"", log_head));
  }
  const Line line = next_call();
  if (line.text != "world") {
    return refused(line.offset, "the world that the log begins with is missing",
                   "\"world\" and its bytes come before all calls");
  }
  World world{.bytes = {}, .offset = line.offset};
  if (const Result<Done> done = read_data(line, world.bytes); !done) return done.diagnostics();
  return world;
}

Result<std::optional<LoggedCall>> LogReader::next() {
  const Line line = next_call();
  if (line.text.empty()) return std::optional<LoggedCall>();
  const std::string_view name = line.text.substr(0, line.text.find(' '));
  std::optional<Call> call = call_of_name(name);
  if (!call) {
    return refused(line.offset, shortened(fmt::format("there is no call '{}'", name)),
                   "this log may be of another version of thigmo");
  }
  LoggedCall logged{.call = std::move(*call), .offset = line.offset};
  ArgumentReader reader(*this, line, name.size());
  std::visit([&](auto& known) { known.visit(reader, known); }, logged.call);
  if (const Result<Done> done = reader.finish(logged.gives); !done) return done.diagnostics();
  return std::optional(std::move(logged));
}

Result<Done> check_log(std::string_view text, std::string_view file) {
  LogReader reader(text, file);
  if (const auto world = reader.read_world(); !world) return world.diagnostics();
  while (true) {
    const Result<std::optional<LoggedCall>> call = reader.next();
    if (!call) return call.diagnostics();
    if (!*call) return Done{};
  }
}

}  // namespace thigmo
