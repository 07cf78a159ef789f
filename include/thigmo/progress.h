#pragma once

// What a long command tells on its way.

#include <string>

namespace thigmo {

struct Progress {
  std::string stage;    // what is being done
  double fraction = 0;  // of this stage
};

}  // namespace thigmo
