#pragma once

#include "api/common.h"
#include "plant/plant.h"

namespace thigmo {

struct GrownPlantContent {
  Plant plant;         // its root in the origin of its frame
  Vec3 root;           // where it was grown [m]
  bool rests = false;  // at rest as it is, rather than standing so under its weight
  double height = 0;   // [m]
  Method method = Method::articulated;
  ParticleSettings particles = {};
};

// The way into and out of a GrownPlant.
struct GrownPlantAccess {
  static GrownPlant grown(Plant plant, bool rests, Method method = Method::articulated,
                          const ParticleSettings& particles = {});
  // All of it as bytes, and made of them again; what is no plant is refused.
  static std::string bytes(const GrownPlant& plant);
  static Result<GrownPlant> from_bytes(std::string_view bytes);
  static const GrownPlantContent* content(const GrownPlant& plant) { return plant.content_.get(); }
};

Result<GrownPlant> grow_grammar(const GrammarPlant& plant, Diagnostics& notes);
Result<GrownPlant> grow_rod(const RodPlant& rod);

}  // namespace thigmo
