#include "grammar/text/source.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "base/nesting.h"
#include "base/text.h"
#include "grammar/text/if_condition.h"
#include "grammar/text/macros.h"

namespace thigmo {

bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_name_part(char c) { return is_name_start(c) || (c >= '0' && c <= '9'); }

SourceFile::SourceFile(std::string file_name, std::string file_text)
    : name(std::move(file_name)), text(std::move(file_text)), line_starts(1, 0) {
  for (std::size_t i = text.find('\n'); i != std::string::npos; i = text.find('\n', i + 1)) {
    line_starts.push_back(static_cast<std::uint32_t>(i + 1));
  }
}

TextPosition position_in(const Source& source, SourcePosition place) {
  const SourceFile& file = at(source.files, place.file);
  const auto offset = std::min<std::size_t>(place.offset, file.text.size());
  const auto behind = std::upper_bound(file.line_starts.begin(), file.line_starts.end(), offset);
  return {.line = static_cast<int>(behind - file.line_starts.begin()),
          .column = static_cast<int>(offset - *(behind - 1)) + 1};
}

Diagnostic diagnostic_in(const Source& source, SourcePosition place, std::string message,
                         std::string hint) {
  const SourceFile& file = at(source.files, place.file);
  const TextPosition position = position_in(source, place);
  const auto line = static_cast<std::size_t>(position.line);
  const std::size_t begin = file.line_starts[line - 1];
  const std::size_t end =
      line < file.line_starts.size() ? file.line_starts[line] - 1 : file.text.size();
  Diagnostic found = diagnostic_at(
      file.name, std::string_view(file.text).substr(begin, end - begin),
      static_cast<std::size_t>(position.column) - 1, std::move(message), std::move(hint));
  found.line = position.line;
  return found;
}

Diagnostic diagnostic_in(const Source& source, std::size_t position, std::string message,
                         std::string hint) {
  if (source.places.empty())
    return diagnostic_in(source, SourcePosition{}, std::move(message), hint);
  const SourcePosition place = source.places[std::min(position, source.places.size() - 1)];
  return diagnostic_in(source, place, std::move(message), std::move(hint));
}

namespace {

constexpr int include_depth_limit = 20;
constexpr int include_limit = 1000;                      // files, each as often as it is included
constexpr std::size_t include_bytes_limit = 16'000'000;  // of all of them
constexpr std::size_t macro_argument_limit = 255;

class Preprocessor {
 public:
  Preprocessor(const ReadFile& read_include, const std::map<std::string, double>& overrides,
               Diagnostics& diagnostics)
      : read_include_(read_include),
        overrides_(overrides),
        diagnostics_(diagnostics),
        errors_{diagnostics} {}

  Source run(std::string_view file, std::string_view text) {
    source_.files.emplace_back(std::string(file), std::string(text));
    read_file(0, 0);
    source_.text = std::move(out_.text);
    source_.places = std::move(out_.places);
    for (const auto& [name, value] : overrides_) {
      if (!used_overrides_.contains(name)) {
        std::string near = closest_word(name, source_.constants);
        diagnostics_.push_back({.message = fmt::format("the model has no constant '{}'", name),
                                .file = std::string(file),
                                .hint = near.empty() ? "constants are made by '#define NAME number'"
                                                     : fmt::format("did you mean '{}'?", near)});
      }
    }
    return std::move(source_);
  }

 private:
  void fail(SourcePosition place, std::string message, std::string hint = {}) {
    errors_.add(diagnostic_in(source_, place, std::move(message), std::move(hint)));
    if (errors_.full()) stop();
  }

  // What could not be read makes everything behind it meaningless.
  void stop() { stopped_ = source_.incomplete = true; }

  // "F//(90)B" may be meant as two rolls, which ABOP writes so, or as a comment, which it is here.
  void warn_of_rolls(std::string_view text, std::int32_t file, std::size_t at) {
    const std::size_t newline = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
    const std::size_t begin = newline == std::string_view::npos ? 0 : newline + 1;
    const std::string_view before = text.substr(begin, at - begin);
    if (trimmed(before).empty()) return;
    const bool blank_before = before.back() == ' ' || before.back() == '\t';
    const bool parameter_behind = at + 2 < text.size() && text[at + 2] == '(';
    if (blank_before && !parameter_behind) return;
    const std::size_t arrow = before.find("-->");
    const bool successor =
        arrow != std::string_view::npos && before.find(':', arrow) == std::string_view::npos;
    const std::string_view word = trimmed(before).substr(0, 6);
    const bool axiom = word == "Axiom:" || word == "axiom:" || word == "AXIOM:";
    const bool continued = (before[0] == ' ' || before[0] == '\t') &&
                           before.find_first_of(";=:") == std::string_view::npos;
    if (!successor && !axiom && !continued) return;
    diagnostics_.push_back(diagnostic_in(
        source_, SourcePosition{file, static_cast<std::uint32_t>(at)},
        "'//' begins a comment: the rest of this line is not read",
        "to roll twice write '/ /'; for a comment put a blank on both sides of '//'"));
    diagnostics_.back().severity = Severity::warning;
  }

  // Blanks out comments, keeping every byte's offset and every newline.
  std::string without_comments(const std::string& text, std::int32_t file) {
    std::string out = text;
    for (std::size_t i = 0; i + 1 < out.size(); ++i) {
      if (out[i] != '/') continue;
      if (out[i + 1] == '/') {
        warn_of_rolls(out, file, i);
        while (i < out.size() && out[i] != '\n') out[i++] = ' ';
      } else if (out[i + 1] == '*') {
        const std::size_t start = i;
        const std::size_t end = out.find("*/", i + 2);
        if (end == std::string::npos) {
          fail({file, static_cast<std::uint32_t>(start)}, "this comment does not end",
               "close it with */");
        }
        const std::size_t stop = end == std::string::npos ? out.size() : end + 2;
        for (; i < stop; ++i) {
          if (out[i] != '\n') out[i] = ' ';
        }
        --i;
      }
    }
    return out;
  }

  void read_file(std::int32_t file, int depth) {
    if (has_nul(file)) return;
    const std::string text = without_comments(at(source_.files, file).text, file);
    const std::size_t outer_conditions = conditions_.size();
    std::size_t start = 0;
    while (start < text.size() && !stopped_) {
      std::size_t end = text.find('\n', start);
      if (end == std::string::npos) end = text.size();
      if (text[start] == '#') {
        while (end < text.size() && end > start && text[end - 1] == '\\') {  // continued directive
          end = text.find('\n', end + 1);
          if (end == std::string::npos) end = text.size();
        }
        directive(text, file, start, end, depth);
        out_.add('\n', {file, static_cast<std::uint32_t>(start)});
      } else if (active()) {
        Span line;
        line.text.reserve(end - start);
        line.places.reserve(end - start);
        for (std::size_t i = start; i < end; ++i) {
          if (text[i] != '\r') line.add(text[i], {file, static_cast<std::uint32_t>(i)});
        }
        const Result<Done> expanded = expand(source_, line, macros_, errors_, out_);
        if (!expanded && !errors_.full()) errors_.add(expanded.diagnostics()[0]);
        if (!expanded || errors_.full()) stop();
        out_.add('\n', {file, static_cast<std::uint32_t>(end < text.size() ? end : start)});
      }
      start = end + 1;
    }
    if (conditions_.size() > outer_conditions) {
      fail(conditions_.back().place, "this #if has no #endif");
      conditions_.resize(outer_conditions);
    }
  }

  bool active() const { return conditions_.empty() || conditions_.back().active(); }

  void directive(const std::string& text, std::int32_t file, std::size_t start, std::size_t end,
                 int depth) {
    const auto place = [file](std::size_t i) {
      return SourcePosition{file, static_cast<std::uint32_t>(i)};
    };
    std::size_t i = start + 1;
    while (i < end && (text[i] == ' ' || text[i] == '\t')) ++i;
    const std::size_t word_start = i;
    while (i < end && is_name_part(text[i])) ++i;
    const std::string word = text.substr(word_start, i - word_start);
    std::string rest = text.substr(i, end - i);
    for (std::size_t j = 0; j + 1 < rest.size(); ++j) {
      if (rest[j] == '\\' && rest[j + 1] == '\n') rest[j] = rest[j + 1] = ' ';
    }
    const std::string argument(trimmed(rest));

    if (word == "ifdef" || word == "ifndef") {
      const bool holds = macros_.by_name.contains(argument) == (word == "ifdef");
      conditions_.push_back({active(), holds, holds, place(start)});
    } else if (word == "if") {
      const bool holds = active() && condition_holds(rest, place(i));
      conditions_.push_back({active(), holds, holds, place(start)});
    } else if (word == "elif" || word == "else") {
      if (conditions_.empty()) return fail(place(start), fmt::format("#{} without #if", word));
      Condition& top = conditions_.back();
      const bool holds = !top.taken_before && top.enclosing_active &&
                         (word == "else" || condition_holds(rest, place(i)));
      top.taken_now = holds;
      top.taken_before = top.taken_before || holds;
    } else if (word == "endif") {
      if (conditions_.empty()) return fail(place(start), "#endif without #if");
      conditions_.pop_back();
    } else if (!active()) {
      return;
    } else if (word == "define") {
      define(rest, place(i));
    } else if (word == "undef") {
      macros_.by_name.erase(argument);
    } else if (word == "include") {
      include(argument, place(i), depth);
    } else {
      fail(place(start), fmt::format("'#{}' is not a preprocessor line", word),
           "known: #define #undef #include #ifdef #ifndef #if #elif #else #endif; a module # may "
           "not begin a line");
    }
  }

  // Text files have no such bytes; whatever this is, it is no model.
  bool has_nul(std::int32_t file) {
    const std::size_t nul = at(source_.files, file).text.find('\0');
    if (nul == std::string::npos) return false;
    source_.incomplete = true;
    fail({file, static_cast<std::uint32_t>(nul)}, "the text has a byte of value 0 here",
         "is this a text file?");
    return true;
  }

  bool condition_holds(std::string_view text, SourcePosition place) {
    const Result<double> found =
        evaluate_if(text, [this](std::string_view name) -> std::optional<std::string_view> {
          const auto macro = macros_.by_name.find(std::string(name));
          if (macro == macros_.by_name.end()) return std::nullopt;
          return macro->second.body;
        });
    if (found) return *found != 0;
    const Diagnostic& error = found.diagnostics()[0];
    place.offset += static_cast<std::uint32_t>(error.column) - 1;
    fail(place, fmt::format("this #if is no condition: {}", error.message),
         "numbers, constants, defined(NAME), ( ) ! + - * / % < <= > >= == != && ||");
    return false;
  }

  void define(const std::string& rest, SourcePosition place) {
    std::size_t i = 0;
    while (i < rest.size() && static_cast<unsigned char>(rest[i]) <= ' ') ++i;
    const std::size_t name_start = i;
    while (i < rest.size() && is_name_part(rest[i])) ++i;
    const std::string name = rest.substr(name_start, i - name_start);
    if (name.empty() || !is_name_start(name[0])) {
      return fail(place, "#define needs a name", "#define NAME number");
    }
    Macro macro;
    if (i < rest.size() && rest[i] == '(') {
      macro.takes_arguments = true;
      const std::size_t close = rest.find(')', i);
      if (close == std::string::npos)
        return fail(place, "the arguments of this #define do not end");
      std::string_view list = std::string_view(rest).substr(i + 1, close - i - 1);
      while (!trimmed(list).empty()) {
        const std::size_t comma = list.find(',');
        macro.arguments.emplace_back(trimmed(list.substr(0, comma)));
        list = comma == std::string_view::npos ? std::string_view() : list.substr(comma + 1);
        if (macro.arguments.size() > macro_argument_limit) {
          return fail(place, fmt::format("a macro has at most {} arguments", macro_argument_limit));
        }
      }
      i = close + 1;
    }
    macro.body = std::string(trimmed(std::string_view(rest).substr(i)));
    if (!macro.takes_arguments) {
      source_.constants.push_back(name);
      if (const auto found = overrides_.find(name); found != overrides_.end()) {
        // Parentheses keep a negative number from joining the operator before it.
        const std::string number = text_from_number(found->second);
        macro.body = found->second < 0 ? "(" + number + ")" : number;
        used_overrides_.insert(name);
      }
    }
    macros_.by_name[name] = std::move(macro);
  }

  // The path without . and .. ; none where it would leave the folder.
  static std::optional<std::string> path_inside(std::string_view path) {
    if (path.front() == '/' || path.find_first_of("\\:") != std::string_view::npos) {
      return std::nullopt;
    }
    std::vector<std::string_view> parts;
    while (!path.empty()) {
      const std::size_t slash = path.find('/');
      const std::string_view part = path.substr(0, slash);
      path = slash == std::string_view::npos ? std::string_view() : path.substr(slash + 1);
      if (part.empty() || part == ".") continue;
      if (part != "..") {
        parts.push_back(part);
      } else if (parts.empty()) {
        return std::nullopt;
      } else {
        parts.pop_back();
      }
    }
    std::string out;
    for (const std::string_view part : parts) {
      if (!out.empty()) out += '/';
      out += part;
    }
    if (out.empty()) return std::nullopt;
    return out;
  }

  void include(std::string_view argument, SourcePosition place, int depth) {
    if (argument.size() < 3 || argument.front() != '"' || argument.back() != '"') {
      return fail(place, "#include needs a file name in quotes", "#include \"leaves.lsys\"");
    }
    const std::string written(argument.substr(1, argument.size() - 2));
    const std::optional<std::string> inside = path_inside(written);
    if (!inside) {
      source_.incomplete = true;
      return fail(place, fmt::format("'{}' is outside the model's folder", written),
                  "an include names a file in the model's own folder or below it");
    }
    const std::string& path = *inside;
    if (depth >= include_depth_limit) {
      return fail(place, fmt::format("includes nest deeper than {}", include_depth_limit),
                  "does a file include itself?");
    }
    if (!read_include_) return fail(place, "includes are not available here");
    if (++includes_ > include_limit) {
      stop();
      return fail(place, fmt::format("the model includes more than {} files", include_limit),
                  "a file counts as often as it is included");
    }
    const std::string& model = source_.files[0].name;
    const std::size_t folder_end = model.find_last_of("/\\");
    const std::string folder =
        folder_end == std::string::npos ? "./" : model.substr(0, folder_end + 1);
    const std::string full = folder_end == std::string::npos ? path : folder + path;
    Result<std::string> text = read_include_(full, folder);
    if (!text) {
      source_.incomplete = true;
      return fail(place, fmt::format("cannot read '{}': {}", path, text.diagnostics()[0].message));
    }
    include_bytes_ += text->size();
    if (include_bytes_ > include_bytes_limit) {
      stop();
      return fail(place,
                  fmt::format("the included files have more than {} bytes", include_bytes_limit),
                  "a file counts as often as it is included");
    }
    source_.files.emplace_back(full, std::move(*text));
    read_file(static_cast<std::int32_t>(source_.files.size() - 1), depth + 1);
  }

  struct Condition {
    bool enclosing_active;
    bool taken_now;
    bool taken_before;
    SourcePosition place;
    bool active() const { return enclosing_active && taken_now; }
  };

  const ReadFile& read_include_;
  const std::map<std::string, double>& overrides_;
  Diagnostics& diagnostics_;
  Source source_;
  Span out_;
  ErrorList errors_;
  Macros macros_;
  std::set<std::string> used_overrides_;
  std::vector<Condition> conditions_;
  std::size_t include_bytes_ = 0;
  int includes_ = 0;
  bool stopped_ = false;
};

}  // namespace

Source preprocess(std::string_view file, std::string_view text, const ReadFile& read_include,
                  const std::map<std::string, double>& overrides, Diagnostics& diagnostics) {
  return Preprocessor(read_include, overrides, diagnostics).run(file, text);
}

}  // namespace thigmo
