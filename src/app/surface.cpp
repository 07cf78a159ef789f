#include "app/surface.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "api/surface_options.h"
#include "io/disk/file.h"
#include "io/geo/obj.h"
#include "io/gltf/gltf_mesh.h"
#include "thigmo/formats.h"

namespace thigmo {
namespace {

// By the names of organ_kind_names.
constexpr std::array organ_kinds{OrganKind::leaf, OrganKind::flower, OrganKind::flower,
                                 OrganKind::fruit, OrganKind::bud};
static_assert(organ_kinds.size() == organ_kind_names.size());

Result<UserOrgan> read_organ(const OrganMesh& organ) {
  const auto* name = std::find(organ_kind_names.begin(), organ_kind_names.end(), organ.kind);
  if (name == organ_kind_names.end()) {
    return error(fmt::format("there is no kind of organ '{}'", organ.kind),
                 fmt::format("kinds: {}", fmt::join(organ_kind_names, ", ")));
  }
  const FileFormat* format = find_format(organ.file);
  if (format == nullptr || !format->organs) {
    return error(
        fmt::format("no mesh format is known for '{}'", organ.file),
        "meshes of organs are " + format_endings([](const FileFormat& f) { return f.organs; }));
  }
  const Result<std::string> bytes = read_file(organ.file);
  if (!bytes) return bytes.diagnostics();
  Result<OrganSurface> surface = format->format == Format::obj
                                     ? surface_from_obj(*bytes, organ.file)
                                     : surface_from_gltf(*bytes, organ.file);
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
  return UserOrgan{.kind = organ_kinds[static_cast<std::size_t>(name - organ_kind_names.begin())],
                   .petals = organ.kind == "petal",
                   .surface = std::move(*surface)};
}

}  // namespace

Result<MeshOptions> mesh_options(const SurfaceDetail& detail) {
  Result<MeshOptions> options = surface_options(detail);
  if (!options) return options;
  for (const OrganMesh& organ : detail.organs) {
    Result<UserOrgan> read = read_organ(organ);
    if (!read) return read.diagnostics();
    options->user_organs.push_back(std::move(*read));
  }
  return options;
}

SurfaceDetail surface_detail(const OutputSource& output, const std::vector<OrganMesh>& organs) {
  SurfaceDetail detail = output.surface;
  detail.organs = organs;
  return detail;
}

}  // namespace thigmo
