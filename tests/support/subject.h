#pragma once

#include "mechanics/compile/compile_mechanism.h"
#include "mechanics/step/step.h"

namespace thigmo::support {

// A mechanism with everything that moves it.
struct Subject {
  Mechanism mechanism;
  State state;
  Workspace workspace;
};

inline Subject make_subject(const Plant& plant, Processor processor = best_processor()) {
  Subject subject{.mechanism = compile_mechanism(plant)};
  subject.state = rest_state(subject.mechanism);
  subject.workspace = make_workspace(subject.mechanism, processor);
  return subject;
}

// The tip of the last body.
inline PointMotion tip_motion(const Subject& subject) {
  const Index last = body_count(subject.mechanism) - 1;
  const Vec3 end{0, subject.mechanism.body.back().length, 0};
  return point_motion(subject.mechanism, subject.state, last, end);
}

}  // namespace thigmo::support
