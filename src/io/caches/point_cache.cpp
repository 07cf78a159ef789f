#include "io/caches/point_cache.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/assert.h"

namespace thigmo {
namespace {

constexpr std::size_t piece = 1u << 20;  // bytes that are handed on at a time

template <class Put>
Result<Done> put_points(const std::vector<Vec3f>& points, const ByteSink& sink, const Put& put) {
  Bytes out;
  for (const Vec3f& p : points) {
    put(p, out);
    if (out.text().size() < piece) continue;
    if (Result<Done> done = sink(out.text()); !done) return done;
    out.clear();
  }
  return sink(out.text());
}

}  // namespace

Result<Done> write_pc2(const MovingSurface& surface, const ByteSink& sink) {
  Bytes out;
  out.put(std::string_view("POINTCACHE2\0", 12));
  out.put(std::int32_t{1});
  out.put(static_cast<std::int32_t>(surface.mesh.positions.size()));
  out.put(0.0f);  // first frame
  out.put(1.0f);  // frames a sample
  out.put(static_cast<std::int32_t>(surface.times.size()));
  if (Result<Done> done = sink(out.text()); !done) return done;
  Deformed shape;
  for (std::size_t f = 0; f < surface.times.size(); ++f) {
    shape_at(surface, f, shape);
    if (Result<Done> done =
            put_points(shape.positions, sink, [](const Vec3f& p, Bytes& to) { to.put(p); });
        !done)
      return done;
  }
  return Done{};
}

Result<Done> write_mdd(const MovingSurface& surface, const ByteSink& sink) {
  Bytes out;
  out.put_big(static_cast<std::uint32_t>(surface.times.size()));
  out.put_big(static_cast<std::uint32_t>(surface.mesh.positions.size()));
  for (const double t : surface.times) out.put_big(static_cast<float>(t));
  if (Result<Done> done = sink(out.text()); !done) return done;
  Deformed shape;
  for (std::size_t f = 0; f < surface.times.size(); ++f) {
    shape_at(surface, f, shape);
    if (Result<Done> done = put_points(shape.positions, sink,
                                       [](const Vec3f& p, Bytes& to) {
                                         for (const float part : {p.x, p.y, p.z}) to.put_big(part);
                                       });
        !done)
      return done;
  }
  return Done{};
}

Result<Done> write_ply(const SkinnedMesh& mesh, const Deformed* shape, const ByteSink& sink) {
  const std::vector<Vec3f>& positions = shape != nullptr ? shape->positions : mesh.positions;
  const std::vector<Vec3f>& normals = shape != nullptr ? shape->normals : mesh.normals;
  Bytes out;
  out.put("ply\nformat binary_little_endian 1.0\ncomment plant surface, metres, y up\n");
  out.put(fmt::format("element vertex {}\n", positions.size()));
  for (const char* name : {"x", "y", "z", "nx", "ny", "nz", "s", "t"}) {
    out.put(fmt::format("property float {}\n", name));
  }
  for (const char* name : {"red", "green", "blue"})
    out.put(fmt::format("property uchar {}\n", name));
  out.put(fmt::format("element face {}\nproperty list uchar uint vertex_indices\nend_header\n",
                      mesh.indices.size() / 3));
  for (std::size_t v = 0; v < positions.size(); ++v) {
    out.put(positions[v]);
    out.put(normals[v]);
    out.put(mesh.uvs[v].x);
    out.put(mesh.uvs[v].y);
    const Vec3f& c = mesh.colours[v];
    // Viewers of PLY take bytes as sRGB; a square root is near enough to its curve for a preview.
    for (const float channel : {c.x, c.y, c.z}) {
      const float encoded = std::sqrt(std::clamp(channel, 0.0f, 1.0f));
      out.put(static_cast<std::uint8_t>(std::lround(255.0f * encoded)));
    }
    if (out.text().size() < piece) continue;
    if (Result<Done> done = sink(out.text()); !done) return done;
    out.clear();
  }
  for (std::size_t i = 0; i + 2 < mesh.indices.size(); i += 3) {
    out.put(std::uint8_t{3});
    for (std::size_t k = 0; k < 3; ++k) out.put(mesh.indices[i + k]);
    if (out.text().size() < piece) continue;
    if (Result<Done> done = sink(out.text()); !done) return done;
    out.clear();
  }
  return sink(out.text());
}

}  // namespace thigmo
