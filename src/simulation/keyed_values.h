#pragma once

// What a scenario lets change by keys in the course of time: gravity, wind and woods.

#include "base/index.h"
#include "math/vector.h"
#include "simulation/edit.h"
#include "simulation/keyed_value.h"

namespace thigmo {

// Joints of one wood. Their springs are what they would be without keys times a factor that is a function of the time:
// nothing adds up, however many steps there are.
struct KeyedWood {
  KeyedValue<double> stiffness;  // factor of springs; empty: stays
  KeyedValue<double> damping;    // factor of dampers over springs; empty: stays
  struct Given {
    Vec3 stiffness;          // [N m/rad]
    float damping_time = 0;  // [s]
  };
  std::vector<SegmentId> segments;
  std::vector<Given> given;  // of the joint at the base of each
  double stiffness_now = 1, damping_now = 1;
  // Where the segments are: those of each plant, by their places in the list above.
  struct Share {
    std::size_t plant = 0;
    std::vector<Index> bodies;
    std::vector<std::size_t> entries;
  };
  std::vector<Share> shares = {};
};

struct KeyedValues {
  KeyedValue<Vec3> gravity_world;  // [m/s²]; empty: stays
  KeyedValue<Vec3> uniform_wind;   // velocity of a wind without gusts [m/s]; empty: stays
  KeyedValue<double>
      gust_speed;  // of a wind with gusts, over that of Simulation::wind; empty: stays
  std::vector<KeyedWood> woods;
};

// Puts gravity and woods to a time, between steps, in as much time as there are segments of woods that change.
void set_keyed_values(double time, Simulation& simulation);

// Woods of keys keep what an edit has changed of joints, and forget what is gone.
void refit_keyed_woods(const EditResult& result, Simulation& simulation);

// Finds where the segments of woods by keys are.
void find_keyed_segments(Simulation& simulation);

// The joints of some segments of a plant, from now on by keys. A root on a spring of the ground is none of them.
void add_keyed_wood(std::size_t plant, const std::vector<Index>& segments, KeyedWood keys,
                    Simulation& simulation);

}  // namespace thigmo
