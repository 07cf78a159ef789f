#pragma once

// The calls that change a world, as values. Each has a name and one walk over its arguments, archive(key, value),
// which writes them into a log and reads them from there.

#include <string>
#include <variant>
#include <vector>

#include "thigmo/world.h"

namespace thigmo {

template <class Archive, class Options>
void visit_graft_options(Archive& a, Options& options) {
  a("along", options.along);
  a("rest", options.rest);
  a("carry", options.carry);
  a("turn", options.turn);
}
template <class Archive, class Force>
void visit_force_of_call(Archive& a, Force& force) {
  a("along", force.along);
  a("force", force.force);
  a("moment", force.moment);
  a("follower", force.follower);
}
template <class Archive, class To>
void visit_change_of_call(Archive& a, To& to) {
  a("stiffness", to.stiffness);
  a("mass", to.mass);
  a("damping", to.damping);
  a("creep", to.creep);
  a("species", to.species);
}

// A plant that is in no world yet, which other calls mean by its number.
struct PlantCall {
  static constexpr const char* name = "plant";
  std::uint64_t number = 0;
  std::string bytes;
  template <class Archive, class Self>
  static void visit(Archive& a, Self& c) {
    a("number", c.number);
    a.data(c.bytes);
  }
};

struct AddCall {
  static constexpr const char* name = "add";
  std::uint64_t plant = 0;
  Placing placing;
  template <class Archive, class Self>
  static void visit(Archive& a, Self& c) {
    a("plant", c.plant);
    a("position", c.placing.position);
    a("turn", c.placing.turn);
  }
};

struct InstancesCall {
  static constexpr const char* name = "instances";
  PlantId like;
  std::vector<Placing> places;
  template <class Archive, class Self>
  static void visit(Archive& a, Self& c) {
    a("like", c.like);
    a("places", c.places);
  }
};

struct WindCall {
  static constexpr const char* name = "wind";
  GustyWind wind;
  template <class Archive, class Self>
  static void visit(Archive& a, Self& c) {
    a("mean", c.wind.mean);
    a("intensity", c.wind.intensity);
    a("seed", c.wind.seed);
    a("length_scale", c.wind.length_scale);
    a("decay", c.wind.decay);
    a("ease", c.wind.ease);
  }
};

struct GravityCall {
  static constexpr const char* name = "gravity";
  Numbers3 gravity{};
  template <class Archive, class Self>
  static void visit(Archive& a, Self& c) {
    a("gravity", c.gravity);
  }
};

struct GroundCall {
  static constexpr const char* name = "ground";
  LevelGround ground;
  template <class Archive, class Self>
  static void visit(Archive& a, Self& c) {
    a("height", c.ground.height);
    a("stiffness", c.ground.stiffness);
    a("damping", c.ground.damping);
    a("friction", c.ground.friction);
  }
};

struct NoGroundCall {
  static constexpr const char* name = "no_ground";
  template <class Archive, class Self>
  static void visit(Archive&, Self&) {}
};

struct PushCall {
  static constexpr const char* name = "push";
  SegmentId segment;
  PointForce force;
  template <class Archive, class Self>
  static void visit(Archive& a, Self& c) {
    a("segment", c.segment);
    visit_force_of_call(a, c.force);
  }
};

struct ChangeForceCall {
  static constexpr const char* name = "change_force";
  ForceId id;
  PointForce to;
  template <class Archive, class Self>
  static void visit(Archive& a, Self& c) {
    a("id", c.id);
    visit_force_of_call(a, c.to);
  }
};

struct RemoveForceCall {
  static constexpr const char* name = "remove_force";
  ForceId id;
  template <class Archive, class Self>
  static void visit(Archive& a, Self& c) {
    a("id", c.id);
  }
};

struct GrabCall {
  static constexpr const char* name = "grab";
  SegmentId segment;
  GrabSpring spring;
  template <class Archive, class Self>
  static void visit(Archive& a, Self& c) {
    a("segment", c.segment);
    a("along", c.spring.along);
    a("stiffness", c.spring.stiffness);
    a("damping", c.spring.damping);
  }
};

struct DragCall {
  static constexpr const char* name = "drag";
  GrabId grab;
  Numbers3 to{};
  template <class Archive, class Self>
  static void visit(Archive& a, Self& c) {
    a("grab", c.grab);
    a("to", c.to);
  }
};

struct LetGoCall {
  static constexpr const char* name = "let_go";
  GrabId grab;
  template <class Archive, class Self>
  static void visit(Archive& a, Self& c) {
    a("grab", c.grab);
  }
};

struct MoveRootCall {
  static constexpr const char* name = "move_root";
  PlantId plant;
  Transform to{};
  double seconds = 0;
  template <class Archive, class Self>
  static void visit(Archive& a, Self& c) {
    a("plant", c.plant);
    a("position", c.to.position);
    a("rotation", c.to.rotation);
    a("seconds", c.seconds);
  }
};

struct ReleaseRootCall {
  static constexpr const char* name = "release_root";
  PlantId plant;
  template <class Archive, class Self>
  static void visit(Archive& a, Self& c) {
    a("plant", c.plant);
  }
};

struct ClampRootCall {
  static constexpr const char* name = "clamp_root";
  PlantId plant;
  template <class Archive, class Self>
  static void visit(Archive& a, Self& c) {
    a("plant", c.plant);
  }
};

struct CutCall {
  static constexpr const char* name = "cut";
  SegmentId segment;
  double along = 0;
  template <class Archive, class Self>
  static void visit(Archive& a, Self& c) {
    a("segment", c.segment);
    a("along", c.along);
  }
};

struct RemoveSegmentCall {
  static constexpr const char* name = "remove_segment";
  SegmentId segment;
  template <class Archive, class Self>
  static void visit(Archive& a, Self& c) {
    a("segment", c.segment);
  }
};

struct RemovePlantCall {
  static constexpr const char* name = "remove_plant";
  PlantId plant;
  template <class Archive, class Self>
  static void visit(Archive& a, Self& c) {
    a("plant", c.plant);
  }
};

struct GraftCall {
  static constexpr const char* name = "graft";
  PlantId scion;
  SegmentId onto;
  GraftOptions options;
  template <class Archive, class Self>
  static void visit(Archive& a, Self& c) {
    a("scion", c.scion);
    a("onto", c.onto);
    visit_graft_options(a, c.options);
  }
};

struct GraftNewCall {
  static constexpr const char* name = "graft_new";
  std::uint64_t plant = 0;
  SegmentId onto;
  GraftOptions options;
  template <class Archive, class Self>
  static void visit(Archive& a, Self& c) {
    a("plant", c.plant);
    a("onto", c.onto);
    visit_graft_options(a, c.options);
  }
};

struct ExtendCall {
  static constexpr const char* name = "extend";
  SegmentId segment;
  double by = 0;
  template <class Archive, class Self>
  static void visit(Archive& a, Self& c) {
    a("segment", c.segment);
    a("by", c.by);
  }
};

struct ThickenCall {
  static constexpr const char* name = "thicken";
  std::vector<SegmentId> segments;
  double factor = 1;
  template <class Archive, class Self>
  static void visit(Archive& a, Self& c) {
    a("segments", c.segments);
    a("factor", c.factor);
  }
};

struct ChangeCall {
  static constexpr const char* name = "change";
  std::vector<SegmentId> segments;
  ChangeOf to;
  template <class Archive, class Self>
  static void visit(Archive& a, Self& c) {
    a("segments", c.segments);
    visit_change_of_call(a, c.to);
  }
};

struct ChangePlantCall {
  static constexpr const char* name = "change_plant";
  PlantId plant;
  ChangeOf to;
  template <class Archive, class Self>
  static void visit(Archive& a, Self& c) {
    a("plant", c.plant);
    visit_change_of_call(a, c.to);
  }
};

struct AddProbeCall {
  static constexpr const char* name = "add_probe";
  std::string probe;
  SegmentId segment;
  double along = 1;
  template <class Archive, class Self>
  static void visit(Archive& a, Self& c) {
    a("name", c.probe);
    a("segment", c.segment);
    a("along", c.along);
  }
};

struct RemoveProbeCall {
  static constexpr const char* name = "remove_probe";
  std::string probe;
  template <class Archive, class Self>
  static void visit(Archive& a, Self& c) {
    a("name", c.probe);
  }
};

struct AccountCall {
  static constexpr const char* name = "keep_account";
  template <class Archive, class Self>
  static void visit(Archive&, Self&) {}
};

struct StepCall {
  static constexpr const char* name = "step";
  double seconds = 0;
  std::uint64_t times = 1;
  template <class Archive, class Self>
  static void visit(Archive& a, Self& c) {
    a("seconds", c.seconds);
    a("times", c.times);
  }
};

// No call: what the state was after so many steps of the log.
struct StateCheck {
  static constexpr const char* name = "state";
  std::uint64_t steps = 0;
  std::uint64_t hash = 0;
  template <class Archive, class Self>
  static void visit(Archive& a, Self& c) {
    a("steps", c.steps);
    a.hash("hash", c.hash);
  }
};

using Call =
    std::variant<PlantCall, AddCall, InstancesCall, WindCall, GravityCall, GroundCall, NoGroundCall,
                 PushCall, ChangeForceCall, RemoveForceCall, GrabCall, DragCall, LetGoCall,
                 MoveRootCall, ReleaseRootCall, ClampRootCall, CutCall, RemoveSegmentCall,
                 RemovePlantCall, GraftCall, GraftNewCall, ExtendCall, ThickenCall, ChangeCall,
                 ChangePlantCall, AddProbeCall, RemoveProbeCall, AccountCall, StepCall, StateCheck>;

}  // namespace thigmo
