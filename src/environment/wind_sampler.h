#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "environment/wind.h"
#include "mechanics/model/air.h"
#include "plant/plant.h"

namespace thigmo {

// The waves of a block at the places across the wind where a sampler has nodes: e^(i (k_across y)) and
// e^(i (k_up z)), line by line.
struct SampledBlock {
  std::int64_t number = 0;
  bool drawn = false;
  GustBlock block;
  std::vector<float> across_cosine, across_sine, up_cosine, up_sine;
};

// Gusts on planes across the wind, 2^level of the finest spacing apart: those of one band and of all
// longer waves. Six planes are kept, since so many give the plane in the middle between them.
struct GustLevel {
  static constexpr int kept = 6;
  std::array<std::int64_t, kept> number{};
  std::array<bool, kept> filled{};
  int values = 3;  // a node: along, across, up; where neighbours differ their ragged parts too
  std::vector<float> planes;
};

// The wind around one plant. Since gusts move with the mean wind, so does the lattice, and a new moment
// costs the planes that have come in upwind.
struct WindSampler {
  AirLattice air;     // as of the last call of sample_wind
  Box around;         // that it was made for [m]
  double moment = 0;  // of the last call [s]
  bool gusty = false;
  double upwind = 0;                       // where the lattice must begin, along the wind [m]
  std::int64_t first_plane = 0;            // number of the lattice's first plane
  bool filled = false;                     // whether all of its planes are
  int finest_band = 0;                     // that planes are close enough for
  int row = 0;                             // nodes up, filled up to whole packs
  std::array<float, gust_bands> ragged{};  // part of each band that neighbours do not share [-]
  std::vector<SampledBlock> blocks;        // two a band
  std::vector<GustLevel> levels;
  std::vector<float> band;  // scratch: what one band adds to a plane
};

WindSampler make_wind_sampler(const Wind& wind, const Box& around);

// `wind` is the one the sampler was made for. Any moment may follow any other; the result depends on
// the moment alone.
void sample_wind(const Wind& wind, double time, WindSampler& sampler);

}  // namespace thigmo
