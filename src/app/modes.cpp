#include "thigmo/modes.h"

#include "mechanics/compile/compile_mechanism.h"
#include "mechanics/modes/modes.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>

#include "app/statics.h"
#include "io/disk/file.h"
#include "io/gltf/glb.h"
#include "io/read_plant.h"
#include "io/textures/png.h"
#include "mechanics/statics/inverse_statics.h"
#include "mesh/mesh_size.h"
#include "plant/sizes.h"
#include "plant/subdivide.h"
#include "render/picture.h"
#include "simulation/solver.h"

namespace thigmo {
namespace {

using Clock = std::chrono::steady_clock;

// A plant ready to vibrate.
struct Subject {
  Plant plant;
  Mechanism mechanism;
  PlantFrame stands = {};
  State state;
  Loads loads;
  std::vector<PointLoad> points;
  std::optional<Floor> floor = {};
  Diagnostics notes = {};
  Inputs inputs = {};
};

bool is_scenario(const ModesRequest& request) {
  return !request.scenario_text.empty() || has_kind(request.file, FormatKind::scenario);
}

Result<Subject> from_scenario(const ModesRequest& request) {
  if (request.young || request.density || request.poisson || request.shear || request.shear_ratio) {
    return error("young, density, poisson and shear are keys of a scenario's plants",
                 "change them there, for example --set plant.0.young=1e9");
  }
  Inputs inputs;
  Result<Simulation> simulation =
      standing_simulation(request.file, request.scenario_text, request.overrides, inputs);
  if (!simulation) return simulation.diagnostics();
  std::size_t number = 0;
  if (!request.plant.empty()) {
    while (number < simulation->plants.size() && simulation->plants[number].name != request.plant) {
      ++number;
    }
    if (number == simulation->plants.size()) {
      return error(fmt::format("the scenario has no plant named '{}'", request.plant));
    }
  }
  SimulatedPlant& plant = simulation->plants[number];
  const Result<Done> jointed = needs_joints(plant, "no modes can be found");
  if (!jointed) return jointed.diagnostics();
  Subject subject{.plant = plant.model->plant,
                  .mechanism = plant.model->mechanism,
                  .stands = plant.stands,
                  .state = std::move(plant.state),
                  .loads = {.gravity_world = simulation->gravity_world},
                  .points = standing_loads(*simulation, number)};
  subject.plant.name = plant.name;
  subject.notes = std::move(simulation->notes);
  subject.inputs = std::move(inputs);
  if (plant.ground) subject.floor = make_floor(subject.plant, plant.ground->height, plant.stands);
  return subject;
}

// Options that say what a tree's wood is.
Result<Done> check_wood(const ModesRequest& request) {
  const auto refuse = [](const char* what, double value, const char* range) {
    return error(fmt::format("{} cannot be {}", what, value), range);
  };
  const auto positive = [](const std::optional<double>& value) {
    return !value || (*value > 0 && std::isfinite(*value));
  };
  if (!positive(request.young)) {
    return refuse("Young's modulus", *request.young, "it is a positive number of pascals");
  }
  if (!positive(request.density)) {
    return refuse("the density", *request.density, "it is a positive number of kg/m^3");
  }
  if (request.poisson && !(*request.poisson > -1 && *request.poisson <= 0.5)) {
    return refuse("Poisson's ratio", *request.poisson, "it is between -1 and 0.5");
  }
  if (!positive(request.shear)) {
    return refuse("the shear modulus", *request.shear, "it is a positive number of pascals");
  }
  if (!positive(request.shear_ratio)) {
    return refuse("the shear ratio", *request.shear_ratio, "G/E of wood is about 0.07");
  }
  if (request.poisson.has_value() + request.shear.has_value() + request.shear_ratio.has_value() >
      1) {
    return error("poisson, shear and shear-ratio say the same in three ways", "give one of them");
  }
  return Done{};
}

Result<Subject> from_tree(const ModesRequest& request) {
  if (const Result<Done> done = check_wood(request); !done) return done.diagnostics();
  const FileFormat* format = find_format(request.file);
  if (format == nullptr || !reads_plants(*format)) {
    return error(
        fmt::format("'{}' is neither a scenario nor a tree that can be read", request.file),
        "scenarios end in .toml; trees in " + format_endings(reads_plants));
  }
  const Result<std::string> bytes = read_file(request.file);
  if (!bytes) return bytes.diagnostics();
  Result<ImportedPlant> imported =
      read_plant(format->format, *bytes, request.file, {.species = request.species});
  if (!imported) return imported.diagnostics();
  Subject subject{.plant = std::move(imported->plant)};
  for (const std::string& words : imported->notes)
    subject.notes.push_back(note(words, request.file));
  subject.inputs.add(request.file);
  for (Material& material : subject.plant.materials) {
    if (request.young) material.young = *request.young;
    if (request.density) material.density = *request.density;
    if (request.poisson) {
      material.poisson = *request.poisson;
      material.shear_ratio = 0;
    }
    if (request.shear) material.shear_ratio = *request.shear / material.young;
    if (request.shear_ratio) material.shear_ratio = *request.shear_ratio;
  }
  if (request.pieces && (*request.pieces < 1 || *request.pieces > 100)) {
    return error(fmt::format("segments cannot be cut into {} pieces", *request.pieces));
  }
  subject.plant = subdivided(subject.plant, request.pieces);
  subject.mechanism = compile_mechanism(subject.plant, {}, subject.loads.gravity_world);
  subject.state = rest_state(subject.mechanism);
  return subject;
}

// The rest shape that makes the shape as modelled or measured stand under the loads.
Result<Done> stand_as_modelled(Subject& subject) {
  subject.mechanism = compile_mechanism(subject.plant, {}, subject.loads.gravity_world);
  subject.state = rest_state(subject.mechanism, subject.stands);
  const InverseReport report =
      make_pose_equilibrium(subject.loads, subject.mechanism, subject.state);
  if (report.found) return Done{};
  return error(
      fmt::format("no rest shape lets the plant '{}' stand as modelled: segment {} would have to "
                  "bend by {:.0f} degrees or more",
                  subject.plant.name, report.at,
                  report.largest_joint_angle * 180 / std::numbers::pi),
      "give it a stiffer material or thicker stems");
}

// Where the vibrations are about.
Result<Done> settle(const ModesRequest& request, Subject& subject) {
  subject.loads.points = subject.points;
  if (request.about == "rest") {
    subject.loads = {.gravity_world = {}};
    subject.state = rest_state(subject.mechanism, subject.stands);
    return Done{};
  }
  if (request.about == "modelled") {
    if (const Result<Done> done = stand_as_modelled(subject); !done) return done;
  }
  EquilibriumOptions options;
  if (subject.floor) options = {.most_iterations = 6000, .floor = &*subject.floor};
  const EquilibriumReport report =
      find_equilibrium(subject.mechanism, subject.loads, options, subject.state);
  if (!report.contacts.empty()) {
    return error(fmt::format("the plant '{}' touches the ground, and such vibrations are not known",
                             subject.plant.name),
                 "lift it, or leave out [ground]");
  }
  if (!report.converged) return no_equilibrium(subject.plant, report);
  return Done{};
}

// Turn of a joint in a mode, in the frame of the segment behind it.
Vec3 joint_turn(const Subject& subject, const Pose& pose, const Mode& mode, std::size_t i) {
  const Index p = subject.mechanism.parent[i];
  const Vec3 turn = mode.turn_world[i] - (p == no_index ? Vec3{} : at(mode.turn_world, p));
  return rotate(conjugate(pose.world_from_segment[i]), turn);
}

// Σ θ_y (Kθ)_y / Σ θᵀKθ over all joints.
double twist_share(const Subject& subject, const Pose& pose, const Mode& mode) {
  double twist = 0, all = 0;
  for (std::size_t i = 0; i < mode.turn_world.size(); ++i) {
    const Vec3 turn = joint_turn(subject, pose, mode, i);
    const Vec3 energy = scale(turn, joint_stiffness(subject.mechanism.body[i]) * turn);
    twist += energy.y;
    all += energy.x + energy.y + energy.z;
  }
  return all > 0 ? twist / all : 0;
}

// One period of a mode as a looping motion; its largest deflection is 12 % of the plant's size.
Motion motion_of(const Subject& subject, const Mode& mode) {
  const std::vector<Vec3> move =
      joint_displacements(subject.mechanism, subject.state, mode.turn_world);
  const Pose pose = pose_of(subject.mechanism, subject.state);
  const Box box = bounding_box(subject.plant, pose);
  double largest = 0;
  for (std::size_t i = 0; i < move.size(); ++i) {
    const Vec3 along = rotate(pose.world_from_segment[i], {0, subject.plant.segments[i].length, 0});
    largest = std::max(largest, length(move[i] + cross(mode.turn_world[i], along)));
  }
  const double amplitude = largest > 0 ? 0.12 * length(box.max - box.min) / largest : 0;
  // Slow enough to see, quick enough to tell modes apart.
  const double period = std::clamp(1 / mode.frequency, 0.5, 4.0);
  constexpr int frames = 24;
  Motion motion;
  for (int frame = 0; frame <= frames; ++frame) {
    const double phase = 2 * std::numbers::pi * frame / frames;
    State bent = subject.state;
    for (std::size_t i = 0; i < bent.rest_from_body.size(); ++i) {
      const Vec3 local = joint_turn(subject, pose, mode, i);
      bent.rest_from_body.set(i, normalized(bent.rest_from_body[i] *
                                            exp_rotation(local * (amplitude * std::sin(phase)))));
    }
    motion.times.push_back(period * frame / frames);
    motion.poses.push_back(pose_of(subject.mechanism, bent));
  }
  return motion;
}

// Looks level across the widest swing, so that it is seen at its full width.
Vec3 across_swing(const Pose& there, const Pose& back) {
  Vec3 widest;
  for (std::size_t i = 0; i < there.base_world.size(); ++i) {
    const Vec3 swing = there.base_world[i] - back.base_world[i];
    if (squared_length(swing) > squared_length(widest)) widest = swing;
  }
  const Vec3 level = cross({0, 1, 0}, widest);
  const Vec3 usual = Framing{}.view_direction_world;
  if (length(level) < 0.1 * length(widest) || length(widest) == 0) return usual;
  const Vec3 view = normalized(level);
  return (dot(view, usual) < 0 ? -view : view) + Vec3{0, -0.1, 0};
}

Result<Done> write_mode(const Subject& subject, const Mode& mode, const std::string& stem) {
  const Motion motion = motion_of(subject, mode);
  const MovingPlant moving{.plant = &subject.plant, .motion = &motion, .stands = subject.stands};
  if (const Result<Done> done = check_sizes({&moving, 1}, Precision::single); !done) return done;
  if (const Result<Done> done = check_mesh({&moving, 1}, {}); !done) return done;
  const Result<std::string> glb = glb_bytes({&moving, 1});
  if (!glb) return glb.diagnostics();
  if (const Result<Done> done = write_file(stem + ".glb", *glb); !done) return done;
  // Both ends of the swing in one picture.
  const PosedPlant ends[2] = {{.plant = &subject.plant, .pose = &motion.poses[6]},
                              {.plant = &subject.plant, .pose = &motion.poses[18]}};
  const Framing framing{.view_direction_world = across_swing(motion.poses[6], motion.poses[18])};
  const Image image = render_picture(ends, frame_camera({&moving, 1}, 1.0, framing),
                                     {.width = 480, .height = 480, .samples = 8});
  return write_file(stem + ".png", png_bytes(image));
}

Result<ModesSummary> find(const ModesRequest& request) {
  if (request.about != "rest" && request.about != "equilibrium" && request.about != "modelled") {
    return error(fmt::format(
        "modes are about \"rest\", \"equilibrium\" or \"modelled\", not \"{}\"", request.about));
  }
  if (request.count < 1 || request.count > 1000) {
    return error(fmt::format("{} modes cannot be asked for", request.count), "1 to 1000 can");
  }
  Result<Subject> subject = is_scenario(request) ? from_scenario(request) : from_tree(request);
  if (!subject) return subject.diagnostics();
  const Clock::time_point start = Clock::now();
  if (const Result<Done> done = settle(request, *subject); !done) return done.diagnostics();
  const Modes modes =
      find_modes(subject->mechanism, subject->loads, subject->state, {.count = request.count});
  const Pose modelled = rest_pose(subject->plant, subject->stands),
             pose = pose_of(subject->mechanism, subject->state);
  double sag = 0;
  for (Index i = 0; i < segment_count(subject->plant); ++i) {
    sag = std::max(sag, length(point_on_segment(subject->plant, pose, i, 1) -
                               point_on_segment(subject->plant, modelled, i, 1)));
  }
  ModesSummary summary{.plant = subject->plant.name,
                       .segments = subject->plant.segments.size(),
                       .about = request.about,
                       .sag = sag,
                       .solves = modes.solves};
  summary.notes = std::move(subject->notes);
  summary.wall_ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  if (modes.fluttering > 0) {
    return error(fmt::format("the plant '{}' flutters: {} of its vibrations grow, fed by "
                             "follower loads",
                             subject->plant.name, modes.fluttering),
                 "weaken these loads, or stiffen the plant");
  }
  if (!modes.stable) {
    return error(fmt::format("the plant '{}' does not stand: {} of its motions grow instead of "
                             "vibrating",
                             subject->plant.name, modes.negative_directions),
                 "stiffen it, or ask for the modes about rest");
  }
  if (!modes.converged) {
    return error(fmt::format("the modes of '{}' did not converge in {} solutions",
                             subject->plant.name, modes.solves));
  }
  double mass = 0;
  for (const Body& body : subject->mechanism.body) mass += body.mass;
  for (const Mode& mode : modes.modes) {
    summary.frequencies_hz.push_back(mode.frequency);
    summary.twist_share.push_back(twist_share(*subject, pose, mode));
    summary.damping_ratios.push_back(damping_ratio_of(mode, subject->mechanism, subject->state));
    const Vec3 moved = effective_mass(mode, subject->mechanism, subject->state);
    summary.mass_share.push_back((moved.x + moved.z) / mass);
  }
  if (!request.out_folder.empty()) {
    if (const Result<Done> done = make_folder(request.out_folder); !done) return done.diagnostics();
    for (std::size_t i = 0; i < modes.modes.size(); ++i) {
      for (const char* ending : {".glb", ".png"}) {
        const std::string path = fmt::format("{}/mode_{}{}", request.out_folder, i + 1, ending);
        const Result<Done> spared = subject->inputs.spare(path, "the mode", "choose another --out");
        if (!spared) return spared.diagnostics();
      }
    }
    for (std::size_t i = 0; i < modes.modes.size(); ++i) {
      const std::string name = fmt::format("mode_{}", i + 1);
      const Result<Done> done =
          write_mode(*subject, modes.modes[i], request.out_folder + "/" + name);
      if (!done) return done.diagnostics();
      summary.files.push_back(name + ".glb");
      summary.files.push_back(name + ".png");
    }
  }
  return summary;
}

}  // namespace

Outcome<ModesSummary> modes(const ModesRequest& request) {
  return attempt([&] { return find(request); });
}

}  // namespace thigmo
