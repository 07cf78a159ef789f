#pragma once

#include <optional>
#include <vector>

#include "plant/plant.h"

namespace thigmo {

// The same plant with every segment cut into so many equal parts, for more accurate mechanics of
// coarsely measured trees.
Plant subdivided(const Plant& plant, const std::vector<int>& pieces);

// Parts for each segment that let every stretch between forks, corners and ends bend in at least
// `joints` places.
std::vector<int> pieces_between_forks(const Plant& plant, int joints);

// With five joints a bar's first frequencies, fixed at one end and bearing a fork at the other, are
// right to 1 %; with one they are half of what they should be.
inline constexpr int joints_of_a_bar = 5;

// Cut into `pieces` each, or without that as far as bars need it.
Plant subdivided(const Plant& plant, std::optional<int> pieces);

}  // namespace thigmo
