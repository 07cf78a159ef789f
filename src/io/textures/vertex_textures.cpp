#include "io/textures/vertex_textures.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "io/textures/png.h"

namespace thigmo {
namespace {

struct Extent {
  float low = 0, high = 0;
};

// One range for all three parts, so that directions are not bent by rounding. Two passes over the
// motion instead of keeping it.
Extent offset_extent(const MovingSurface& surface) {
  Extent extent;
  Deformed shape;
  for (std::size_t f = 0; f < surface.times.size(); ++f) {
    shape_at(surface, f, shape);
    for (std::size_t v = 0; v < shape.positions.size(); ++v) {
      const Vec3f d = shape.positions[v] - surface.mesh.positions[v];
      extent.low = std::min({extent.low, d.x, d.y, d.z});
      extent.high = std::max({extent.high, d.x, d.y, d.z});
    }
  }
  if (extent.high <= extent.low) extent.high = extent.low + 1e-6f;
  return extent;
}

std::uint16_t word_from_unit(float value) {
  return static_cast<std::uint16_t>(std::lround(std::clamp(value, 0.0f, 1.0f) * 65535.0f));
}

void put_pixel(std::vector<std::uint16_t>& texture, std::size_t pixel, const Vec3f& unit) {
  texture[3 * pixel] = word_from_unit(unit.x);
  texture[3 * pixel + 1] = word_from_unit(unit.y);
  texture[3 * pixel + 2] = word_from_unit(unit.z);
}

}  // namespace

Result<std::string> write_vertex_textures(const MovingSurface& surface, const ByteSink& offsets_png,
                                          const ByteSink& normals_png, int max_width) {
  const std::size_t vertices = std::max<std::size_t>(1, surface.mesh.positions.size());
  const std::size_t width = std::min(vertices, static_cast<std::size_t>(max_width));
  const std::size_t rows = (vertices + width - 1) / width;
  const std::size_t height = rows * surface.times.size();
  const Extent extent = offset_extent(surface);
  const float scale = 1.0f / (extent.high - extent.low);
  Png16Writer offsets(width, height, offsets_png), normals(width, height, normals_png);
  std::vector<std::uint16_t> offset_row(3 * width), normal_row(3 * width);
  Deformed shape;
  for (std::size_t f = 0; f < surface.times.size(); ++f) {
    shape_at(surface, f, shape);
    for (std::size_t row = 0; row < rows; ++row) {
      std::fill(offset_row.begin(), offset_row.end(), std::uint16_t{0});
      std::fill(normal_row.begin(), normal_row.end(), std::uint16_t{0});
      const std::size_t first = row * width;
      const std::size_t end = std::min(first + width, shape.positions.size());
      for (std::size_t v = first; v < end; ++v) {
        const Vec3f d = shape.positions[v] - surface.mesh.positions[v];
        put_pixel(
            offset_row, v - first,
            {(d.x - extent.low) * scale, (d.y - extent.low) * scale, (d.z - extent.low) * scale});
        const Vec3f n = shape.normals[v];
        put_pixel(normal_row, v - first, {0.5f * n.x + 0.5f, 0.5f * n.y + 0.5f, 0.5f * n.z + 0.5f});
      }
      if (const Result<Done> done = offsets.add_row(offset_row); !done) return done.diagnostics();
      if (const Result<Done> done = normals.add_row(normal_row); !done) return done.diagnostics();
    }
  }
  if (const Result<Done> done = offsets.finish(); !done) return done.diagnostics();
  if (const Result<Done> done = normals.finish(); !done) return done.diagnostics();
  const nlohmann::ordered_json json{{"format", "vertex animation texture"},
                                    {"vertices", surface.mesh.positions.size()},
                                    {"frames", surface.times.size()},
                                    {"frames_per_second", frame_rate(surface)},
                                    {"width", width},
                                    {"height", height},
                                    {"rows_per_frame", rows},
                                    {"min", extent.low},
                                    {"max", extent.high},
                                    {"bits", 16},
                                    {"position", "rest + min + (max - min) * rgb"},
                                    {"normal", "2 * rgb - 1"},
                                    {"unit", "metre, y up"}};
  return json.dump(2) + "\n";
}

Result<VertexTextures> vertex_textures(const MovingSurface& surface, int max_width) {
  VertexTextures textures;
  const auto into = [](std::string& bytes) {
    return [&bytes](std::string_view piece) -> Result<Done> {
      bytes.append(piece);
      return Done{};
    };
  };
  Result<std::string> json = write_vertex_textures(surface, into(textures.offsets_png),
                                                   into(textures.normals_png), max_width);
  if (!json) return json.diagnostics();
  textures.json = std::move(*json);
  return textures;
}

}  // namespace thigmo
