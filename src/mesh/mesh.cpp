#include "mesh/mesh.h"

namespace thigmo {

const char* surface_name(Surface surface) {
  switch (surface) {
    case Surface::bark:
      return "bark";
    case Surface::leaf:
      return "leaf";
    case Surface::petal:
      return "petal";
    case Surface::fruit:
      return "fruit";
  }
  return "bark";
}

}  // namespace thigmo
