#include "simulation/save/plant_fields.h"

namespace thigmo {

void check_plant_shape(const Plant& plant, FieldReader& reader) {
  if (!reader.sound()) return;
  if (plant.segments.empty()) return reader.refuse("there is a plant without segments");
  if (const Result<Done> sound = check_structure(plant); !sound) {
    return reader.refuse(sound.diagnostics().front().message);
  }
  for (const Segment& s : plant.segments) {
    if (s.given != no_index && as_size(s.given) >= plant.given_bodies.size()) {
      return reader.refuse("a segment has a stated body that is not there");
    }
  }
  for (const Organ& organ : plant.organs) {
    const QuatT<float>& q = organ.rotation;
    if (!(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z > 0.5f)) {
      return reader.refuse("an organ is turned by no rotation");
    }
  }
  for (const Index end : plant.whole_ends) {
    if (end >= segment_count(plant)) return reader.refuse("a whole segment ends behind the last");
  }
}

std::size_t saved_bytes(const Plant& plant) {
  constexpr std::size_t of_segment = 150, of_organ = 60, of_given = 150, of_material = 100;
  return 500 + plant.segments.size() * of_segment + plant.organs.size() * of_organ +
         plant.given_bodies.size() * of_given + plant.materials.size() * of_material +
         plant.whole_ends.size() * sizeof(Index);
}

}  // namespace thigmo
