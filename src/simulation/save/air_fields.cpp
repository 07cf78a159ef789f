#include "simulation/save/air_fields.h"

#include <algorithm>

#include "environment/wind.h"

namespace thigmo {
namespace {

constexpr double farthest_air = 1e100;  // [m]

}  // namespace

void make_saved_wind(const Vec3& mean, bool gusty, Wind& wind, FieldReader& reader) {
  const double sigma = wind.sigma;
  const WindModel model{.kind = gusty ? WindKind::gusty : WindKind::uniform,
                        .mean_world = mean,
                        .intensity = 1,
                        .length_scale = gusty ? wind.length_scale : 1,
                        .decay = wind.decay,
                        .seed = wind.seed};
  if (!reader.sound()) {
    wind = {};
    return;
  }
  if (const Result<Done> sound = check_wind(model); !sound) {
    reader.refuse(sound.diagnostics().front().message);
    wind = {};
    return;
  }
  wind = make_wind(model);
  if (has_gusts(wind) != gusty) return reader.refuse("there are gusts in no wind");
  if (gusty) wind.sigma = sigma;
}

void check_lattice(const AirLattice& air, FieldReader& reader) {
  if (!reader.sound()) return;
  constexpr int most_nodes = 1 << 20;
  const std::size_t across = as_size(air.nodes_across), up = as_size(air.nodes_up);
  const bool one = air.nodes_along == 1 && across == 1 && up == 1;
  const bool several = air.nodes_along > 1 && across > 1 && up > 1;
  if (!(one || several) || air.nodes_along > most_nodes || air.nodes_across > most_nodes ||
      air.nodes_up > most_nodes || air.ring_start >= air.nodes_along) {
    return reader.refuse("the nodes of the air are none");
  }
  const std::size_t ring = one ? 1 : as_size(air.nodes_along) + 1;
  if (air.velocity_world.size() / ring / across != up ||
      air.velocity_world.size() != ring * across * up) {
    reader.refuse("the air has not as many velocities as nodes");
  }
}

void check_air(const SimulatedPlant& plant, FieldReader& reader) {
  if (!reader.sound()) return;
  const auto [min, max] = plant.wind.around;
  const auto fits = [](double low, double high) {
    return -farthest_air <= low && low <= high && high <= farthest_air;
  };
  if (!fits(min.x, max.x) || !fits(min.y, max.y) || !fits(min.z, max.z)) {
    return reader.refuse("the air around a plant is nowhere");
  }
  if (plant.wind_ease && !(plant.wind_ease->begin < plant.wind_ease->end)) {
    reader.refuse("a wind comes up in no time");
  }
}

void make_air(SimulatedPlant& plant) {
  const double moment = plant.wind.moment;
  const WindSampler saved_air = std::move(plant.wind);
  plant.wind = make_wind_sampler(plant.wind_model, saved_air.around);
  sample_wind(plant.wind_model, moment, plant.wind);
  // A wind without gusts may change by keys.
  if (!has_gusts(plant.wind_model)) plant.wind.air.velocity_world = saved_air.air.velocity_world;
  if (!plant.keyed_air.velocity_world.empty()) {
    plant.keyed_air = plant.wind.air;
    strengthen(plant.gust_strength, plant.keyed_air);
  }
  if (!plant.wind_ease) return;
  const WindEase saved = std::move(*plant.wind_ease);
  plant.wind_ease = make_wind_ease(saved.before, plant.wind.air, saved.begin, saved.end);
  if (saved.begun) ease_wind(moment, plant.wind.air, *plant.wind_ease);
}

}  // namespace thigmo
