#include "c/border.h"
#include "c/values.h"

// Edits, and what they did.

namespace thigmo {
namespace {

// What the world keeps of an edit until the next one, and what the caller gets of it.
thigmo_code report(Outcome<EditReport> done, WorldOfC& its, thigmo_edit* to) {
  if (!done) return code_of(done);
  its.edit = std::move(*done);
  if (to == nullptr) return THIGMO_OK;
  *to = {.pieces = its.edit.pieces.size(),
         .splits = its.edit.splits.size(),
         .energy_before = its.edit.energy_before,
         .energy_after = its.edit.energy_after};
  if (!its.edit.pieces.empty()) to->piece = c_of(its.edit.pieces.front());
  if (!its.edit.splits.empty()) to->split = c_of(its.edit.splits.front());
  return THIGMO_OK;
}

thigmo_code check_graft(const thigmo_graft& graft) {
  if (graft.rest == THIGMO_AS_BEFORE || graft.rest == THIGMO_AS_IT_IS) return THIGMO_OK;
  return refuse(THIGMO_BAD_ARGUMENT, "this is no rest of a graft",
                "give THIGMO_AS_BEFORE or THIGMO_AS_IT_IS");
}

GraftOptions options_of(const thigmo_graft& graft) {
  return {.along = graft.along,
          .rest = graft.rest == THIGMO_AS_BEFORE ? GraftRest::as_before : GraftRest::as_it_is,
          .carry = graft.carry != 0,
          .turn = numbers_of(graft.turn)};
}

ChangeOf change_of(const thigmo_change& change) {
  return {.stiffness = change.stiffness,
          .mass = change.mass,
          .damping = change.damping,
          .creep = change.creep,
          .species = text_of(change.species)};
}

thigmo_code check_segments(const thigmo_segment* segments, std::size_t count) {
  return count == 0 ? THIGMO_OK : check_given({{"segments", segments}});
}

std::vector<SegmentId> ids_of(const thigmo_segment* segments, std::size_t count) {
  std::vector<SegmentId> ids;
  ids.reserve(count);
  for (std::size_t i = 0; i < count; ++i) ids.push_back(id_of(segments[i]));
  return ids;
}

}  // namespace
}  // namespace thigmo

using namespace thigmo;

thigmo_code thigmo_world_cut(thigmo_world world, thigmo_segment segment, double along,
                             thigmo_edit* report_to) {
  return on(world, [&](WorldOfC& its) {
    return report(its.world.cut(id_of(segment), along), its, report_to);
  });
}

thigmo_code thigmo_world_remove_segment(thigmo_world world, thigmo_segment segment,
                                        thigmo_edit* report_to) {
  return on(world, [&](WorldOfC& its) {
    return report(its.world.remove(id_of(segment)), its, report_to);
  });
}

thigmo_code thigmo_world_remove_plant(thigmo_world world, thigmo_plant plant,
                                      thigmo_edit* report_to) {
  return on(world,
            [&](WorldOfC& its) { return report(its.world.remove(id_of(plant)), its, report_to); });
}

thigmo_graft thigmo_default_graft(void) {
  return {.along = GraftOptions{}.along, .rest = THIGMO_AS_BEFORE, .turn = {.w = 1}};
}

thigmo_code thigmo_world_graft(thigmo_world world, thigmo_plant scion, thigmo_segment onto,
                               const thigmo_graft* graft, thigmo_edit* report_to) {
  return on(world, [&](WorldOfC& its) -> thigmo_code {
    const thigmo_graft wanted = graft == nullptr ? thigmo_default_graft() : *graft;
    if (const thigmo_code bad = check_graft(wanted)) return bad;
    return report(its.world.graft(id_of(scion), id_of(onto), options_of(wanted)), its, report_to);
  });
}

thigmo_code thigmo_world_graft_grown(thigmo_world world, thigmo_grown scion, thigmo_segment onto,
                                     const thigmo_graft* graft, thigmo_edit* report_to) {
  return on(world, [&](WorldOfC& its) {
    return on(scion, [&](const GrownOfC& plant) -> thigmo_code {
      const thigmo_graft wanted = graft == nullptr ? thigmo_default_graft() : *graft;
      if (const thigmo_code bad = check_graft(wanted)) return bad;
      return report(its.world.graft(plant.plant, id_of(onto), options_of(wanted)), its, report_to);
    });
  });
}

thigmo_code thigmo_world_extend(thigmo_world world, thigmo_segment tip, double by,
                                thigmo_edit* report_to) {
  return on(world, [&](WorldOfC& its) {
    return report(its.world.extend(id_of(tip), by), its, report_to);
  });
}

thigmo_code thigmo_world_thicken(thigmo_world world, const thigmo_segment* segments, size_t count,
                                 double factor, thigmo_edit* report_to) {
  return on(world, [&](WorldOfC& its) -> thigmo_code {
    if (const thigmo_code bad = check_segments(segments, count)) return bad;
    return report(its.world.thicken(ids_of(segments, count), factor), its, report_to);
  });
}

thigmo_change thigmo_default_change(void) {
  const ChangeOf change;
  return {.stiffness = change.stiffness,
          .mass = change.mass,
          .damping = change.damping,
          .creep = change.creep};
}

thigmo_code thigmo_world_change_segments(thigmo_world world, const thigmo_segment* segments,
                                         size_t count, const thigmo_change* change,
                                         thigmo_edit* report_to) {
  return on(world, [&](WorldOfC& its) -> thigmo_code {
    if (const thigmo_code bad = check_segments(segments, count)) return bad;
    if (const thigmo_code bad = check_given({{"change", change}})) return bad;
    return report(its.world.change(ids_of(segments, count), change_of(*change)), its, report_to);
  });
}

thigmo_code thigmo_world_change_plant(thigmo_world world, thigmo_plant plant,
                                      const thigmo_change* change, thigmo_edit* report_to) {
  return on(world, [&](WorldOfC& its) -> thigmo_code {
    if (const thigmo_code bad = check_given({{"change", change}})) return bad;
    return report(its.world.change(id_of(plant), change_of(*change)), its, report_to);
  });
}

thigmo_code thigmo_world_pieces(thigmo_world world, thigmo_plant* to, size_t room, size_t* count) {
  return on(world, [&](const WorldOfC& its) {
    return give_list(its.edit.pieces, to, room, count, [](PlantId id) { return c_of(id); });
  });
}

thigmo_code thigmo_world_splits(thigmo_world world, thigmo_split* to, size_t room, size_t* count) {
  return on(world, [&](const WorldOfC& its) {
    return give_list(its.edit.splits, to, room, count,
                     [](const Split& split) { return c_of(split); });
  });
}
