#pragma once

// What acts on plants, field by field.

#include "simulation/save/state_fields.h"

namespace thigmo {

template <class Archive, class AnyLoad>
void visit_point_load(Archive& archive, AnyLoad& load, std::size_t bodies) {
  archive.index("body of a force", load.body, 0, bodies);
  archive.number("place of a force", load.point_in_body);
  archive.number("force", load.force);
  archive.number("moment", load.moment);
  archive.truth("truth of a follower", load.follower);
}
inline constexpr std::size_t point_load_bytes = 4 + 9 * 8 + 1;

template <class Archive, class AnyLoad>
void visit_grab_load(Archive& archive, AnyLoad& load, std::size_t bodies) {
  archive.index("body of a grab", load.body, 0, bodies);
  archive.number("place of a grab", load.point_in_body);
  archive.number("target of a grab", load.target_world);
  archive.number("velocity of a grab's target", load.target_velocity_world);
  archive.number("stiffness of a grab", load.stiffness, Must::not_be_negative);
  archive.number("damping of a grab", load.damping, Must::not_be_negative);
}
inline constexpr std::size_t grab_load_bytes = 4 + 11 * 8;

template <class Archive, class AnyGround>
void visit_ground(Archive& archive, AnyGround& ground) {
  archive.number("height of the ground", ground.height);
  archive.number("stiffness of the ground", ground.stiffness, Must::not_be_negative);
  archive.number("damping of the ground", ground.damping, Must::not_be_negative);
  archive.number("friction of the ground", ground.friction, Must::not_be_negative);
}

template <class Archive, class AnyForm>
void visit_ground_form(Archive& archive, AnyForm& form) {
  archive.number("height of the ground", form.height);
  visit_optional_number(archive, "stiffness of the ground", form.stiffness, Must::not_be_negative);
  visit_optional_number(archive, "damping of the ground", form.damping, Must::not_be_negative);
  archive.number("friction of the ground", form.friction, Must::not_be_negative);
}

// Times that ascend, and as many values; curvatures follow from them.
Result<Done> check_path(const RootPath& path);

template <class Archive, class AnyPath>
void visit_path(Archive& archive, AnyPath& path) {
  visit_numbers(archive, "times of a path", path.time, Must::be_finite);
  for (auto& values : path.value) {
    if constexpr (Archive::reads) {
      if (archive.left() / sizeof(double) < path.time.size()) {
        return archive.refuse("it ends within a path");
      }
      values.resize(path.time.size());
    }
    for (auto& value : values) archive.number("place on a path", value);
  }
  visit_frame(archive, path.start);
  if constexpr (Archive::reads) {
    if (!archive.sound() || path.time.empty()) return;
    if (const Result<Done> sound = check_path(path); !sound) {
      return archive.refuse(sound.diagnostics().front().message);
    }
    const PlantFrame start = path.start;
    path = make_root_path(std::move(path.time), std::move(path.value));
    path.start = start;
  }
}

// How many bodies a plant of this number has; none where there is no such plant.
std::size_t bodies_of(const Simulation& simulation, std::size_t plant);

template <class Archive, class AnyNumber>
void visit_plant_number(Archive& archive, const char* name, AnyNumber& plant,
                        const Simulation& simulation) {
  auto number = static_cast<Index>(plant);
  archive.index(name, number, 0, simulation.plants.size());
  if constexpr (Archive::reads) plant = number == no_index ? 0 : as_size(number);
}

template <class Archive, class AnyForce>
void visit_force(Archive& archive, AnyForce& force, const Simulation& simulation) {
  visit_plant_number(archive, "plant of a force", force.plant, simulation);
  visit_point_load(archive, force.load, bodies_of(simulation, force.plant));
  archive.number("flexibility at a force", force.end_flexibility);
  archive.number("start of a force", force.start, Must::be_a_number);
  archive.number("end of a force", force.end, Must::be_a_number);
  archive.number("frequency of a force", force.omega);
  archive.number("phase of a force", force.phase);
  archive.number("name of a force", force.number);
}
inline constexpr std::size_t force_bytes = 4 + point_load_bytes + 3 * 8 + 4 * 8 + 4;

template <class Archive, class AnyGrab>
void visit_grab(Archive& archive, AnyGrab& grab, const Simulation& simulation) {
  visit_plant_number(archive, "plant of a grab", grab.plant, simulation);
  visit_grab_load(archive, grab.load, bodies_of(simulation, grab.plant));
  visit_path(archive, grab.path);
  archive.number("release of a grab", grab.release, Must::be_a_number);
  archive.number("name of a grab", grab.number);
  archive.number("target of a grab", grab.last_target_world);
}
inline constexpr std::size_t grab_bytes = 4 + grab_load_bytes + 8 + 7 * 8 + 8 + 4 + 3 * 8;

template <class Archive, class AnyProbe>
void visit_probe(Archive& archive, AnyProbe& probe, const Simulation& simulation) {
  archive.text("name of a probe", probe.name);
  archive.number("source of a probe", probe.source);
  archive.number("curvature at a probe", probe.curvature);
  archive.truth("truth of a probe that is gone", probe.gone);
  if (probe.gone) return;
  visit_plant_number(archive, "plant of a probe", probe.plant, simulation);
  archive.index("body of a probe", probe.body, 0, bodies_of(simulation, probe.plant));
  archive.number("place of a probe", probe.point_in_body);
}
inline constexpr std::size_t probe_bytes = 8 + 8 + 3 * 8 + 1;

// Whether the names of loads rise and have been given; those of a scenario that has none are 0.
template <class Load>
bool are_named_in_order(const std::vector<Load>& loads, std::uint32_t given) {
  std::uint32_t last = 0;
  for (const Load& load : loads) {
    if (load.number > given || (load.number <= last && load.number != 0)) return false;
    last = load.number;
  }
  return true;
}

}  // namespace thigmo
