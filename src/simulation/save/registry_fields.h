#pragma once

// Names and events, field by field. Where a name leads is written once: in the registry, from which plants get the
// names of their segments back.

#include "simulation/save/model_fields.h"

namespace thigmo {

// What became of segments that came into the world together.
enum class BirthKind : std::uint8_t {
  together,   // still one plant, each with its own number
  scattered,  // each has a place, or none
  gone,
};
BirthKind kind_of(const SegmentBirth& birth);

template <class Archive, class AnyPlace>
void visit_place(Archive& archive, AnyPlace& place, const Registry& registry) {
  archive.index("plant of a segment", place.slot, no_index, registry.slots.size());
  archive.index("number of a segment", place.segment, no_index, most_numbers);
}

template <class Archive, class AnyBirth>
void visit_birth(Archive& archive, AnyBirth& birth, const Registry& registry) {
  archive.index("segments of a birth", birth.count, 0, most_numbers);
  BirthKind kind = kind_of(birth);
  archive.choice("kind of a birth", kind, BirthKind::gone);
  if (kind == BirthKind::together) {
    archive.index("plant of a birth", birth.slot, 0, registry.slots.size());
  }
  if (kind != BirthKind::scattered) return;
  if constexpr (Archive::reads) {
    if (archive.left() / sizeof(SegmentPlace) < as_size(birth.count)) {
      return archive.refuse("it ends within the names of segments");
    }
    birth.places.resize(as_size(birth.count));
  }
  for (auto& place : birth.places) visit_place(archive, place, registry);
  if constexpr (Archive::reads) {
    if (kind_of(birth) != kind) archive.refuse("segments that are gone are said to be somewhere");
  }
}

// Gives plants their slots, and their segments the names that lead to them; refused where names lead elsewhere.
void connect_names(Simulation& simulation, FieldReader& reader);

template <class Archive, class AnySimulation>
void visit_registry(Archive& archive, AnySimulation& simulation) {
  auto& registry = simulation.registry;
  visit_list(archive, "slots", registry.slots, sizeof(std::uint32_t),
             [&](auto& slot) { archive.number("generation of a plant", slot.generation); });
  visit_list(archive, "free slots", registry.free_slots, sizeof(Index),
             [&](auto& slot) { archive.index("free slot", slot, 0, registry.slots.size()); });
  visit_list(archive, "births", registry.births, sizeof(Index) + 1,
             [&](auto& birth) { visit_birth(archive, birth, registry); });
  if constexpr (Archive::reads) connect_names(simulation, archive);
}

template <class Archive, class AnyId>
void visit_plant_id(Archive& archive, AnyId& id) {
  archive.number("name of a plant", id.slot);
  archive.number("name of a plant", id.generation);
}

template <class Archive, class AnyEvent>
void visit_event(Archive& archive, AnyEvent& event) {
  archive.choice("kind of an event", event.kind, EventKind::stopped);
  archive.number("time of an event", event.time);
  visit_plant_id(archive, event.plant);
  visit_segment_id(archive, event.segment);
  visit_plant_id(archive, event.other);
}
inline constexpr std::size_t event_bytes = 1 + 8 + 3 * 8;

template <class Archive, class AnyDiagnostic>
void visit_diagnostic(Archive& archive, AnyDiagnostic& said) {
  archive.choice("severity of a note", said.severity, Severity::note);
  archive.choice("trouble of a note", said.trouble, Trouble::motion);
  for (auto* text : {&said.message, &said.file, &said.source_line, &said.hint}) {
    archive.text("text of a note", *text);
  }
  for (auto* number : {&said.line, &said.column, &said.source_start}) {
    archive.number("place of a note", *number, Must::not_be_negative);
  }
}
inline constexpr std::size_t diagnostic_bytes = 2 + 4 * 8 + 3 * 4;

}  // namespace thigmo
