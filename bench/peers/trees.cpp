#include "bench/peers/trees.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "base/random.h"
#include "io/disk/file.h"
#include "mechanics/compile/compile_mechanism.h"
#include "plant/rod.h"
#include "simulation/add_plant.h"
#include "simulation/simulation.h"

namespace thigmo::bench {
namespace {

constexpr double damping_ratio = 0.05;

Tree make_tree(std::string name, Plant plant) {
  for (Material& material : plant.materials) material.damping_ratio = damping_ratio;
  Tree tree{.name = std::move(name), .mechanism = compile_mechanism(plant, {.air_density = 0})};
  // Springs are alike about all axes: MuJoCo's ball joints have only one number.
  for (Body& body : tree.mechanism.body) {
    body.stiffness = Vec3{1, 1, 1} * body.stiffness.x;
    body.section = {};
  }
  for (Index size : tree.mechanism.subtree_size) tree.mean_depth += size;
  tree.mean_depth /= static_cast<double>(tree.mechanism.body.size());
  return tree;
}

// Parents drawn as `random_tree` says, renumbered so that subtrees are contiguous.
std::vector<Index> random_parents(int bodies, int choice) {
  std::vector<std::vector<int>> children(static_cast<std::size_t>(bodies));
  for (int i = 1; i < bodies; ++i) {
    const double u = unit_from_bits(mix_bits(static_cast<std::uint64_t>(i), 11));
    const int back = 1 + static_cast<int>(u * std::min(choice, i));
    children[static_cast<std::size_t>(i - back)].push_back(i);
  }
  std::vector<Index> parents;
  struct Waiting {
    int body;
    Index parent;
  };
  std::vector<Waiting> stack = {{0, no_index}};
  while (!stack.empty()) {
    const Waiting next = stack.back();
    stack.pop_back();
    const auto own = static_cast<Index>(parents.size());
    parents.push_back(next.parent);
    for (int child : children[static_cast<std::size_t>(next.body)]) stack.push_back({child, own});
  }
  return parents;
}

}  // namespace

Tree random_tree(int bodies, int choice) {
  const double length = 0.1, twig = 0.001;  // [m]
  Plant plant{.name = "random", .materials = {{.density = 700, .young = 1e10, .poisson = 0.3}}};
  const std::vector<Index> parents = random_parents(bodies, choice);
  for (std::size_t i = 0; i < parents.size(); ++i) {
    const auto normal = [i](std::uint64_t key) { return normal_from_bits(mix_bits(i, key)); };
    const Vec3 turn = i == 0 ? Vec3{} : Vec3{0.15 * normal(12), 0, 0.15 * normal(13)};
    plant.segments.push_back({.parent = parents[i],
                              .base_in_parent = {0, i == 0 ? 0 : length, 0},
                              .parent_from_segment = exp_rotation(turn),
                              .length = length});
  }
  const std::vector<Index> carried = subtree_sizes(plant);
  for (std::size_t i = 0; i < parents.size(); ++i) {
    plant.segments[i].radius_base = plant.segments[i].radius_tip = twig * std::sqrt(carried[i]);
  }
  return make_tree("random", std::move(plant));
}

Tree gallery_tree(const std::string& gallery, const std::string& name,
                  const std::map<std::string, double>& parameters, double softness) {
  const auto read = [](std::string_view path, std::string_view) {
    return read_file(std::string(path));
  };
  Result<Plant> plant = grow_from_file(
      {.file = gallery + "/plants/" + name + ".lsys", .parameters = parameters}, read);
  if (!plant) throw std::runtime_error(to_string(plant.diagnostics()));
  for (Material& material : plant->materials) material.young *= softness;
  return make_tree(name, std::move(*plant));
}

Tree level_rod(int bodies) {
  return make_tree("rod", make_rod({.segments = bodies,
                                    .length = 3,
                                    .direction = {1, 0, 0},
                                    .material = {.density = 923, .young = 8.1e9, .poisson = 0.3}}));
}

JointMotion at_rest(const Mechanism& mechanism) {
  return {std::vector<Quat>(mechanism.body.size()), std::vector<Vec3>(mechanism.body.size())};
}

JointMotion random_motion(const Mechanism& mechanism) {
  JointMotion motion = at_rest(mechanism);
  for (std::size_t i = 0; i < motion.velocity.size(); ++i) {
    const auto normal = [i](std::uint64_t key) { return normal_from_bits(mix_bits(i, key)); };
    motion.rest_from_body[i] =
        normalized(exp_rotation(Vec3{normal(1), normal(2), normal(3)} * 0.2));
    motion.velocity[i] = Vec3{normal(4), normal(5), normal(6)};
  }
  return motion;
}

}  // namespace thigmo::bench
