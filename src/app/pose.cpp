#include "thigmo/pose.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numbers>

#include "app/statics.h"
#include "io/disk/file.h"
#include "mechanics/compile/compile_mechanism.h"
#include "mechanics/modes/modes.h"
#include "mechanics/statics/chain.h"
#include "mechanics/statics/equilibrium.h"
#include "mechanics/statics/inverse_statics.h"
#include "mechanics/statics/section_forces.h"
#include "simulation/solver.h"

namespace thigmo {
namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

// Flutter is looked for in plants of up to so many segments: it takes 60 vibrations.
constexpr Index most_for_flutter = 3000;

// What a method says about one plant.
struct Found {
  bool settled = true;
  int iterations = 0;
  double residual = 0;
  std::optional<bool> stable;
  bool flutters = false;
  double largest_rest_angle = 0;
  double wall_ms = 0;
  Pose pose;
  std::optional<ChainPose> chain = {};   // where the method is one of chains
  std::vector<PointLoad> contacts = {};  // what the ground pushes with
  std::vector<SegmentForces> forces = {};
};

// Beyond so much a joint, errors are some percent of how far the plant bends [rad].
constexpr double coarse_turn = 0.6;

double largest_angle(const State& state) {
  double largest = 0;
  for (std::size_t i = 0; i < state.rest_from_body.size(); ++i) {
    largest = std::max(largest, length(log_rotation(state.rest_from_body[i])));
  }
  return largest;
}

Result<Found> by_newton(const PoseRequest& request, const Loads& loads, const Floor* floor,
                        SimulatedPlant& plant) {
  EquilibriumOptions options{.branch_world = {}, .floor = floor};
  // Tips come and go: many steps, but not many seconds for a large plant.
  if (floor)
    options.most_iterations =
        std::clamp(12'000'000 / body_count(plant.model->mechanism), 400, 6000);
  if (request.branch) options.branch_world = vector(*request.branch);
  const Clock::time_point start = Clock::now();
  const EquilibriumReport report =
      find_equilibrium(plant.model->mechanism, loads, options, plant.state);
  const double wall = milliseconds_since(start);
  if (!report.converged) return no_equilibrium(plant.model->plant, report);
  // The static stiffness cannot tell whether a follower load feeds a vibration.
  bool flutters = false;
  // Tips on the ground are left unjudged: modes know nothing of them.
  if (report.follower_loads && report.stable && report.contacts.empty() &&
      body_count(plant.model->mechanism) <= most_for_flutter) {
    flutters = find_modes(plant.model->mechanism, loads, plant.state, {.count = 6}).fluttering > 0;
  }
  return Found{.iterations = report.iterations,
               .residual = report.residual,
               .stable = report.stable && !flutters,
               .flutters = flutters,
               .largest_rest_angle = largest_angle(plant.state),
               .wall_ms = wall,
               .pose = pose_of(plant.model->mechanism, plant.state),
               .contacts = report.contacts};
}

Result<Found> rest_from_pose(const Loads& loads, SimulatedPlant& plant) {
  const Clock::time_point start = Clock::now();
  // Of the plant as modelled, whatever start the scenario gave it.
  auto standing = std::make_shared<PlantModel>(*plant.model);
  standing->mechanism = compile_mechanism(standing->plant);
  plant.state = rest_state(standing->mechanism, plant.stands);
  const InverseReport report = make_pose_equilibrium(loads, standing->mechanism, plant.state);
  standing->step_model = make_step_model(standing->mechanism);
  plant.model = std::move(standing);
  const double wall = milliseconds_since(start);
  if (!report.found) {
    return error(fmt::format("no rest shape lets the plant '{}' stand as modelled: segment {} "
                             "would have to bend by {:.0f} degrees or more",
                             plant.name, report.at, report.largest_joint_angle * 57.29577951308232),
                 "give it a stiffer material or thicker stems");
  }
  // How well it is in balance, by the equations of the forward problem.
  Statics statics;
  evaluate_statics(plant.model->mechanism, loads, 1.0, plant.state, statics);
  double out = 0;
  for (const Vec3& torque : statics.imbalance) out = std::max(out, length(torque));
  return Found{.iterations = 1,
               .residual = statics.largest_held > 0 ? out / statics.largest_held : 0,
               .stable = report.falling == 0,
               .largest_rest_angle = report.largest_joint_angle,
               .wall_ms = wall,
               .pose = pose_of(plant.model->mechanism, plant.state)};
}

Result<ChainOptions> chain_options(const PoseRequest& request) {
  ChainOptions options{.load_increments = request.load_increments,
                       .tolerance = request.tolerance,
                       .most_iterations = request.most_sweeps,
                       .go_on = request.keep_unsettled};
  const struct {
    const char* name;
    ChainElement element;
    ChainForm form;
  } methods[] = {
      {"chain-1r", ChainElement::one_joint, ChainForm::linear},
      {"chain-3r", ChainElement::three_joints, ChainForm::linear},
      {"chain-1r-quadratic", ChainElement::one_joint, ChainForm::quadratic},
      {"chain-3r-quadratic", ChainElement::three_joints, ChainForm::quadratic},
      {"chain-1r-outer", ChainElement::one_joint, ChainForm::outer},
      {"chain-3r-outer", ChainElement::three_joints, ChainForm::outer},
  };
  std::vector<std::string> names = {"newton"};
  for (const auto& method : methods) {
    names.emplace_back(method.name);
    if (request.method == method.name) {
      options.element = method.element;
      options.form = method.form;
      return options;
    }
  }
  const std::string near = closest_word(request.method, names);
  return error(fmt::format("there is no method '{}'", request.method),
               near.empty() ? "methods: newton, chain-1r, chain-3r, chain-1r-quadratic, "
                              "chain-3r-quadratic, chain-1r-outer, chain-3r-outer"
                            : fmt::format("did you mean '{}'?", near));
}

Result<Found> by_chain(const ChainOptions& options, const Loads& loads,
                       const SimulatedPlant& plant) {
  for (const PointLoad& load : loads.points) {
    if (load.follower) {
      return error("the chain algorithm has no follower loads",
                   "use the method newton, or follower = false");
    }
  }
  const Clock::time_point start = Clock::now();
  const ChainPose chain = bend_chain(plant.model->plant, loads, options, plant.stands);
  const double wall = milliseconds_since(start);
  if (!chain.report.converged && !options.go_on) {
    return error(
        fmt::format("the chain of '{}' did not come to rest: after {} sweeps it stood still at "
                    "{:.4g} of the loads, and moved {:.3g} m in the last sweep",
                    plant.name, chain.report.iterations, chain.report.load_fraction,
                    chain.report.last_move),
        "take more load increments or elements, or the method newton");
  }
  return Found{.settled = chain.report.converged,
               .iterations = chain.report.iterations,
               .residual = chain.report.last_move,
               .stable = std::nullopt,
               .largest_rest_angle = 0,
               .wall_ms = wall,
               .pose = chain.pose,
               .chain = chain};
}

// A point on a segment; the elements of a chain are bent themselves.
Vec3 point_of(const Plant& plant, const Found& found, std::size_t segment, double fraction) {
  return found.chain ? point_on_chain(*found.chain, segment, fraction)
                     : point_on_segment(plant, found.pose, static_cast<Index>(segment), fraction);
}

std::string pose_csv(const Simulation& simulation, const std::vector<Found>& found) {
  std::string csv = "plant,segment,x,y,z,qw,qx,qy,qz,tip_x,tip_y,tip_z\n";
  for (std::size_t k = 0; k < found.size(); ++k) {
    const Pose& pose = found[k].pose;
    const Plant& plant = simulation.plants[k].model->plant;
    for (std::size_t i = 0; i < pose.base_world.size(); ++i) {
      const Vec3 &p = pose.base_world[i], tip = point_of(plant, found[k], i, 1);
      const Quat& q = pose.world_from_segment[i];
      csv += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}\n", simulation.plants[k].name, i, p.x,
                         p.y, p.z, q.w, q.x, q.y, q.z, tip.x, tip.y, tip.z);
    }
  }
  return csv;
}

void add_probes(const Simulation& simulation, const std::vector<Found>& found,
                PoseSummary& summary) {
  for (const Probe& probe : simulation.probes) {
    const Found& of = found[probe.plant];
    const Plant& plant = simulation.plants[probe.plant].model->plant;
    const auto i = as_size(probe.body);
    const double fraction = probe.point_in_body.y / plant.segments[i].length;
    const Vec3 beside{probe.point_in_body.x, 0, probe.point_in_body.z};
    const Vec3 position =
        point_of(plant, of, i, fraction) + rotate(of.pose.world_from_segment[i], beside);
    const Quat q = of.chain ? of.chain->world_from_tip[i]
                            : section_rotation(plant, of.forces, of.pose, probe.body, fraction,
                                               probe.curvature);
    summary.probes.push_back(
        {.name = probe.name, .position = numbers(position), .rotation = {q.w, q.x, q.y, q.z}});
  }
}

// The worst section of a plant; its forces as CSV where files are wanted.
void add_stress(const std::vector<SegmentForces>& forces, PoseSummary& summary) {
  for (std::size_t i = 0; i < forces.size(); ++i) {
    if (forces[i].stress > summary.max_stress) {
      summary.max_stress = forces[i].stress;
      summary.max_segment = static_cast<std::int64_t>(i);
    }
    summary.min_safety = std::min(summary.min_safety, forces[i].safety);
  }
}

// Whether what is asked for goes together.
Result<Done> check_request(const PoseRequest& request) {
  if (request.method != "newton" && (request.rest_from_pose || request.branch)) {
    return error("rest shapes and branches are found by the method newton alone");
  }
  if (!request.branch) return Done{};
  const Vec3 branch = vector(*request.branch);
  if (!is_finite(branch) || length(branch) == 0) {
    return error("a branch is a direction to fall to, with a length", "for example --branch 1 0 0");
  }
  if (request.rest_from_pose) {
    return error("the rest shape of a pose is one alone; there is no branch to fall to");
  }
  return Done{};
}

// Leaves pose.csv, sections.csv and, where it was asked for, rest.csv.
Result<Done> write_tables(const PoseRequest& request, const Simulation& simulation,
                          const std::vector<Found>& found, const std::string& sections,
                          const Inputs& inputs, PoseSummary& summary) {
  if (const Result<Done> done = make_folder(request.out_folder); !done) return done.diagnostics();
  std::vector<Found> unloaded;
  for (const SimulatedPlant& plant : simulation.plants) {
    unloaded.push_back({.pose = pose_of(plant.model->mechanism,
                                        rest_state(plant.model->mechanism, plant.stands))});
  }
  std::vector<std::pair<const char*, std::string>> files = {
      {"pose.csv", pose_csv(simulation, found)},
      {"sections.csv", section_forces_head() + sections}};
  if (request.rest_from_pose) files.emplace_back("rest.csv", pose_csv(simulation, unloaded));
  for (const auto& [name, bytes] : files) {
    const Result<Done> spared = inputs.spare(fmt::format("{}/{}", request.out_folder, name),
                                             "the pose", "choose another --out");
    if (!spared) return spared.diagnostics();
  }
  for (const auto& [name, bytes] : files) {
    const Result<Done> done = write_file(request.out_folder + "/" + name, bytes);
    if (!done) return done.diagnostics();
    summary.files.emplace_back(name);
  }
  return Done{};
}

Result<PoseSummary> find_pose(const PoseRequest& request) {
  const bool newton = request.method == "newton";
  ChainOptions chain;
  if (!newton) {
    const Result<ChainOptions> options = chain_options(request);
    if (!options) return options.diagnostics();
    chain = *options;
  }
  if (const Result<Done> done = check_request(request); !done) return done.diagnostics();
  Inputs inputs;
  Result<Simulation> simulation =
      standing_simulation(request.scenario_file, request.scenario_text, request.overrides, inputs);
  if (!simulation) return simulation.diagnostics();

  PoseSummary summary{.method = request.rest_from_pose ? "rest-from-pose" : request.method,
                      .min_safety = std::numeric_limits<double>::infinity()};
  std::vector<Found> found;
  std::string sections;
  for (std::size_t k = 0; k < simulation->plants.size(); ++k) {
    SimulatedPlant& plant = simulation->plants[k];
    const Result<Done> jointed = needs_joints(plant, "no pose can be found");
    if (!jointed) return jointed.diagnostics();
    std::vector<PointLoad> points = standing_loads(*simulation, k);
    const Loads loads{.gravity_world = simulation->gravity_world, .points = points};
    std::optional<Floor> floor;
    if (plant.ground) floor = make_floor(plant.model->plant, plant.ground->height, plant.stands);
    if (floor && !newton) {
      return error("the chain algorithm knows no ground", "use the method newton");
    }
    Result<Found> one = !newton ? by_chain(chain, loads, plant)
                        : request.rest_from_pose
                            ? rest_from_pose(loads, plant)
                            : by_newton(request, loads, floor ? &*floor : nullptr, plant);
    if (!one) return one.diagnostics();
    summary.segments += plant.model->plant.segments.size();
    summary.settled = summary.settled && one->settled;
    summary.iterations = std::max(summary.iterations, one->iterations);
    summary.residual = std::max(summary.residual, one->residual);
    summary.largest_rest_angle = std::max(summary.largest_rest_angle, one->largest_rest_angle);
    summary.wall_ms += one->wall_ms;
    if (one->stable) summary.stable = summary.stable.value_or(true) && *one->stable;
    if (one->flutters) {
      simulation->notes.push_back(
          warning(fmt::format("the plant '{}' flutters: it falls at a touch, swinging ever more, "
                              "fed by follower loads",
                              plant.name)));
    }
    if (newton && largest_angle(plant.state) > coarse_turn) {
      simulation->notes.push_back(note(fmt::format(
          "a joint of the plant '{}' turns by {:.0f} degrees; shorter segments would bend it more "
          "smoothly and exactly",
          plant.name, largest_angle(plant.state) * 180 / std::numbers::pi)));
    }
    points.insert(points.end(), one->contacts.begin(), one->contacts.end());
    one->forces =
        section_forces(plant.model->plant, plant.model->mechanism,
                       {.gravity_world = simulation->gravity_world, .points = points}, one->pose);
    for (const PointLoad& contact : one->contacts) summary.ground_force += contact.force.y;
    summary.contacts += one->contacts.size();
    add_stress(one->forces, summary);
    if (!request.out_folder.empty()) sections += section_forces_csv(plant.name, one->forces);
    found.push_back(std::move(*one));
  }
  add_probes(*simulation, found, summary);
  summary.notes = simulation->notes;
  const auto said = [](const Diagnostic& diagnostic) {
    return diagnostic.message.find("falls at a touch") != std::string::npos;
  };
  if (summary.stable == false && std::none_of(summary.notes.begin(), summary.notes.end(), said)) {
    summary.notes.push_back(
        warning("this equilibrium is unstable: the plant falls at a touch",
                "stiffen it or weaken the loads, or look for the stable pose beside it with a "
                "branch to fall to"));
  }
  if (!request.out_folder.empty()) {
    const Result<Done> done = write_tables(request, *simulation, found, sections, inputs, summary);
    if (!done) return done.diagnostics();
  }
  return summary;
}

}  // namespace

Outcome<PoseSummary> pose(const PoseRequest& request) {
  return attempt([&] { return find_pose(request); });
}

}  // namespace thigmo
