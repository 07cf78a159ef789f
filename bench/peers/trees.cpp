#include "bench/peers/trees.h"

#include <stdexcept>

#include "base/random.h"
#include "io/file.h"
#include "plant/rod.h"
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

}  // namespace

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
