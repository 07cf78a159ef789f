#include "api/surface.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "io/file.h"
#include "io/gltf_mesh.h"
#include "io/obj.h"

namespace thigmo {
namespace {

struct NamedKind {
  std::string_view name;
  OrganKind kind;
  bool petals = false;
};
constexpr std::array organ_kinds{
    NamedKind{"leaf", OrganKind::leaf}, NamedKind{"flower", OrganKind::flower},
    NamedKind{"petal", OrganKind::flower, true}, NamedKind{"fruit", OrganKind::fruit},
    NamedKind{"bud", OrganKind::bud}};

constexpr double smallest_share = 1e-4;  // their leaves are a hundred times as long
constexpr double largest_flare = 100;

Result<UserOrgan> read_organ(const OrganMesh& organ) {
  const auto* kind = std::find_if(organ_kinds.begin(), organ_kinds.end(),
                                  [&](const NamedKind& k) { return k.name == organ.kind; });
  if (kind == organ_kinds.end()) {
    return error(fmt::format("there is no kind of organ '{}'", organ.kind),
                 "kinds: leaf, flower, petal, fruit, bud");
  }
  const bool gltf = organ.file.ends_with(".glb") || organ.file.ends_with(".gltf");
  if (!gltf && !organ.file.ends_with(".obj")) {
    return error(fmt::format("no mesh format is known for '{}'", organ.file),
                 "meshes of organs are .obj, .glb or .gltf");
  }
  const Result<std::string> bytes = read_file(organ.file);
  if (!bytes) return bytes.diagnostics();
  Result<OrganSurface> surface =
      gltf ? surface_from_gltf(*bytes, organ.file) : surface_from_obj(*bytes, organ.file);
  if (!surface) return surface.diagnostics();
  const bool reaches = std::any_of(surface->positions.begin(), surface->positions.end(),
                                   [](const Vec3& p) { return p.y > 0; });
  if (!reaches) {
    return error(fmt::format("the mesh '{}' has no vertex with y above 0", organ.file),
                 "an organ stands on the origin and grows along y");
  }
  // It is scaled to the organ's length: what is far wider would be wider than files hold.
  constexpr double widest = 1e4;
  double reach = 0, farthest = 0;
  for (const Vec3& p : surface->positions) {
    reach = std::max(reach, p.y);
    farthest = std::max({farthest, std::abs(p.x), std::abs(p.y), std::abs(p.z)});
  }
  if (!(farthest <= widest * reach)) {
    return error(
        fmt::format("the mesh '{}' reaches {:.3g} times as far as it is long", organ.file,
                    farthest / reach),
        fmt::format("at most {:.0e} times; an organ stands on the origin and grows along y",
                    widest));
  }
  return UserOrgan{.kind = kind->kind, .petals = kind->petals, .surface = std::move(*surface)};
}

}  // namespace

Result<MeshOptions> mesh_options(const SurfaceDetail& detail) {
  if (detail.sides < 3 || detail.sides > 256) {
    return error(fmt::format("a stem cannot have {} sides", detail.sides), "3 to 256 are possible");
  }
  if (!(detail.leaf_share > 0 && detail.leaf_share <= 1)) {
    return error(fmt::format("a share of {} of the leaves cannot be kept", detail.leaf_share),
                 "above 0, and 1 at most");
  }
  if (!(detail.leaf_share >= smallest_share)) {
    return error(fmt::format("leaves cannot grow for a share of {} of them", detail.leaf_share),
                 fmt::format("{} at least", smallest_share));
  }
  if (!(detail.root_flare >= 0 && detail.root_flare <= largest_flare)) {
    return error(fmt::format("the foot of a stem cannot be {} times wider", detail.root_flare),
                 fmt::format("0 to {} are possible", largest_flare));
  }
  if (!(detail.min_radius >= 0)) {
    return error(fmt::format("{} m is no radius", detail.min_radius), "0 or more is");
  }
  MeshOptions options{.sides_min = std::min(4, detail.sides),
                      .sides_max = detail.sides,
                      .root_flare = detail.root_flare,
                      .min_radius = detail.min_radius,
                      .leaf_share = detail.leaf_share,
                      .weld = detail.weld,
                      .tangents = detail.tangents};
  for (const OrganMesh& organ : detail.organs) {
    Result<UserOrgan> read = read_organ(organ);
    if (!read) return read.diagnostics();
    options.user_organs.push_back(std::move(*read));
  }
  return options;
}

SurfaceDetail surface_detail(const OutputSource& output,
                             const std::vector<OrganMeshSource>& organs) {
  SurfaceDetail detail{.sides = output.sides,
                       .min_radius = output.min_radius,
                       .leaf_share = output.leaf_share,
                       .root_flare = output.root_flare,
                       .weld = output.weld,
                       .tangents = output.tangents};
  for (const OrganMeshSource& organ : organs) detail.organs.push_back({organ.kind, organ.file});
  return detail;
}

}  // namespace thigmo
