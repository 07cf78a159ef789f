#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "io/tables/attribute.h"
#include "plant/plant.h"

namespace thigmo {

// What all readers of foreign trees make first: straight pieces with ends, parents and whatever
// else the file knew, in any order.
struct SegmentRow {
  Vec3 start_world, end_world;                     // [m]
  Index parent = no_index;                         // row; -1: a root
  std::optional<double> radius_start, radius_end;  // [m]; none: to be completed
  int line = 0;                                    // of the file, for messages; 0: unknown
};
struct SegmentTable {
  std::string name;
  std::vector<SegmentRow> rows;
  std::vector<Attribute> attributes;  // one element a row
  // What the file says of the points that roots start from: the first columns again, one element for
  // each row without a parent. Empty where a file has no such points.
  std::vector<Attribute> start_attributes = {};
  std::vector<std::string> notes;  // what a reader had to decide or repair
};

// Memory for a piece without columns, from its row to its segment (0.5 million: 0.2 GB).
inline constexpr double bytes_of_piece = 400;

enum class UpAxis { y, z };

struct ImportOptions {
  double scale = 1;               // metres in the file's unit
  std::optional<UpAxis> up = {};  // none: what the format says
  std::string species = "oak";    // whose wood it is made of
  double thickness = 0.012;       // radius of the trunk's base over the tree's height, where the
                                  // file has no widths
};

// A plant from elsewhere, with the columns of its file in the order of its segments.
struct ImportedPlant {
  Plant plant;
  std::vector<Attribute> attributes;
  std::vector<Attribute> start_attributes;  // one element for each segment without a parent
  std::vector<std::string> notes;
};

// Orders the rows depth first, gives each a frame by its column `up` where that stands across the piece,
// else by parallel transport, finds axes and orders, and completes missing radii: r ∝ max(0.1,
// 1/generation), the generation counted from 1 at the root (Hampshire 2009, 4.1). Columns named axis,
// order, colour and kind are taken over; vectors turn with the plant, `v` and `pscale` are scaled. A loop of
// parents is an error; pieces without length are left out and their children hung on their parent.
Result<ImportedPlant> plant_from_table(const SegmentTable& table, const ImportOptions& options,
                                       std::string_view file);

}  // namespace thigmo
