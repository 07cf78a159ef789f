#include "environment/wind_sampler.h"

#include <algorithm>
#include <cmath>

namespace thigmo {
namespace {

// Planes of a level are 8 to the shortest wave: a plane in the middle of six others is then right to
// 0.1 %, and what lies linearly between two loses 2 % of the variance of an octave (10 % of its end).
constexpr double planes_per_wave = 8;
constexpr int most_planes = 128;        // of a lattice
constexpr int most_nodes_a_plane = 64;  // nodes across times nodes up
constexpr int floats_a_pack = 4;

double level_spacing(const Wind& wind, const WindSampler& sampler, std::size_t level) {
  const int band = sampler.finest_band + static_cast<int>(level);
  return 1 / (planes_per_wave * band_highest(wind, band));
}

struct Extent {
  double low = 0, high = 0;
  double size() const { return high - low; }
};

// Of a box along a unit vector.
Extent extent_along(const Box& box, const Vec3& unit) {
  const Vec3 middle = (box.min + box.max) * 0.5, half = (box.max - box.min) * 0.5;
  const double reach =
      std::abs(half.x * unit.x) + std::abs(half.y * unit.y) + std::abs(half.z * unit.z);
  return {dot(middle, unit) - reach, dot(middle, unit) + reach};
}

// Nodes over an extent with half a cell or more beyond each end.
int nodes_over(const Extent& extent, double spacing) {
  return 2 + static_cast<int>(extent.size() / spacing);
}

// Nodes across the wind as close as their number allows, but not closer than gusts differ.
void place_across(const Wind& wind, const Extent& across, const Extent& up, AirLattice& air) {
  const double longest = std::max({across.size(), up.size(), 1e-3});
  double spacing = std::max(longest / most_nodes_a_plane, wind.length_scale / 400);
  while (nodes_over(across, spacing) * nodes_over(up, spacing) > most_nodes_a_plane)
    spacing *= 1.02;
  air.spacing_across = spacing;
  air.nodes_across = nodes_over(across, spacing);
  air.nodes_up = nodes_over(up, spacing);
  air.first[1] = (across.low + across.high - (air.nodes_across - 1) * spacing) / 2;
  air.first[2] = (up.low + up.high - (air.nodes_up - 1) * spacing) / 2;
}

// Planes along the wind over the extent, with room to sway: close enough for the shortest waves if they
// are not too many.
void place_along(const Wind& wind, const Extent& along, double margin, WindSampler& sampler) {
  const double extent = along.size() + 2 * margin;
  double spacing = level_spacing(wind, sampler, 0);
  // The plane before the extent, those inside, and the one behind.
  const auto planes = [&] { return std::ceil(extent / spacing) + 2; };
  while (planes() > most_planes && sampler.finest_band + 1 < gust_bands) {
    ++sampler.finest_band;
    spacing = level_spacing(wind, sampler, 0);
  }
  sampler.upwind = along.low - margin;
  sampler.air.spacing_along = spacing;
  sampler.air.nodes_along = static_cast<int>(std::min<double>(planes(), most_planes));
}

// In the middle of four nodes whose values have the coherence γ the mean has the variance
// A = (1 + 2 γ(h) + γ(√2 h)) / 4. A part 1/√A - 1, raised as what nodes do not share at all, restores it.
float ragged_part(const Wind& wind, int band, double spacing) {
  const auto coherence = [&](double r) {
    return std::exp(-wind.decay * band_middle(wind, band) * r);
  };
  const double variance = (1 + 2 * coherence(spacing) + coherence(std::sqrt(2.0) * spacing)) / 4;
  const double part = 1 / std::sqrt(variance) - 1;
  return part < 0.01 ? 0.0F : static_cast<float>(part);
}

// e^(i k (first + spacing j)) at `count` nodes.
void fill_waves(double wave_number, double first, double spacing, int count, float* cosine,
                float* sine) {
  Phasor wave = phasor_of(wave_number * first);
  const Phasor step = phasor_of(wave_number * spacing);
  for (int j = 0; j < count; ++j) {
    cosine[j] = static_cast<float>(wave.re);
    sine[j] = static_cast<float>(wave.im);
    wave = wave * step;
  }
}

const SampledBlock& block_of(const Wind& wind, int band, std::int64_t number,
                             WindSampler& sampler) {
  SampledBlock& sampled = sampler.blocks[as_size(2 * band) + static_cast<std::size_t>(number & 1)];
  if (sampled.drawn && sampled.number == number) return sampled;
  const AirLattice& air = sampler.air;
  sampled.number = number;
  sampled.drawn = true;
  sampled.block = draw_block(wind, band, number);
  for (std::size_t m = 0; m < sampled.block.lines.size(); ++m) {
    const GustLine& line = sampled.block.lines[m];
    const std::size_t across = m * as_size(air.nodes_across), up = m * as_size(sampler.row);
    fill_waves(line.across, air.first[1], air.spacing_across, air.nodes_across,
               &sampled.across_cosine[across], &sampled.across_sine[across]);
    fill_waves(line.up, air.first[2], air.spacing_across, air.nodes_up, &sampled.up_cosine[up],
               &sampled.up_sine[up]);
  }
  return sampled;
}

// Adds two waves of a row of nodes: Re(a e^(i k_up z)) + Re(b e^(i q_up z)).
struct RowWave {
  float re, im;
  const float *cosine, *sine;
};
void add_row(const RowWave& a, const RowWave& b, int row, float* __restrict gust) {
  for (int k = 0; k < row; ++k) {
    gust[k] += (a.re * a.cosine[k] - a.im * a.sine[k]) + (b.re * b.cosine[k] - b.im * b.sine[k]);
  }
}

// What a block adds to a plane: three values a node, one after the other.
void add_block(const SampledBlock& sampled, double xi, const AirLattice& air, int row,
               float* gust) {
  const std::array<Phasor, lines_per_block> phases = line_phases(sampled.block, xi);
  const auto row_wave = [&](std::size_t m, std::size_t c, int j) {
    const Phasor line = sampled.block.lines[m].amplitude[c] * phases[m];
    const std::size_t across = m * as_size(air.nodes_across) + as_size(j);
    const Phasor wave = line * Phasor{static_cast<double>(sampled.across_cosine[across]),
                                      static_cast<double>(sampled.across_sine[across])};
    const std::size_t up = m * as_size(row);
    return RowWave{static_cast<float>(wave.re), static_cast<float>(wave.im), &sampled.up_cosine[up],
                   &sampled.up_sine[up]};
  };
  for (std::size_t c = 0; c < 3; ++c) {
    for (int j = 0; j < air.nodes_across; ++j, gust += row) {
      for (std::size_t m = 0; m < lines_per_block; m += 2)
        add_row(row_wave(m, c, j), row_wave(m + 1, c, j), row, gust);
    }
  }
}

// Adds a band to a plane at ξ.
void add_band(const Wind& wind, int band, double xi, WindSampler& sampler, GustLevel& level,
              float* plane) {
  std::fill(sampler.band.begin(), sampler.band.end(), 0.0F);
  const std::int64_t last = block_at(wind, band, xi);
  for (const std::int64_t number : {last - 1, last}) {
    add_block(block_of(wind, band, number, sampler), xi, sampler.air, sampler.row,
              sampler.band.data());
  }
  const std::size_t count = sampler.band.size();
  for (std::size_t i = 0; i < count; ++i) plane[i] += sampler.band[i];
  const float ragged = at(sampler.ragged, band);
  if (level.values == 3 || ragged == 0) return;
  for (std::size_t i = 0; i < count; ++i) plane[count + i] += ragged * sampler.band[i];
}

// In the middle between the third and the fourth of six values at even distances.
constexpr float middle_weights[3] = {3.0F / 256, -25.0F / 256, 150.0F / 256};

// The plane of a level with that number, which stands at number × spacing.
const float* gust_plane(const Wind& wind, std::size_t level_number, std::int64_t number,
                        WindSampler& sampler) {
  GustLevel& level = sampler.levels[level_number];
  const std::size_t nodes = sampler.band.size() / 3, count = nodes * as_size(level.values);
  constexpr std::int64_t kept = GustLevel::kept;
  const auto slot = static_cast<std::size_t>((number % kept + kept) % kept);
  float* plane = &level.planes[slot * count];
  if (level.filled[slot] && level.number[slot] == number) return plane;
  level.filled[slot] = true;
  level.number[slot] = number;

  std::fill_n(plane, count, 0.0F);
  if (level_number + 1 < sampler.levels.size()) {
    const std::size_t coarser_count = nodes * as_size(sampler.levels[level_number + 1].values);
    const std::int64_t below = (number - (number & 1)) / 2;
    if ((number & 1) == 0) {
      std::copy_n(gust_plane(wind, level_number + 1, below, sampler), coarser_count, plane);
    } else {
      std::array<const float*, 6> p;
      // Downwards, as numbers fall with time: so the six that a level keeps are those asked for next.
      for (int i = 5; i >= 0; --i)
        at(p, i) = gust_plane(wind, level_number + 1, below - 2 + i, sampler);
      for (std::size_t i = 0; i < coarser_count; ++i) {
        plane[i] = middle_weights[0] * (p[0][i] + p[5][i]) +
                   middle_weights[1] * (p[1][i] + p[4][i]) +
                   middle_weights[2] * (p[2][i] + p[3][i]);
      }
    }
  }
  const double xi = static_cast<double>(number) * level_spacing(wind, sampler, level_number);
  const int band = sampler.finest_band + static_cast<int>(level_number);
  // Waves too short for the finest planes are there at least.
  for (int b = level_number == 0 ? 0 : band; b <= band; ++b)
    add_band(wind, b, xi, sampler, level, plane);
  return plane;
}

// Writes a plane of gusts into its place in the rings of the lattice.
void write_plane(const Wind& wind, std::int64_t number, WindSampler& sampler) {
  const float* plane = gust_plane(wind, 0, number, sampler);
  AirLattice& air = sampler.air;
  const std::size_t values = sampler.band.size();
  const bool has_ragged = sampler.levels[0].values == 6;
  const auto place =
      static_cast<std::size_t>((number % air.nodes_along + air.nodes_along) % air.nodes_along);
  const auto along_axes = [&](const float* at) {
    return wind.axes_world[0] * static_cast<double>(at[0]) +
           wind.axes_world[1] * static_cast<double>(at[values / 3]) +
           wind.axes_world[2] * static_cast<double>(at[values / 3 * 2]);
  };
  const std::size_t ring = as_size(air.nodes_along) + 1;
  for (int k = 0; k < air.nodes_up; ++k) {
    for (int j = 0; j < air.nodes_across; ++j) {
      const float* at = plane + j * sampler.row + k;
      AirNode* node = &air.velocity_world[as_size(k * air.nodes_across + j) * ring];
      node[place] =
          air_node(wind.mean_world + along_axes(at), has_ragged ? along_axes(at + values) : Vec3{});
      if (place == 0) node[ring - 1] = node[0];
    }
  }
}

}  // namespace

WindSampler make_wind_sampler(const Wind& wind, const Box& around) {
  WindSampler sampler;
  sampler.around = around;
  AirLattice& air = sampler.air;
  sampler.gusty = has_gusts(wind);
  if (!sampler.gusty) {
    air.velocity_world = {air_node(wind.mean_world)};
    return sampler;
  }
  const Vec3 size = around.max - around.min;
  const double margin = 0.125 * std::max({size.x, size.y, size.z, 1e-3});
  air.axes_world = wind.axes_world;
  place_along(wind, extent_along(around, wind.axes_world[0]), margin, sampler);
  place_across(wind, extent_along(around, wind.axes_world[1]),
               extent_along(around, wind.axes_world[2]), air);
  sampler.row = (air.nodes_up + floats_a_pack - 1) / floats_a_pack * floats_a_pack;

  const std::size_t nodes = as_size(air.nodes_across * sampler.row);
  sampler.band.resize(3 * nodes);
  for (int band = 0; band < gust_bands; ++band)
    at(sampler.ragged, band) = ragged_part(wind, band, air.spacing_across);
  sampler.blocks.resize(as_size(2 * gust_bands));
  for (SampledBlock& block : sampler.blocks) {
    for (auto* part : {&block.across_cosine, &block.across_sine})
      part->resize(as_size(lines_per_block * air.nodes_across));
    for (auto* part : {&block.up_cosine, &block.up_sine})
      part->resize(as_size(lines_per_block * sampler.row));
  }
  sampler.levels.resize(as_size(gust_bands - sampler.finest_band));
  for (std::size_t i = 0; i < sampler.levels.size(); ++i) {
    GustLevel& level = sampler.levels[i];
    const std::size_t finest = i == 0 ? 0 : as_size(sampler.finest_band) + i;
    level.values = sampler.ragged[finest] > 0 ? 6 : 3;
    level.planes.resize(GustLevel::kept * nodes * as_size(level.values));
  }
  air.velocity_world.resize(as_size(air.nodes_across * air.nodes_up) *
                            (as_size(air.nodes_along) + 1));
  sample_wind(wind, 0, sampler);
  return sampler;
}

void sample_wind(const Wind& wind, double time, WindSampler& sampler) {
  sampler.moment = time;
  if (!sampler.gusty) return;  // made for a wind that does not change
  AirLattice& air = sampler.air;
  const double moved = wind.speed * time;
  const auto first = static_cast<std::int64_t>(
      std::clamp(std::floor((sampler.upwind - moved) / air.spacing_along), -9e15, 9e15));
  const std::int64_t end = first + air.nodes_along;
  // Planes that stay need not be written again.
  const std::int64_t old_first = sampler.filled ? sampler.first_plane : end;
  const std::int64_t old_end = sampler.filled ? old_first + air.nodes_along : end;
  for (std::int64_t number = end - 1; number >= first; --number) {
    if (number < old_first || number >= old_end) write_plane(wind, number, sampler);
  }
  sampler.first_plane = first;
  sampler.filled = true;
  air.first[0] = static_cast<double>(first) * air.spacing_along + moved;
  air.ring_start = static_cast<int>((first % air.nodes_along + air.nodes_along) % air.nodes_along);
}

}  // namespace thigmo
