#include "plant/subdivide.h"

#include <algorithm>

#include "base/assert.h"

namespace thigmo {

// Beyond 30° two bars meet; below, it is a curve drawn in pieces.
constexpr double corner_cosine = 0.866;

std::vector<int> pieces_between_forks(const Plant& plant, int joints) {
  const std::size_t n = plant.segments.size();
  std::vector<int> child_count(n, 0);
  for (const Segment& s : plant.segments) {
    if (s.parent != no_index) ++at(child_count, s.parent);
  }
  std::vector<std::size_t> first(n);  // segment of the stretch that each segment belongs to
  std::vector<int> count(n, 0);       // of segments in the stretch that begins with this one
  for (std::size_t i = 0; i < n; ++i) {
    const Index parent = plant.segments[i].parent;
    const auto p = as_size(parent);
    const Segment& s = plant.segments[i];
    const bool goes_on = parent != no_index && child_count[p] == 1 &&
                         s.base_in_parent.y > 0.999 * plant.segments[p].length &&
                         rotate(s.parent_from_segment, {0, 1, 0}).y > corner_cosine;
    first[i] = goes_on ? first[p] : i;
    ++count[first[i]];
  }
  std::vector<int> pieces(n);
  for (std::size_t i = 0; i < n; ++i) {
    pieces[i] = (joints + count[first[i]] - 1) / count[first[i]];
  }
  return pieces;
}

Plant subdivided(const Plant& plant, std::optional<int> pieces) {
  return subdivided(plant, pieces ? std::vector<int>(plant.segments.size(), *pieces)
                                  : pieces_between_forks(plant, joints_of_a_bar));
}

Plant subdivided(const Plant& plant, const std::vector<int>& pieces) {
  const std::size_t n = plant.segments.size();
  THIGMO_ASSERT(pieces.size() == n);
  // The piece of its parent that each segment or organ sits on, and how far up that piece.
  const auto place = [&](std::size_t on, double y) {
    const double piece = plant.segments[on].length / pieces[on];
    const int number = std::clamp(static_cast<int>(y / piece * (1 - 1e-9)), 0, pieces[on] - 1);
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
      at(children, parent).push_back(i);
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    // Read from the back below: sort by rising piece, within one piece by falling number.
    std::stable_sort(children[i].begin(), children[i].end(), [&](std::size_t a, std::size_t b) {
      return place(i, plant.segments[a].base_in_parent.y).first <
             place(i, plant.segments[b].base_in_parent.y).first;
    });
  }

  Plant result = plant;
  result.segments.clear();
  result.organs.clear();
  result.whole_ends.resize(n);
  std::vector<Index> first(n);  // piece of each segment, in the result
  while (!todo.empty()) {
    const std::size_t i = todo.back();
    todo.pop_back();
    const Segment& whole = plant.segments[i];
    first[i] = segment_count(result);
    for (int k = 0; k < pieces[i]; ++k) {
      Segment piece = whole;
      piece.length = whole.length / pieces[i];
      const double taper = (whole.radius_tip - whole.radius_base) / pieces[i];
      piece.radius_base = whole.radius_base + taper * k;
      piece.radius_tip = whole.radius_base + taper * (k + 1);
      piece.height_base = rectangle_at(whole, static_cast<double>(k) / pieces[i]).height;
      piece.height_tip = rectangle_at(whole, static_cast<double>(k + 1) / pieces[i]).height;
      if (k > 0) {
        piece.parent = segment_count(result) - 1;
        piece.base_in_parent = {0, piece.length, 0};
        piece.parent_from_segment = {};
      } else if (whole.parent != no_index) {
        const auto p = as_size(whole.parent);
        const auto [number, y] = place(p, whole.base_in_parent.y);
        piece.parent = first[p] + number;
        piece.base_in_parent.y = y;
      }
      result.segments.push_back(piece);
    }
    result.whole_ends[i] = segment_count(result) - 1;
    todo.insert(todo.end(), children[i].begin(), children[i].end());
  }
  for (Organ organ : plant.organs) {
    const auto i = as_size(organ.segment);
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
