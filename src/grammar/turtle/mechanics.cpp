#include "grammar/turtle/mechanics.h"

#include <fmt/format.h>

namespace thigmo {

namespace {

Result<Done> set_material(Turtle& turtle, const Module& module, double value) {
  const std::size_t count = turtle.drawing.growth.plant.materials.size();
  if (!(value >= 1 && value <= static_cast<double>(count))) {
    return refusal(turtle, module, fmt::format("there are {} materials", count));
  }
  turtle.pen.material = static_cast<Index>(value) - 1;
  const auto number = as_size(turtle.pen.material);
  const std::vector<StemShape>& shapes = turtle.program.shapes;
  turtle.pen.shape = number < shapes.size() ? shapes[number] : StemShape{};
  return Done{};
}

double& property_of(Action action, Material& material) {
  return action == Action::set_young     ? material.young
         : action == Action::set_shear   ? material.shear_ratio
         : action == Action::set_density ? material.density
         : action == Action::set_damping ? material.damping_ratio
                                         : material.strength;
}

// A changed material is a new one, unless there is one like it.
Result<Done> change_material(Turtle& turtle, Action action, const Module& module, double value) {
  std::vector<Material>& materials = turtle.drawing.growth.plant.materials;
  Material changed = at(materials, turtle.pen.material);
  property_of(action, changed) = action == Action::set_shear ? value / changed.young : value;
  const auto same = std::find_if(materials.begin(), materials.end(), [&](const Material& m) {
    return m.density == changed.density && m.young == changed.young &&
           m.poisson == changed.poisson && m.shear_ratio == changed.shear_ratio &&
           m.damping_ratio == changed.damping_ratio && m.strength == changed.strength;
  });
  turtle.pen.material = static_cast<Index>(same - materials.begin());
  if (same != materials.end()) return Done{};
  constexpr std::size_t most = 1000;
  if (materials.size() >= most) {
    return refusal(turtle, module,
                   fmt::format("the plant would have more than {} materials", most));
  }
  materials.push_back(std::move(changed));
  return Done{};
}

}  // namespace

Result<Done> set_mechanics(Turtle& turtle, Action action, const Module& module) {
  const double value = number(turtle, module, 0, 0);
  Pen& pen = turtle.pen;
  if (action == Action::set_material) return set_material(turtle, module, value);
  if (action == Action::set_kind) {
    if (!(value >= 0 && value <= 5)) return refusal(turtle, module, "an organ kind is 0 to 5");
    pen.kind = static_cast<OrganKind>(static_cast<int>(value));
    return Done{};
  }
  const bool may_vanish = action == Action::set_damping || action == Action::set_hollow;
  if (!std::isfinite(value) || value < 0 || (value == 0 && !may_vanish)) {
    return refusal(turtle, module, "this must be finite and positive");
  }
  if (action == Action::set_joint_factor) {
    pen.joint_factor = value;
    return Done{};
  }
  if (action == Action::set_flatness || action == Action::set_hollow) {
    (action == Action::set_flatness ? pen.shape.flatness : pen.shape.hollow) = value;
    const Result<Done> checked = check_shape(pen.shape);
    if (!checked) return refusal(turtle, module, checked.diagnostics()[0].message);
    return Done{};
  }
  return change_material(turtle, action, module, value);
}

}  // namespace thigmo
