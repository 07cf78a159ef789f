#include "io/tables/csv_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <set>

#include "base/assert.h"

namespace thigmo {
namespace {

constexpr std::array own_names{"id",     "parent", "base_x", "base_y", "base_z",
                               "tip_x",  "tip_y",  "tip_z",  "radius", "radius_tip",
                               "length", "axis",   "order"};

// Words that hold a separator or a quote stand in quotes.
std::string quoted(const std::string& word) {
  if (word.find_first_of(",;\t\"\r\n#") == std::string::npos) return word;
  std::string text(1, '"');
  for (const char c : word) {
    if (c == '\n' || c == '\r') {
      text.push_back(' ');  // a row is a line
    } else {
      text.push_back(c);
      if (c == '"') text.push_back(c);
    }
  }
  text.push_back('"');
  return text;
}

// The columns beside our own that a table can hold, each name once; of each the plants that have it.
struct KeptColumn {
  std::string_view name;
  std::vector<const Attribute*> of_plant;  // null where it has none
};
std::vector<KeptColumn> kept_columns(std::size_t plants,
                                     std::span<const std::span<const Attribute>> columns) {
  std::vector<KeptColumn> kept;
  std::map<std::string_view, std::size_t> number;  // in `kept`
  std::set<std::string_view> taken(own_names.begin(), own_names.end());
  if (plants > 1) taken.insert("plant");
  for (std::size_t p = 0; p < columns.size(); ++p) {
    for (const Attribute& a : columns[p]) {
      if (a.size != 1 || taken.contains(a.name)) continue;
      const auto [found, is_new] = number.try_emplace(a.name, kept.size());
      if (is_new) kept.push_back({a.name, std::vector<const Attribute*>(plants, nullptr)});
      const Attribute*& own = kept[found->second].of_plant[p];
      if (own == nullptr) own = &a;
    }
  }
  return kept;
}

void put_cell(const Attribute& column, std::size_t element, std::string& text) {
  const double value = column.values[element];
  text += ',';
  if (column.type == Attribute::Type::word) {
    if (value >= 0 && value < static_cast<double>(column.words.size()))
      text += quoted(column.words[static_cast<std::size_t>(value)]);
  } else if (!std::isnan(value)) {
    fmt::format_to(std::back_inserter(text), "{}", value);
  }
}

// Whether a column is worth writing: a segment has something else than 0, and no attribute says it already.
template <class Value>
bool tells(const char* name, std::span<const PosedPlant> plants,
           const std::vector<KeptColumn>& kept, const Value& value) {
  if (std::any_of(kept.begin(), kept.end(), [&](const KeptColumn& k) { return k.name == name; }))
    return false;
  return std::any_of(plants.begin(), plants.end(), [&](const PosedPlant& p) {
    const std::vector<Segment>& segments = p.plant->segments;
    return std::any_of(segments.begin(), segments.end(),
                       [&](const Segment& s) { return value(s) != 0; });
  });
}

}  // namespace

std::string csv_from_plants(std::span<const PosedPlant> plants,
                            std::span<const std::span<const Attribute>> columns) {
  THIGMO_ASSERT(columns.empty() || columns.size() == plants.size());
  const bool several = plants.size() > 1;
  const std::vector<KeptColumn> kept = kept_columns(plants.size(), columns);
  std::string text = fmt::format("{}", fmt::join(own_names, ","));
  const auto kind_of = [](const Segment& s) { return static_cast<int>(s.kind); };
  const bool colour = tells("colour", plants, kept, [](const Segment& s) { return s.colour; });
  const bool kind = tells("kind", plants, kept, kind_of);
  if (colour) text += ",colour";
  if (kind) text += ",kind";
  if (several) text += ",plant";
  for (const KeptColumn& column : kept) {
    text += ',';
    text += quoted(std::string(column.name));
  }
  text += '\n';
  const auto out = std::back_inserter(text);
  Index before = 0;  // rows of the plants before
  Pose scratch;
  for (std::size_t p = 0; p < plants.size(); ++p) {
    const Plant& plant = *plants[p].plant;
    const Pose& pose = pose_of(plants[p], scratch);
    for (Index i = 0; i < segment_count(plant); ++i) {
      const Segment& s = at(plant.segments, i);
      const Vec3 a = point_on_segment(plant, pose, i, 0);
      const Vec3 b = point_on_segment(plant, pose, i, 1);
      const Index parent = s.parent == no_index ? 0 : before + s.parent + 1;
      fmt::format_to(out, "{},{},{},{},{},{},{},{},{},{},{},{},{}", before + i + 1, parent, a.x,
                     a.y, a.z, b.x, b.y, b.z, s.radius_base, s.radius_tip, s.length, s.axis,
                     s.order);
      if (colour) fmt::format_to(out, ",{}", s.colour);
      if (kind) fmt::format_to(out, ",{}", kind_of(s));
      if (several) fmt::format_to(out, ",{}", p + 1);
      for (const KeptColumn& column : kept) {
        if (const Attribute* own = column.of_plant[p]) {
          put_cell(*own, static_cast<std::size_t>(i), text);
        } else {
          text += ',';
        }
      }
      text += '\n';
    }
    before += segment_count(plant);
  }
  return text;
}

}  // namespace thigmo
