#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "grammar/grammar.h"
#include "plant/placement.h"
#include "simulation/simulation.h"

namespace thigmo {

// A plant grown from a grammar file.
struct GrammarSource {
  std::string file;                   // as the scenario names it, behind its folder
  std::optional<int> steps;           // else the file's derivation length
  std::optional<std::uint64_t> seed;  // else the file's
  std::optional<double> angle_degrees;
  std::map<std::string, double> parameters;  // replace #define constants
  std::optional<Material> material;          // else the grammar's own, else oak
  std::optional<double> smallest_body = {};  // lighter ends of stated bodies are left out [kg]
};

// Grows the plant of a grammar file.
Result<Plant> grow_from_file(const GrammarSource& source, const ReadFile& read_file,
                             Diagnostics& notes);

// Adds a plant in its start pose, its root where it stands.
SimulatedPlant& add_standing(std::shared_ptr<const PlantModel> model, const PlantFrame& stands,
                             Simulation& simulation);

// Adds a plant that is already grown, placed from where it was grown; its number. One that cannot stand as
// modelled starts at rest and sags.
std::size_t add_plant(Plant plant, const Placement& place, StartPose start, Simulation& simulation);

// Adds a plant like one that is there, as that one started; one that was edited as it is bent now, still. They
// share the model.
std::size_t add_instance(std::size_t like, const Placement& place, Simulation& simulation);

}  // namespace thigmo
