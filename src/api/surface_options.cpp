#include "api/surface_options.h"

#include <fmt/format.h>

#include <algorithm>

namespace thigmo {
namespace {

// Whether a number of the detail lies where it may.
Result<Done> check_key(const SurfaceKey& key, const SurfaceDetail& detail) {
  double value = 0;
  if (const auto* whole = std::get_if<int SurfaceDetail::*>(&key.member)) {
    value = detail.*(*whole);
  } else if (const auto* number = std::get_if<double SurfaceDetail::*>(&key.member)) {
    value = detail.*(*number);
  } else {
    return Done{};
  }
  if (value >= key.least && value <= key.most) return Done{};
  return error(fmt::format(fmt::runtime(key.refusal), value),
               fmt::format("{} to {} are possible", key.least, key.most));
}

}  // namespace

Result<MeshOptions> surface_options(const SurfaceDetail& detail) {
  for (const SurfaceKey& key : surface_keys) {
    if (const Result<Done> done = check_key(key, detail); !done) return done.diagnostics();
  }
  return MeshOptions{.sides_min = std::min(4, detail.sides),
                     .sides_max = detail.sides,
                     .root_flare = detail.root_flare,
                     .min_radius = detail.min_radius,
                     .leaf_share = detail.leaf_share,
                     .weld = detail.weld,
                     .tangents = detail.tangents};
}

}  // namespace thigmo
