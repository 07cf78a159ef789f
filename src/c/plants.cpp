#include "c/border.h"
#include "c/values.h"

// Plants before they are in a world, and those that are in one.

namespace thigmo {
namespace {

thigmo_code check_grammar(const thigmo_grammar& grammar) {
  if (grammar.steps < -1) {
    return refuse(THIGMO_BAD_ARGUMENT, "a grammar cannot be derived fewer than 0 steps",
                  "-1 takes as many as it says");
  }
  if (grammar.parameter_count > 0) {
    if (const thigmo_code bad = check_given({{"parameters", grammar.parameters}})) return bad;
  }
  for (std::size_t i = 0; i < grammar.parameter_count; ++i) {
    const thigmo_parameter& parameter = grammar.parameters[i];
    if (const thigmo_code bad = check_given({{"name of a parameter", parameter.name}})) return bad;
    if (const thigmo_code bad = check_numbers("parameter", {parameter.value})) return bad;
  }
  return check_numbers("smallest body", {grammar.smallest_body});
}

// Sets the method of a grammar's plant or a rod.
template <class Request>
void take_particles(const thigmo_particle_settings* settings, Request& request) {
  if (settings == nullptr) return;
  request.method = Method::particles;
  request.particles = {.supports = settings->supports,
                       .iterations = settings->iterations,
                       .power = settings->power,
                       .velocity_kept = settings->velocity_kept,
                       .twist = settings->twist != 0};
}

GrammarPlant plant_of(const thigmo_grammar& grammar) {
  GrammarPlant plant{.file = text_of(grammar.file),
                     .species = text_of(grammar.species),
                     .position = numbers_of(grammar.position),
                     .text = text_of(grammar.text)};
  if (grammar.steps >= 0) plant.steps = grammar.steps;
  if (grammar.has_seed != 0) plant.seed = grammar.seed;
  if (grammar.smallest_body >= 0) plant.smallest_body = grammar.smallest_body;
  for (std::size_t i = 0; i < grammar.parameter_count; ++i) {
    plant.parameters[grammar.parameters[i].name] = grammar.parameters[i].value;
  }
  take_particles(grammar.particles, plant);
  return plant;
}

RodPlant plant_of(const thigmo_rod& rod) {
  RodPlant plant{.segments = rod.segments,
                 .length = rod.length,
                 .radius_base = rod.radius_base,
                 .radius_tip = rod.radius_tip,
                 .direction = numbers_of(rod.direction),
                 .species = text_of(rod.species),
                 .density = rod.density,
                 .young = rod.young,
                 .damping_ratio = rod.damping_ratio,
                 .stands_as_modelled = rod.stands_as_modelled != 0,
                 .position = numbers_of(rod.position)};
  take_particles(rod.particles, plant);
  return plant;
}

thigmo_grown keep_grown(GrownPlant plant, Diagnostics notes) {
  return handles_of(thigmo_grown{})
      .add(std::make_shared<GrownOfC>(std::move(plant), std::move(notes)));
}

thigmo_segment_info c_of(const SegmentInfo& info) {
  return {.id = thigmo::c_of(info.id),
          .parent = info.parent,
          .axis = info.axis,
          .order = info.order,
          .module = info.module,
          .rule = info.rule,
          .step = info.step,
          .material = info.material,
          .symbol = info.symbol,
          .length = info.length,
          .radius_base = info.radius_base,
          .radius_tip = info.radius_tip};
}

thigmo_code note_of(const Diagnostics& notes, std::size_t number, thigmo_diagnostic* to) {
  if (number >= notes.size()) {
    return refuse(THIGMO_BAD_ARGUMENT, "there is no note of that number", "notes count from 0");
  }
  *to = thigmo::c_of(notes[number]);
  return THIGMO_OK;
}

}  // namespace
}  // namespace thigmo

using namespace thigmo;

thigmo_grammar thigmo_default_grammar(void) { return {.steps = -1, .smallest_body = -1}; }

thigmo_particle_settings thigmo_default_particles(void) {
  const ParticleSettings settings;
  return {.supports = settings.supports,
          .iterations = settings.iterations,
          .twist = settings.twist ? 1 : 0,
          .power = settings.power,
          .velocity_kept = settings.velocity_kept};
}

thigmo_rod thigmo_default_rod(void) {
  const RodPlant rod;
  return {.segments = rod.segments,
          .length = rod.length,
          .radius_base = rod.radius_base,
          .radius_tip = rod.radius_tip,
          .direction = c_of(rod.direction),
          .density = rod.density,
          .young = rod.young,
          .damping_ratio = rod.damping_ratio};
}

thigmo_code thigmo_grown_from_grammar(const thigmo_grammar* grammar, thigmo_grown* to) {
  return guarded([&]() -> thigmo_code {
    if (const thigmo_code bad = check_given({{"grammar", grammar}, {"to", to}})) return bad;
    if (const thigmo_code bad = check_grammar(*grammar)) return bad;
    Diagnostics notes;
    return give(grow_plant(plant_of(*grammar), &notes), to,
                [&](const GrownPlant& plant) { return keep_grown(plant, std::move(notes)); });
  });
}

thigmo_code thigmo_grown_from_rod(const thigmo_rod* rod, thigmo_grown* to) {
  return guarded([&]() -> thigmo_code {
    if (const thigmo_code bad = check_given({{"rod", rod}, {"to", to}})) return bad;
    return give(grow_plant(plant_of(*rod)), to,
                [](const GrownPlant& plant) { return keep_grown(plant, {}); });
  });
}

thigmo_code thigmo_grown_get_info(thigmo_grown grown, thigmo_grown_info* to) {
  return on(grown, [&](const GrownOfC& its) -> thigmo_code {
    if (const thigmo_code bad = check_given({{"to", to}})) return bad;
    *to = {.segments = its.plant.segment_count(),
           .height = its.plant.height(),
           .name = its.plant.name().c_str()};
    return THIGMO_OK;
  });
}

thigmo_code thigmo_grown_note_count(thigmo_grown grown, size_t* to) {
  return on(grown, [&](const GrownOfC& its) -> thigmo_code {
    if (const thigmo_code bad = check_given({{"to", to}})) return bad;
    *to = its.notes.size();
    return THIGMO_OK;
  });
}

thigmo_code thigmo_grown_note(thigmo_grown grown, size_t number, thigmo_diagnostic* to) {
  return on(grown, [&](const GrownOfC& its) -> thigmo_code {
    if (const thigmo_code bad = check_given({{"to", to}})) return bad;
    return note_of(its.notes, number, to);
  });
}

thigmo_code thigmo_grown_free(thigmo_grown grown) { return free_handle(grown); }

thigmo_code thigmo_world_add_grammar(thigmo_world world, const thigmo_grammar* grammar,
                                     thigmo_plant* to) {
  return on(world, [&](WorldOfC& its) -> thigmo_code {
    if (const thigmo_code bad = check_given({{"grammar", grammar}, {"to", to}})) return bad;
    if (const thigmo_code bad = check_grammar(*grammar)) return bad;
    return give(its.world.add(plant_of(*grammar)), to, [](PlantId id) { return c_of(id); });
  });
}

thigmo_code thigmo_world_add_rod(thigmo_world world, const thigmo_rod* rod, thigmo_plant* to) {
  return on(world, [&](WorldOfC& its) -> thigmo_code {
    if (const thigmo_code bad = check_given({{"rod", rod}, {"to", to}})) return bad;
    return give(its.world.add(plant_of(*rod)), to, [](PlantId id) { return c_of(id); });
  });
}

thigmo_code thigmo_world_add_grown(thigmo_world world, thigmo_grown grown,
                                   const thigmo_placing* placing, thigmo_plant* to) {
  return on(world, [&](WorldOfC& its) {
    return on(grown, [&](const GrownOfC& plant) -> thigmo_code {
      if (const thigmo_code bad = check_given({{"to", to}})) return bad;
      const Placing where = placing == nullptr ? Placing{} : placing_of(*placing);
      return give(its.world.add(plant.plant, where), to, [](PlantId id) { return c_of(id); });
    });
  });
}

thigmo_code thigmo_world_add_instances(thigmo_world world, thigmo_plant like,
                                       const thigmo_placing* placings, size_t count,
                                       thigmo_plant* to) {
  return on(world, [&](WorldOfC& its) -> thigmo_code {
    if (count > 0) {
      if (const thigmo_code bad = check_given({{"placings", placings}})) return bad;
    }
    std::vector<Placing> places;
    places.reserve(count);
    for (std::size_t i = 0; i < count; ++i) places.push_back(placing_of(placings[i]));
    const Outcome<std::vector<PlantId>> added = its.world.add_instances(id_of(like), places);
    if (!added) return code_of(added);
    for (std::size_t i = 0; i < count && to != nullptr; ++i) to[i] = c_of((*added)[i]);
    return THIGMO_OK;
  });
}

thigmo_code thigmo_world_holds_plant(thigmo_world world, thigmo_plant plant, int32_t* to) {
  return on(world, [&](const WorldOfC& its) -> thigmo_code {
    if (const thigmo_code bad = check_given({{"to", to}})) return bad;
    *to = its.world.holds(id_of(plant)) ? 1 : 0;
    return THIGMO_OK;
  });
}

thigmo_code thigmo_world_holds_segment(thigmo_world world, thigmo_segment segment, int32_t* to) {
  return on(world, [&](const WorldOfC& its) -> thigmo_code {
    if (const thigmo_code bad = check_given({{"to", to}})) return bad;
    *to = its.world.holds(id_of(segment)) ? 1 : 0;
    return THIGMO_OK;
  });
}

thigmo_code thigmo_world_plants(thigmo_world world, thigmo_plant* to, size_t room, size_t* count) {
  return on(world, [&](const WorldOfC& its) {
    return give_list(its.world.plants(), to, room, count, [](PlantId id) { return c_of(id); });
  });
}

thigmo_code thigmo_world_segment_count(thigmo_world world, size_t* to) {
  return on(world, [&](const WorldOfC& its) -> thigmo_code {
    if (const thigmo_code bad = check_given({{"to", to}})) return bad;
    *to = its.world.segment_count();
    return THIGMO_OK;
  });
}

thigmo_code thigmo_world_segments(thigmo_world world, thigmo_plant plant, thigmo_segment_info* to,
                                  size_t room, size_t* count) {
  return on(world, [&](const WorldOfC& its) -> thigmo_code {
    const Outcome<std::vector<SegmentInfo>> segments = its.world.segments(id_of(plant));
    if (!segments) return code_of(segments);
    return give_list(*segments, to, room, count,
                     [](const SegmentInfo& info) { return c_of(info); });
  });
}

thigmo_code thigmo_world_materials(thigmo_world world, thigmo_plant plant, thigmo_material* to,
                                   size_t room, size_t* count) {
  return on(world, [&](WorldOfC& its) -> thigmo_code {
    Outcome<std::vector<MaterialInfo>> materials = its.world.materials(id_of(plant));
    if (!materials) return code_of(materials);
    its.materials = std::move(*materials);
    return give_list(its.materials, to, room, count, [](const MaterialInfo& m) -> thigmo_material {
      return {.name = m.name.c_str(),
              .density = m.density,
              .young = m.young,
              .shear = m.shear,
              .damping_ratio = m.damping_ratio,
              .strength = m.strength};
    });
  });
}

thigmo_code thigmo_world_bodies(thigmo_world world, thigmo_plant plant, thigmo_body* to,
                                size_t room, size_t* count) {
  return on(world, [&](WorldOfC& its) {
    return give_each(
        its, id_of(plant), its.bodies, to, room, count,
        [&](std::span<SegmentBody> bodies) { return its.world.bodies(id_of(plant), bodies); },
        [](const SegmentBody& body) -> thigmo_body {
          return {.mass = body.mass,
                  .stiffness = c_of(body.stiffness),
                  .damping_time = body.damping_time};
        });
  });
}

thigmo_code thigmo_world_segment(thigmo_world world, thigmo_plant plant, size_t number,
                                 thigmo_segment* to) {
  return on(world, [&](const WorldOfC& its) -> thigmo_code {
    if (const thigmo_code bad = check_given({{"to", to}})) return bad;
    return give(its.world.segment(id_of(plant), number), to, [](SegmentId id) { return c_of(id); });
  });
}

thigmo_code thigmo_world_tip(thigmo_world world, thigmo_plant plant, thigmo_segment* to) {
  return on(world, [&](const WorldOfC& its) -> thigmo_code {
    if (const thigmo_code bad = check_given({{"to", to}})) return bad;
    return give(its.world.tip(id_of(plant)), to, [](SegmentId id) { return c_of(id); });
  });
}

thigmo_code thigmo_world_particles(thigmo_world world, thigmo_plant plant,
                                   thigmo_particle_component* to, size_t room, size_t* count) {
  return on(world, [&](const WorldOfC& its) -> thigmo_code {
    const Outcome<ParticleCounts> counts = its.world.particles(id_of(plant));
    if (!counts) return code_of(counts);
    return give_list(counts->components, to, room, count, [](const ParticleComponent& c) {
      return thigmo_particle_component{.constraints = c.constraints, .iterations = c.iterations};
    });
  });
}

thigmo_code thigmo_world_plant_of(thigmo_world world, thigmo_segment segment, thigmo_plant* to) {
  return on(world, [&](const WorldOfC& its) -> thigmo_code {
    if (const thigmo_code bad = check_given({{"to", to}})) return bad;
    return give(its.world.plant_of(id_of(segment)), to, [](PlantId id) { return c_of(id); });
  });
}

thigmo_code thigmo_world_note_count(thigmo_world world, size_t* to) {
  return on(world, [&](const WorldOfC& its) -> thigmo_code {
    if (const thigmo_code bad = check_given({{"to", to}})) return bad;
    *to = its.world.notes().size();
    return THIGMO_OK;
  });
}

thigmo_code thigmo_world_note(thigmo_world world, size_t number, thigmo_diagnostic* to) {
  return on(world, [&](const WorldOfC& its) -> thigmo_code {
    if (const thigmo_code bad = check_given({{"to", to}})) return bad;
    return note_of(its.world.notes(), number, to);
  });
}
