#pragma once

// A plant at rest, field by field.

#include "plant/plant.h"
#include "simulation/save/fields.h"

namespace thigmo {

template <class Archive, class AnyMaterial>
void visit_material(Archive& archive, AnyMaterial& material) {
  archive.text("name of a material", material.name);
  for (auto* value : {&material.density, &material.young, &material.poisson, &material.shear_ratio,
                      &material.damping_ratio, &material.strength}) {
    archive.number("number of a material", *value);
  }
}

inline constexpr Index most_numbers = 1 << 30;  // of what is counted up by edits: axes, orders

template <class Archive, class AnySegment>
void visit_segment(Archive& archive, AnySegment& s) {
  archive.index("parent of a segment", s.parent, no_index, most_numbers);
  archive.choice("kind of a segment", s.kind, OrganKind::root);
  archive.choice("outline of a segment", s.outline, Outline::ellipse);
  archive.truth("cut base of a segment", s.cut_base);
  archive.truth("cut tip of a segment", s.cut_tip);
  archive.number("place of a segment", s.base_in_parent);
  archive.rotation("rotation of a segment", s.parent_from_segment);
  archive.number("length of a segment", s.length, Must::be_positive);
  archive.number("radius of a segment", s.radius_base, Must::be_positive);
  archive.number("radius of a segment", s.radius_tip, Must::not_be_negative);
  archive.number("height of a segment", s.height_base, Must::not_be_negative);
  archive.number("height of a segment", s.height_tip, Must::not_be_negative);
  archive.number("hollow of a segment", s.hollow, Must::not_be_negative);
  archive.index("axis of a segment", s.axis, no_index, most_numbers);
  archive.index("order of a segment", s.order, no_index, most_numbers);
  archive.index("material of a segment", s.material, 0, most_numbers);
  archive.number("colour of a segment", s.colour);
  archive.number("joint factor of a segment", s.joint_factor, Must::not_be_negative);
  archive.index("stated body of a segment", s.given, no_index, most_numbers);
  archive.number("module of a segment", s.origin.module);
  archive.number("rule of a segment", s.origin.rule);
  archive.number("derivation step of a segment", s.origin.step);
  archive.number("symbol of a segment", s.origin.symbol);
}
inline constexpr std::size_t segment_bytes = 142;

template <class Archive, class AnyOrgan>
void visit_organ(Archive& archive, AnyOrgan& organ) {
  archive.index("segment of an organ", organ.segment, 0, most_numbers);
  archive.number("place of an organ", organ.base);
  archive.number("rotation of an organ", organ.rotation);
  for (auto* value : {&organ.length, &organ.width, &organ.mass, &organ.drag_area}) {
    archive.number("size of an organ", *value, Must::not_be_negative);
  }
  archive.number("colour of an organ", organ.colour);
  archive.number("shape of an organ", organ.shape);
  archive.choice("kind of an organ", organ.kind, OrganKind::root);
}
inline constexpr std::size_t organ_bytes = 55;

template <class Archive, class AnyBody>
void visit_given_body(Archive& archive, AnyBody& given) {
  archive.number("mass of a stated body", given.mass, Must::not_be_negative);
  archive.number("centre of a stated body", given.center);
  archive.number("inertia of a stated body", given.inertia);
  archive.number("stiffness of a stated joint", given.joint_stiffness);
  archive.number("coupling of a stated joint", given.joint_coupling);
  archive.number("angles of a stated joint", given.start_angles);
  visit_optional_number(archive, "damping of a stated joint", given.joint_damping, Must::be_finite);
}

template <class Archive, class AnyDamping>
void visit_damping(Archive& archive, AnyDamping& damping) {
  archive.choice("law of damping", damping.law, DampingLaw::rayleigh);
  archive.number("rate of damping", damping.mass_rate);
  for (auto& frequency : damping.frequencies) archive.number("frequency of damping", frequency);
  visit_optional(archive, "ratios of damping", damping.ratios, [&](auto& ratios) {
    for (auto& ratio : ratios) archive.number("ratio of damping", ratio);
  });
}

template <class Archive, class AnyPlant>
void visit_plant_shape(Archive& archive, AnyPlant& plant) {
  archive.text("name of a plant", plant.name);
  visit_list(archive, "materials", plant.materials, 8 + 6 * 8,
             [&](auto& material) { visit_material(archive, material); });
  visit_list(archive, "segments", plant.segments, segment_bytes,
             [&](auto& segment) { visit_segment(archive, segment); });
  visit_list(archive, "organs", plant.organs, organ_bytes,
             [&](auto& organ) { visit_organ(archive, organ); });
  visit_list(archive, "stated bodies", plant.given_bodies, 17 * 8 + 1,
             [&](auto& given) { visit_given_body(archive, given); });
  visit_damping(archive, plant.damping);
  archive.number("stiffness of a root", plant.root_stiffness, Must::be_a_number);
  visit_numbers(archive, "ends of whole segments", plant.whole_ends, Must::not_be_negative);
}

// Whether the parts of a plant that was read fit together; what does not is refused.
void check_plant_shape(const Plant& plant, FieldReader& reader);

// How many bytes a plant takes, for the room that a writer needs.
std::size_t saved_bytes(const Plant& plant);

}  // namespace thigmo
