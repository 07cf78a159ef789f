#pragma once

#include "grammar/text/source.h"

namespace thigmo {

// The notation of soft-body trees: named nodes that are replaced in every step, beginning with
// `start`. F has two factors, of length and mass relative to the branch it grows on; T turns left by
// an angle in degrees; N names the node that stands here. Li 2012 speaks of mass first, but prints
// F 0.9 0.5 where segments are only a little shorter than their parents while masses fall fast (figures 3
// and 4), and F 0.98 0.5 for the stick of a bamboo: the length stands first.
//
//   n = 7
//   start -> F 0.9 0.5 N zero
//   zero -> F 0.9 0.33 [T 30 N zero] F 0.9 0.33 [T -30 N zero] T 30 N zero
//
// `n`, `mass` [kg] and `length` [m] (of the branch before the first F) and `density` [kg/m³], which
// gives the thickness, may be set as `name = number`.
//
// The rules are rewritten into this project's language, every place mapped back to the original.
Source soft_body_source(std::string_view file, std::string_view text, Diagnostics& diagnostics);

}  // namespace thigmo
