#include "api/grown_plant.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "api/world_content.h"
#include "material/species.h"
#include "plant/rod.h"
#include "simulation/add_plant.h"
#include "simulation/save/particle_fields.h"
#include "simulation/save/plant_fields.h"

namespace thigmo {
namespace {

Result<Done> check_rod(const RodPlant& rod) {
  const auto refuse = [](const char* what, double value) {
    return bad_argument(
        fmt::format("a rod cannot have {} {}", what, value),
        "give lengths from 1e-9 to 1e6 m, and finite numbers that are not negative");
  };
  if (rod.segments < 1 || rod.segments > 10'000'000) {
    return refuse("a number of segments of", rod.segments);
  }
  constexpr double thinnest = 1e-9, longest = 1e6;  // [m]
  const auto positive = [&](double value) { return value >= thinnest && value <= longest; };
  if (!positive(rod.length)) return refuse("a length of", rod.length);
  if (!positive(rod.radius_base)) return refuse("a radius of", rod.radius_base);
  if (!(rod.radius_tip >= 0 && rod.radius_tip <= longest)) {
    return refuse("a radius of", rod.radius_tip);
  }
  for (const double value : {rod.density, rod.young}) {
    if (!(std::isfinite(value) && value >= 0)) return refuse("a material's number of", value);
  }
  if (!std::isfinite(rod.damping_ratio)) return refuse("a damping ratio of", rod.damping_ratio);
  const double direction = length(vector(rod.direction));
  if (!(std::isfinite(direction) && direction > 0))
    return refuse("a direction of length", direction);
  return Done{};
}

template <class Archive, class AnyGrown>
void visit_grown_plant(Archive& archive, AnyGrown& grown) {
  visit_plant_shape(archive, grown.plant);
  archive.number("place of a plant", grown.root);
  archive.truth("truth of a plant at rest", grown.rests);
  archive.number("height of a plant", grown.height, Must::not_be_negative);
  archive.choice("method of a plant", grown.method, Method::particles);
  visit_particle_settings(archive, grown.particles);
}

}  // namespace

std::string GrownPlantAccess::bytes(const GrownPlant& plant) {
  const GrownPlantContent& grown = *plant.content_;
  FieldWriter writer(saved_bytes(grown.plant));
  visit_grown_plant(writer, grown);
  return writer.take();
}

Result<GrownPlant> GrownPlantAccess::from_bytes(std::string_view bytes) {
  auto content = std::make_shared<GrownPlantContent>();
  FieldReader reader(bytes);
  visit_grown_plant(reader, *content);
  check_plant_shape(content->plant, reader);
  if (reader.left() > 0) reader.refuse("there is more in it than a plant");
  if (!reader.sound()) return error("this is no plant: " + reader.problem());
  GrownPlant grown;
  grown.content_ = std::move(content);
  return grown;
}

GrownPlant GrownPlantAccess::grown(Plant plant, bool rests, Method method,
                                   const ParticleSettings& particles) {
  auto content = std::make_shared<GrownPlantContent>();
  content->root = move_origin_to_root(plant);
  content->rests = rests;
  content->method = method;
  content->particles = particles;
  const Box box = bounding_box(plant, rest_pose(plant));
  content->height = box.max.y - box.min.y;
  content->plant = std::move(plant);
  GrownPlant grown;
  grown.content_ = std::move(content);
  return grown;
}

Result<GrownPlant> grow_grammar(const GrammarPlant& plant, Diagnostics& notes) {
  const Result<std::optional<Material>> material = material_of(plant.species);
  if (!material) return material.diagnostics();
  const std::string file = plant.file.empty() ? "text.lsys" : plant.file;
  if (plant.file.empty() && plant.text.empty())
    return error("the plant has neither a file nor a text",
                 "name a grammar file, or give its text");
  const ReadFile read = [&](std::string_view name, std::string_view folder) -> Result<std::string> {
    if (!plant.text.empty() && name == file) return plant.text;
    return read_any(name, folder);
  };
  Result<Plant> grown = grow_from_file({.file = file,
                                        .steps = plant.steps,
                                        .seed = plant.seed,
                                        .parameters = plant.parameters,
                                        .material = *material,
                                        .smallest_body = plant.smallest_body},
                                       read, notes);
  if (!grown) return grown.diagnostics();
  const bool rests = !grown->given_bodies.empty();
  return GrownPlantAccess::grown(std::move(*grown), rests, plant.method, plant.particles);
}

Result<GrownPlant> grow_rod(const RodPlant& rod) {
  if (const Result<Done> done = check_rod(rod); !done) return done.diagnostics();
  const Result<std::optional<Material>> species =
      material_of(rod.species.empty() ? "oak" : rod.species);
  if (!species) return species.diagnostics();
  Material material = **species;
  if (rod.density > 0) material.density = rod.density;
  if (rod.young > 0) material.young = rod.young;
  if (rod.damping_ratio >= 0) material.damping_ratio = rod.damping_ratio;
  Plant plant = make_rod({.segments = rod.segments,
                          .length = rod.length,
                          .radius_base = rod.radius_base,
                          .radius_tip = rod.radius_tip,
                          .direction = normalized(vector(rod.direction)),
                          .material = std::move(material)});
  return GrownPlantAccess::grown(std::move(plant), !rod.stands_as_modelled, rod.method,
                                 rod.particles);
}

std::size_t GrownPlant::segment_count() const {
  return content_ ? content_->plant.segments.size() : 0;
}
double GrownPlant::height() const { return content_ ? content_->height : 0; }
const std::string& GrownPlant::name() const {
  static const std::string none;
  return content_ ? content_->plant.name : none;
}

Outcome<GrownPlant> grow_plant(const GrammarPlant& plant, Diagnostics* notes) {
  return attempt([&] {
    Diagnostics said;
    Result<GrownPlant> grown = grow_grammar(plant, said);
    if (notes) notes->insert(notes->end(), said.begin(), said.end());
    return grown;
  });
}
Outcome<GrownPlant> grow_plant(const RodPlant& rod) {
  return attempt([&] { return grow_rod(rod); });
}

}  // namespace thigmo
