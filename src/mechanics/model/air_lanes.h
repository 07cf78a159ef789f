#pragma once

// The air around packs of points.

#include "math/lanes.h"
#include "mechanics/model/air.h"

namespace thigmo {

// A weighted mean of two values that have nothing in common has the variance a² + b² of its weights,
// here 1 - 2t with t = a b. 1/√(1 - 2t) for t up to 1/4, to 0.2 %.
template <class Real>
[[gnu::always_inline]] inline Real restoring_factor(const Real& part) {
  const Real one(1.0), t = part * (one - part);
  return one + t * (one + t * (Real(1.17426) + t * Real(5.81266)));
}

// The nodes around a point, and how much each of them counts.
struct AirCorner {
  int first;  // of the eight nodes: the lowest along, across and up
  float along_high;
  float low_low, high_low, low_high, high_high;  // across and up
  float raise;                                   // of the ragged part, beyond one
};

typedef float FourFloats __attribute__((vector_size(16), may_alias));

// Linear between the eight nodes around a point, the ragged part raised to the variance it has at nodes:
// x, y, z and a number of no use.
[[gnu::always_inline]] inline FourFloats air_between(const AirView& air, const AirCorner& corner) {
  // Two nodes beside each other along the wind are 16 floats, in vectors that the processor has.
#ifdef __AVX__
  constexpr int floats = 8;
#else
  constexpr int floats = 4;
#endif
  typedef float Vector __attribute__((vector_size(4 * floats), may_alias));
  constexpr int a_node = 8 / floats, a_pair = 2 * a_node;
  const int step_across = a_node * air.nodes_to_across, step_up = a_node * air.nodes_to_up;
  const auto* row = reinterpret_cast<const Vector*>(air.nodes + corner.first);
  const Vector *row_across = row + step_across, *row_up = row + step_up,
               *row_both = row_up + step_across;
  alignas(32) Vector pair[a_pair];
  for (int i = 0; i < a_pair; ++i) {
    pair[i] = row[i] * corner.low_low + row_across[i] * corner.high_low +
              (row_up[i] * corner.low_high + row_both[i] * corner.high_high);
  }
  for (int i = 0; i < a_node; ++i) pair[i] += (pair[a_node + i] - pair[i]) * corner.along_high;
  const auto* parts = reinterpret_cast<const FourFloats*>(pair);
  return parts[0] + parts[1] * corner.raise;
}

// The first three numbers of `count` rows, by columns.
template <int count>
struct ThreeColumns {
  Vector<float, count> x, y, z;
};
template <int count>
[[gnu::always_inline]] inline ThreeColumns<count> columns_of(const FourFloats* row) {
  if constexpr (count < 4) {
    ThreeColumns<count> c;
    for (int i = 0; i < count; ++i) {
      c.x[i] = row[i][0];
      c.y[i] = row[i][1];
      c.z[i] = row[i][2];
    }
    return c;
  } else if constexpr (count == 4) {
    const FourFloats xy01 = __builtin_shufflevector(row[0], row[1], 0, 4, 1, 5),
                     xy23 = __builtin_shufflevector(row[2], row[3], 0, 4, 1, 5),
                     z01 = __builtin_shufflevector(row[0], row[1], 2, 6, 3, 7),
                     z23 = __builtin_shufflevector(row[2], row[3], 2, 6, 3, 7);
    return {__builtin_shufflevector(xy01, xy23, 0, 1, 4, 5),
            __builtin_shufflevector(xy01, xy23, 2, 3, 6, 7),
            __builtin_shufflevector(z01, z23, 0, 1, 4, 5)};
  } else {
    constexpr int half = count / 2;
    const ThreeColumns<half> c = columns_of<half>(row), d = columns_of<half>(row + half);
    return {joined<float, half>(c.x, d.x), joined<float, half>(c.y, d.y),
            joined<float, half>(c.z, d.z)};
  }
}

// As lanes, one row each.
template <class T, int count, class Target>
[[gnu::always_inline]] inline Vec3T<Lanes<T, count, Target>> lanes_of_rows(
    const FourFloats* row, const Lanes<T, count, Target>& /*kind*/) {
  const ThreeColumns<count> c = columns_of<count>(row);
  const auto as_lanes = [](const Vector<float, count>& column) {
    return Lanes<T, count, Target>(converted<T, float, count>(column));
  };
  return {as_lanes(c.x), as_lanes(c.y), as_lanes(c.z)};
}
template <class T, class Target>
inline Vec3T<Single<T, Target>> lanes_of_rows(const FourFloats* row,
                                              const Single<T, Target>& /*kind*/) {
  return {(*row)[0], (*row)[1], (*row)[2]};
}

// At each of a pack's points. A coordinate that is not a number counts as the first node's.
template <class Real>
[[gnu::always_inline]] inline Vec3T<Real> air_velocity(const AirView& air,
                                                       const Vec3T<Real>& point_world) {
  struct Cells {
    Real low, part;  // of the high node
  };
  const Real zero(0.0), one(1.0);
  const auto cells = [&](const AirView::Axis& axis) {
    const Vec3& unit = axis.cells_per_m;
    const Real coordinate = point_world.x * Real(unit.x) + point_world.y * Real(unit.y) +
                            point_world.z * Real(unit.z) - Real(axis.first);
    const Real inside = lane_min(lane_max(coordinate, zero), Real(axis.last_node));
    const Real low = lane_whole(lane_min(inside, Real(axis.last_cell)));
    return Cells{low, inside - low};
  };
  const Cells along = cells(air.axes[0]), across = cells(air.axes[1]), up = cells(air.axes[2]);
  const Real in_ring = along.low + Real(air.ring_start);
  const Real place = in_ring - Real(air.places) * lane_step(in_ring - Real(air.places) + Real(0.5));
  const Real first = (up.low * Real(air.nodes_across) + across.low) * Real(air.ring) + place;
  const Real both = across.part * up.part, across_only = across.part - both,
             up_only = up.part - both;
  const Short<Real> low_low(one - up.part - across_only), high_low(across_only), low_high(up_only),
      high_high(both), along_high(along.part),
      raise(restoring_factor(across.part) * restoring_factor(up.part) - one);
  FourFloats rows[Real::width];
  for (int l = 0; l < Real::width; ++l) {
    rows[l] = air_between(air, {.first = static_cast<int>(first[l]),
                                .along_high = along_high.short_lane(l),
                                .low_low = low_low.short_lane(l),
                                .high_low = high_low.short_lane(l),
                                .low_high = low_high.short_lane(l),
                                .high_high = high_high.short_lane(l),
                                .raise = raise.short_lane(l)});
  }
  return lanes_of_rows(rows, zero);
}

}  // namespace thigmo
