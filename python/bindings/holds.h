#pragma once

#include "common.h"

namespace thigmo::python {

// Things at a segment that a user holds on to, each with its world.
struct ForceObject {
  WorldPointer world;
  ForceId id = {};
};
struct GrabObject {
  WorldPointer world;
  GrabId id = {};
};

}  // namespace thigmo::python
