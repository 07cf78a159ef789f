#include "plant/subdivide.h"

#include <algorithm>

#include "base/assert.h"

namespace thigmo {

Plant subdivided(const Plant& plant, int pieces) {
  THIGMO_ASSERT(pieces >= 1);
  const std::size_t n = plant.segments.size();
  // The piece of its parent that each segment or organ sits on, and how far up that piece.
  const auto place = [&](std::size_t on, double y) {
    const double piece = plant.segments[on].length / pieces;
    const int number = std::clamp(static_cast<int>(y / piece * (1 - 1e-9)), 0, pieces - 1);
    return std::pair{number, y - number * piece};
  };
  // Children of later pieces come first, so that every subtree stays one range.
  std::vector<std::vector<std::size_t>> children(n);
  std::vector<std::size_t> todo;
  for (std::size_t i = n; i-- > 0;) {
    const Index parent = plant.segments[i].parent;
    if (parent == no_index) {
      todo.push_back(i);
    } else {
      children[static_cast<std::size_t>(parent)].push_back(i);
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    // Read from the back below: sort by rising piece, within one piece by falling number.
    std::stable_sort(children[i].begin(), children[i].end(), [&](std::size_t a, std::size_t b) {
      return place(i, plant.segments[a].base_in_parent.y).first <
             place(i, plant.segments[b].base_in_parent.y).first;
    });
  }

  Plant result{.name = plant.name, .materials = plant.materials};
  result.root_stiffness = plant.root_stiffness;
  std::vector<Index> first(n);  // piece of each segment, in the result
  while (!todo.empty()) {
    const std::size_t i = todo.back();
    todo.pop_back();
    const Segment& whole = plant.segments[i];
    first[i] = segment_count(result);
    for (int k = 0; k < pieces; ++k) {
      Segment piece = whole;
      piece.length = whole.length / pieces;
      const double taper = (whole.radius_tip - whole.radius_base) / pieces;
      piece.radius_base = whole.radius_base + taper * k;
      piece.radius_tip = whole.radius_base + taper * (k + 1);
      if (k > 0) {
        piece.parent = segment_count(result) - 1;
        piece.base_in_parent = {0, piece.length, 0};
        piece.parent_from_segment = {};
      } else if (whole.parent != no_index) {
        const auto p = static_cast<std::size_t>(whole.parent);
        const auto [number, y] = place(p, whole.base_in_parent.y);
        piece.parent = first[p] + number;
        piece.base_in_parent.y = y;
      }
      result.segments.push_back(piece);
    }
    todo.insert(todo.end(), children[i].begin(), children[i].end());
  }
  for (Organ organ : plant.organs) {
    const auto i = static_cast<std::size_t>(organ.segment);
    const auto [number, y] = place(i, base_in_segment(organ).y);
    organ.segment = first[i] + number;
    organ.base.y = static_cast<float>(y);
    result.organs.push_back(organ);
  }
  std::stable_sort(result.organs.begin(), result.organs.end(),
                   [](const Organ& a, const Organ& b) { return a.segment < b.segment; });
  return result;
}

}  // namespace thigmo
