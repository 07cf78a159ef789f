#pragma once

#include <toml++/toml.h>

#include <array>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "base/result.h"
#include "math/vector.h"

namespace thigmo {

// The text a table came from, and the complaints found in it so far.
struct TomlSource {
  std::string file;
  std::string text;
  Diagnostics diagnostics;
};

// Equal for equal values: 6 and 6.0 are.
void add_to_hash(const toml::node& node, Hasher& hasher);

// What a table says but for some keys, as text that is the same where that is.
std::string text_without(const toml::table& table, std::span<const std::string_view> keys);

enum class Range { any, positive, not_negative };

// Reads the keys of one table, remembers which were asked for, and complains about the others.
class TomlReader {
 public:
  // `what` names the table in messages, e.g. "[wind]".
  TomlReader(const toml::table& table, std::string what, TomlSource& source);

  bool has(std::string_view key);
  std::optional<double> number(std::string_view key, Range range = Range::any);
  std::optional<std::int64_t> integer(std::string_view key, std::int64_t least, std::int64_t most);
  std::optional<std::string> text(std::string_view key);
  std::optional<bool> truth(std::string_view key);
  std::optional<Vec3> vector(std::string_view key);
  std::optional<std::array<double, 2>> pair(std::string_view key);
  // A text that must be one of the choices; its index.
  std::optional<std::size_t> choice(std::string_view key, const std::vector<std::string>& choices);
  const toml::table* table(std::string_view key);
  // The tables of [[key]]; empty when there are none.
  std::vector<const toml::table*> tables(std::string_view key);
  const toml::node* node(std::string_view key);

  void complain(const toml::node* at, std::string message, std::string hint = {});
  void complain_at_key(std::string_view key, std::string message, std::string hint = {});
  // Said at the end, unless a misspelt key turns out to be the missing one.
  void complain_missing(std::string_view key, std::string hint);

  // Diagnostics without a message that point at the table or a part of it, for complaints that come later.
  Diagnostic place_of_table() const;
  Diagnostic place_of(const toml::node& node) const;

  // Complains about keys that nobody asked for, and about missing ones.
  void finish();

 private:
  bool numbers(std::string_view key, std::string_view expected, std::span<double> values);
  void place(const toml::source_region& source, Diagnostic& diagnostic) const;

  const toml::table& table_;
  std::string what_;
  TomlSource& source_;
  std::set<std::string, std::less<>> known_;
  std::vector<std::pair<std::string, std::string>> missing_;  // key, hint
};

Result<toml::table> parse_toml(TomlSource& source);

// Sets one "path=value" in a table. The path's parts are keys, numbers of array elements, or names of
// array elements ("plant.oak.steps" finds the [[plant]] with name = "oak").
Result<Done> override_toml(toml::table& table, std::string_view assignment);

}  // namespace thigmo
