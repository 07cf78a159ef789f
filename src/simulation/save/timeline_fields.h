#pragma once

// Edits that are still to come, field by field.

#include <utility>

#include "simulation/save/registry_fields.h"

namespace thigmo {

template <class Archive, class Ids>
void visit_segment_ids(Archive& archive, Ids& ids) {
  visit_list(archive, "names of segments", ids, sizeof(SegmentId),
             [&](auto& id) { visit_segment_id(archive, id); });
}

// A kind of edit has one of these each.
template <class Archive, class AnyCut>
requires std::is_same_v<std::remove_const_t<AnyCut>, Cut>
void visit_edit(Archive& archive, AnyCut& cut) {
  visit_segment_id(archive, cut.segment);
  archive.number("place of a cut", cut.along);
}
template <class Archive, class AnyRemove>
requires std::is_same_v<std::remove_const_t<AnyRemove>, RemoveSegment>
void visit_edit(Archive& archive, AnyRemove& remove) { visit_segment_id(archive, remove.segment); }
template <class Archive, class AnyRemove>
requires std::is_same_v<std::remove_const_t<AnyRemove>, RemovePlant>
void visit_edit(Archive& archive, AnyRemove& remove) { visit_plant_id(archive, remove.plant); }
template <class Archive, class AnyGraft>
requires std::is_same_v<std::remove_const_t<AnyGraft>, Graft>
void visit_edit(Archive& archive, AnyGraft& graft) {
  visit_plant_id(archive, graft.scion);
  visit_segment_id(archive, graft.onto);
  archive.number("place of a graft", graft.along);
  archive.truth("truth of a graft as before", graft.as_before);
  archive.truth("truth of a graft that is carried", graft.carry);
}
template <class Archive, class AnyExtend>
requires std::is_same_v<std::remove_const_t<AnyExtend>, Extend>
void visit_edit(Archive& archive, AnyExtend& extend) {
  visit_segment_id(archive, extend.segment);
  archive.number("length that grows", extend.by);
}
template <class Archive, class AnyThicken>
requires std::is_same_v<std::remove_const_t<AnyThicken>, Thicken>
void visit_edit(Archive& archive, AnyThicken& thicken) {
  visit_segment_ids(archive, thicken.segments);
  archive.number("factor of radii", thicken.factor);
}
template <class Archive, class AnyChange>
requires std::is_same_v<std::remove_const_t<AnyChange>, Change>
void visit_edit(Archive& archive, AnyChange& change) {
  visit_segment_ids(archive, change.segments);
  visit_optional(archive, "truth of a whole plant", change.plant,
                 [&](auto& plant) { visit_plant_id(archive, plant); });
  for (auto* factor : {&change.stiffness, &change.mass, &change.damping, &change.creep}) {
    archive.number("factor of a change", *factor);
  }
  visit_optional(archive, "truth of another material", change.material,
                 [&](auto& material) { visit_material(archive, material); });
}

// The edit of a kind, made anew.
Edit edit_of_kind(std::size_t kind);

template <class Archive, class AnyTimed>
void visit_timed_edit(Archive& archive, AnyTimed& timed) {
  archive.number("time of an edit", timed.time);
  auto kind = static_cast<Index>(timed.edit.index());
  archive.index("kind of an edit", kind, 0, std::variant_size_v<Edit>);
  if constexpr (Archive::reads) timed.edit = edit_of_kind(kind == no_index ? 0 : as_size(kind));
  std::visit([&](auto& edit) { visit_edit(archive, edit); }, timed.edit);
  visit_segment_id(archive, timed.of);
  archive.truth("truth of a graft where it was cut", timed.where_cut);
  visit_diagnostic(archive, timed.place);
}
inline constexpr std::size_t timed_edit_bytes = 8 + 4 + 8 + 8 + 1 + diagnostic_bytes;

template <class Archive, class AnyDivision>
void visit_division(Archive& archive, AnyDivision& division) {
  visit_segment_id(archive, division.split.lower);
  visit_segment_id(archive, division.split.upper);
  archive.number("place of a division", division.split.along);
  archive.truth("truth of being joined", division.joined);
}

template <class Archive, class AnyTimeline>
void visit_timeline(Archive& archive, AnyTimeline& timeline) {
  visit_list(archive, "edits to come", timeline.edits, timed_edit_bytes,
             [&](auto& timed) { visit_timed_edit(archive, timed); });
  auto next = static_cast<std::uint64_t>(timeline.next);
  archive.number("next edit", next);
  visit_list(archive, "divisions", timeline.divisions, 2 * sizeof(SegmentId) + 8 + 1,
             [&](auto& division) { visit_division(archive, division); });
  if constexpr (Archive::reads) {
    timeline.next = next;
    if (next > timeline.edits.size()) archive.refuse("the next edit is none");
  }
}

}  // namespace thigmo
