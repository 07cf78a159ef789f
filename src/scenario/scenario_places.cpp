#include "scenario/scenario_places.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/random.h"

namespace thigmo {
namespace {

constexpr std::int64_t most_places = 10'000;

std::optional<Vec3> read_point(const toml::node& node) {
  const toml::array* row = node.as_array();
  if (!row || row->size() != 3) return std::nullopt;
  Vec3 point;
  double* const values[] = {&point.x, &point.y, &point.z};
  for (std::size_t i = 0; i < 3; ++i) {
    const std::optional<double> value = row->get(i)->value<double>();
    if (!row->get(i)->is_number() || !value || !std::isfinite(*value)) return std::nullopt;
    *values[i] = *value;
  }
  return point;
}

// positions = [[x, y, z], …]
void read_positions(TomlReader& reader, std::vector<Placement>& places) {
  const toml::node* node = reader.node("positions");
  if (!node) return;
  const toml::array* rows = node->as_array();
  if (!rows || rows->empty() || rows->size() > static_cast<std::size_t>(most_places)) {
    reader.complain(node, fmt::format("'positions' must be a list of 1 to {} places", most_places),
                    "positions = [[0, 0, 0], [6, 0, 2]]");
    return;
  }
  for (const toml::node& row : *rows) {
    const std::optional<Vec3> point = read_point(row);
    if (!point) {
      reader.complain(&row, "a place of 'positions' must be three finite numbers: [x, y, z]");
      return;
    }
    places.push_back({.shift_world = *point});
  }
}

// turns = [degrees, …], one for each of the positions.
void read_turns(TomlReader& reader, std::vector<Placement>& places) {
  const toml::node* node = reader.node("turns");
  if (!node) return;
  if (!reader.has("positions")) {
    reader.complain_at_key("turns", "'turns' are those of the plants at 'positions'");
    return;
  }
  const toml::array* list = node->as_array();
  if (!list || list->size() != places.size()) {
    if (places.empty()) return;  // the positions are wrong already
    reader.complain(node, fmt::format("'turns' must be a list of {} angles in degrees, one for "
                                      "each of the positions",
                                      places.size()));
    return;
  }
  for (std::size_t i = 0; i < places.size(); ++i) {
    const toml::node* element = list->get(i);
    const std::optional<double> value = element->value<double>();
    if (!element->is_number() || !value || !std::isfinite(*value)) {
      reader.complain(element, "'turns' must hold finite numbers");
      return;
    }
    places[i].turn = *value * std::numbers::pi / 180;
  }
}

// No more plants than this can stand in a box: balls of half the spacing about them do not overlap, and
// lie in the box made larger by that on each side; in a plane they are discs, on a line pieces of it.
double most_plants(const Vec3& across, double spacing) {
  if (spacing == 0) return std::numeric_limits<double>::infinity();
  double room = 1;
  int dimensions = 0;
  for (const double side : {across.x, across.y, across.z}) {
    // A side that none fits into beside another gives no room of its own.
    if (side == 0) continue;
    room *= std::abs(side) / spacing + 1;
    ++dimensions;
  }
  // The part of the square or cube about a disc or ball that it fills.
  constexpr double filled[] = {1, 1, std::numbers::pi / 4, std::numbers::pi / 6};
  if (length(across) < spacing) return 1;
  return std::floor(room / filled[dimensions]);
}

// Points with a least distance from each other, in cells as wide as that.
class PlacedPoints {
 public:
  explicit PlacedPoints(double spacing) : spacing_(spacing) {}

  bool is_free(const Vec3& point) const {
    if (spacing_ == 0) return true;
    const Cell middle = cell_of(point);
    for (double x = -1; x <= 1; ++x) {
      for (double y = -1; y <= 1; ++y) {
        for (double z = -1; z <= 1; ++z) {
          const auto cell = cells_.find({middle[0] + x, middle[1] + y, middle[2] + z});
          if (cell == cells_.end()) continue;
          for (const Vec3& other : cell->second) {
            if (squared_length(other - point) < spacing_ * spacing_) return false;
          }
        }
      }
    }
    return true;
  }
  void add(const Vec3& point) {
    if (spacing_ > 0) cells_[cell_of(point)].push_back(point);
  }

 private:
  using Cell = std::array<double, 3>;
  Cell cell_of(const Vec3& p) const {
    return {std::floor(p.x / spacing_), std::floor(p.y / spacing_), std::floor(p.z / spacing_)};
  }

  double spacing_;
  std::map<Cell, std::vector<Vec3>> cells_;
};

// Places drawn at random in a box, none closer to another than the spacing, each turned at random.
// Every place has its own tries, so that a larger count begins with the same places.
void read_scatter(TomlReader& plant, TomlSource& source, std::vector<Placement>& places) {
  const toml::table* table = plant.table("scatter");
  if (!table) return;
  TomlReader reader(*table, "scatter", source);
  const auto count = reader.integer("count", 1, most_places);
  if (!table->contains("count")) reader.complain_missing("count", "how many plants");
  const std::optional<Vec3> from = reader.vector("from"), to = reader.vector("to");
  if (!table->contains("from")) reader.complain_missing("from", "a corner of the area");
  if (!table->contains("to")) reader.complain_missing("to", "the corner across from it");
  const double spacing = reader.number("spacing", Range::not_negative).value_or(0);
  const auto seed = static_cast<std::uint64_t>(reader.integer("seed", 0, INT64_MAX).value_or(1));
  reader.finish();
  if (!count || !from || !to) return;
  if (const Vec3 across = *to - *from; !std::isfinite(across.x + across.y + across.z)) {
    plant.complain_at_key("scatter", "the area is too large for numbers to hold",
                          "give corners in metres, less far apart");
    return;
  }
  if (const double most = most_plants(*to - *from, spacing); static_cast<double>(*count) > most) {
    plant.complain_at_key(
        "scatter",
        fmt::format("{} plants cannot stand {} m apart in this area: at most {:.0f} have room",
                    *count, spacing, most),
        "give a larger area, fewer plants or less spacing");
    return;
  }
  constexpr std::uint64_t most_tries = 200;
  PlacedPoints placed(spacing);
  for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(*count); ++i) {
    const auto random = [&](std::uint64_t attempt, std::uint64_t what) {
      return unit_from_bits(mix_bits(mix_bits(seed, i), attempt, what));
    };
    std::uint64_t attempt = 0;
    const auto point = [&] {
      const Vec3 part{random(attempt, 0), random(attempt, 1), random(attempt, 2)};
      return *from + scale(*to - *from, part);
    };
    while (attempt < most_tries && !placed.is_free(point())) ++attempt;
    if (attempt == most_tries) {
      plant.complain_at_key(
          "scatter",
          fmt::format("no room for plant {} of {}: the others leave none with a spacing of {} m",
                      i + 1, *count, spacing),
          "give a larger area, fewer plants or less spacing");
      return;
    }
    placed.add(point());
    places.push_back({.shift_world = point(), .turn = 2 * std::numbers::pi * random(0, 3)});
  }
}

}  // namespace

std::vector<Placement> read_places(TomlReader& reader, TomlSource& source) {
  std::vector<Placement> places;
  const bool positions = reader.has("positions"), scatter = reader.has("scatter");
  if (positions + scatter + reader.has("position") > 1) {
    reader.complain_at_key(scatter ? "scatter" : "positions",
                           "a [[plant]] has one of 'position', 'positions' and 'scatter'");
    return places;
  }
  if (auto value = reader.vector("position")) places.push_back({.shift_world = *value});
  read_positions(reader, places);
  read_turns(reader, places);
  read_scatter(reader, source, places);
  return places;
}

}  // namespace thigmo
