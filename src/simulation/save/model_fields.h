#pragma once

// Models, and what a piece remembers of where it was cut, field by field.

#include "simulation/cut_segment.h"
#include "simulation/save/plant_fields.h"
#include "simulation/simulation.h"

namespace thigmo {

template <class Archive, class AnyBody>
void visit_body(Archive& archive, AnyBody& body) {
  archive.number("joint of a body", body.base_in_parent);
  archive.rotation("rest rotation of a body", body.parent_from_rest);
  archive.number("mass of a body", body.mass, Must::not_be_negative);
  archive.number("first moment of a body", body.first_moment);
  archive.number("stiffness of a joint", body.stiffness);
  archive.number("axes of a joint", body.section);
  archive.number("inertia of a body", body.inertia);
  archive.number("damping of a joint", body.damping_time, Must::not_be_negative);
  archive.number("place where the air pushes", body.drag_point);
  archive.number("drag of a body", body.drag_across);
  archive.number("drag of a body", body.drag_around);
  archive.number("length of a body", body.length, Must::not_be_negative);
}

// A model as it is saved: what a step needs of it is made of this again.
struct SavedModel {
  std::shared_ptr<PlantModel> model = std::make_shared<PlantModel>();
  StepForm form;
};

// The joints of a plant's start: none after an edit, all at rest, or turned.
enum class StartJoints : std::uint8_t { none, at_rest, turned };
StartJoints start_joints_of(const PlantModel& model);

template <class Archive, class AnyModel, class AnyForm>
void visit_model(Archive& archive, AnyModel& model, AnyForm& form) {
  visit_plant_shape(archive, model.plant);
  if constexpr (Archive::reads) {
    check_plant_shape(model.plant, archive);
    if (!archive.sound()) return;
    make_tree(model);
  }
  for (auto& body : model.mechanism.body) visit_body(archive, body);
  auto& mechanism = model.mechanism;
  archive.number("damping of a plant", mechanism.mass_damping);
  archive.number("streamlining speed", mechanism.streamlining_speed, Must::not_be_negative);
  archive.number("mass of a pot", mechanism.pot_mass, Must::not_be_negative);
  archive.number("radius of a pot", mechanism.pot_radius, Must::not_be_negative);
  archive.number("gravity of a model", model.gravity_plant);
  archive.truth("truth of a felt tension", form.with_tension);
  archive.number("margin of tensions", form.tension_margin, Must::be_a_number);
  archive.truth("truth of flat springs", form.with_flat_springs);
  StartJoints start = start_joints_of(model);
  archive.choice("start of a model", start, StartJoints::turned);
  if constexpr (Archive::reads) {
    if (start != StartJoints::none) model.start = rest_state(mechanism);
  }
  if (start != StartJoints::turned) return;
  for (std::size_t i = 0; i < mechanism.body.size(); ++i) {
    Quat q = model.start.rest_from_body[i];
    archive.rotation("start of a joint", q);
    if constexpr (Archive::reads) model.start.rest_from_body.set(i, q);
  }
  if constexpr (Archive::reads) {
    if (start_joints_of(model) != start) archive.refuse("a start at rest is said to be none");
  }
}

// Parents and subtrees of a mechanism, and its bodies, from a plant that was read.
void make_tree(PlantModel& model);

template <class Archive, class AnyCut>
void visit_cut_segment(Archive& archive, AnyCut& cut) {
  archive.number("place of a cut", cut.along, Must::be_positive);
  visit_segment(archive, cut.whole);
  for (auto* body : {&cut.whole_body, &cut.lower_body, &cut.upper_body}) {
    visit_body(archive, *body);
  }
  if constexpr (Archive::reads) {
    if (!(cut.along < 1) || cut.whole.given != no_index) {
      return archive.refuse("a segment cannot have been cut there");
    }
    divide(cut);
  }
}

template <class Archive, class AnyId>
void visit_segment_id(Archive& archive, AnyId& id) {
  archive.number("name of a segment", id.number);
  archive.number("name of a segment", id.birth);
}

template <class Archive, class AnyStub>
void visit_stub(Archive& archive, AnyStub& stub) {
  visit_segment_id(archive, stub.parent);
  archive.number("time of a cut", stub.time);
  archive.number("place of a stub", stub.base_in_parent);
  archive.rotation("rotation of a stub", stub.parent_from_rest);
  archive.number("acceleration of a stub", stub.acceleration);
  archive.number("tension of a stub", stub.tension_torque);
  archive.truth("truth of a stub's acceleration", stub.started);
  bool through = stub.through != nullptr;
  archive.truth("truth of a cut through a segment", through);
  if (!through) return;
  if constexpr (Archive::reads) {
    auto cut = std::make_shared<CutSegment>();
    visit_cut_segment(archive, *cut);
    stub.through = std::move(cut);
  } else {
    visit_cut_segment(archive, *stub.through);
  }
}

}  // namespace thigmo
