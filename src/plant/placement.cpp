#include "plant/placement.h"

namespace thigmo {

Quat rotation_of(const Placement& placement) { return rotation_about({0, 1, 0}, placement.turn); }

}  // namespace thigmo
