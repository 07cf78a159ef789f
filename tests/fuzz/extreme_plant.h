#pragma once

#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <string_view>

#include "io/caches/point_cache.h"
#include "io/geo/geo.h"
#include "io/geo/lines.h"
#include "io/geo/obj.h"
#include "io/geo/plant_lines.h"
#include "io/gltf/glb.h"
#include "io/tables/csv_writer.h"
#include "io/tables/tree_table.h"
#include "io/textures/pivot_textures.h"
#include "io/textures/vertex_textures.h"
#include "io/usd/usda.h"
#include "math/rotation.h"
#include "plant/sizes.h"
#include "render/camera.h"
#include "render/picture.h"

// Plants that no one grows, made of bytes: what readers and grammars could hand to the builder of meshes
// and to the writers.
namespace thigmo::testing {

// Numbers out of bytes; zeros once they are used up.
class ByteSource {
 public:
  explicit ByteSource(std::string_view bytes) : bytes_(bytes) {}
  bool empty() const { return bytes_.empty(); }
  unsigned byte() {
    if (bytes_.empty()) return 0;
    const auto value = static_cast<unsigned char>(bytes_.front());
    bytes_.remove_prefix(1);
    return value;
  }
  // Mostly between 1e-4 and 1e4, else something that breaks arithmetic.
  double size() {
    constexpr std::array extremes{0.0,   5e-324, 1e-300, 1e-160, 1e-45, 1e-38, 1e-30, 1e-20,
                                  1e-16, 1e-12,  1e-9,   1e-7,   1e-6,  5e-6,  1e5,   1e6,
                                  1e7,   1e8,    1e9,    1e10,   1e11,  9e11,  1e12,  1e13,
                                  1e17,  1e18,   5e19,   1e20,   1e38,  1e39,  1e160, 1e300};
    const unsigned b = byte();
    if (b < 192) return std::pow(10.0, (static_cast<double>(b) - 96) / 24);
    return extremes[b % extremes.size()];
  }
  double angle() {
    const unsigned b = byte();
    constexpr std::array marked{0.0, 1e-9, 90.0, 180.0, -180.0, 179.999, 170.0, 70.0};
    const double degrees = b < 128 ? marked[b % marked.size()] : 2.8125 * b;
    return degrees * std::numbers::pi / 180;
  }

 private:
  std::string_view bytes_;
};

inline Segment extreme_segment(const Plant& plant, ByteSource& source) {
  const unsigned how = source.byte();
  Segment s;
  s.length = source.size();
  s.radius_base = source.size();
  s.radius_tip = (how & 1) != 0 ? source.size() : s.radius_base;
  // Around y after x, or x alone.
  s.parent_from_segment = rotation_about({1, 0, 0}, source.angle());
  if ((how & 2) != 0) {
    s.parent_from_segment =
        normalized(rotation_about({0, 1, 0}, source.angle()) * s.parent_from_segment);
  }
  if ((how & 0x0c) == 0x0c) {
    s.outline = (how & 0x10) != 0 ? Outline::ellipse : Outline::rectangle;
    s.height_base = source.size();
    s.height_tip = (how & 0x20) != 0 ? source.size() : s.height_base;
  }
  if (plant.segments.empty() || how >= 0xf8) {
    if (how >= 0xf8) s.base_in_parent = {source.size(), 0, -source.size()};
    s.axis = static_cast<Index>(plant.segments.size());
    return s;
  }
  // Up the path that leads to the last segment.
  s.parent = static_cast<Index>(plant.segments.size()) - 1;
  for (unsigned up = (how & 0x40) != 0 ? source.byte() % 8 : 0; up > 0; --up) {
    const Index above = plant.segments[static_cast<std::size_t>(s.parent)].parent;
    if (above != no_index) s.parent = above;
  }
  const Segment& parent = plant.segments[static_cast<std::size_t>(s.parent)];
  s.base_in_parent = {0, parent.length, 0};
  if ((how & 0x80) != 0) {
    s.base_in_parent = {0, source.size(), source.size()};
    if ((how & 4) != 0) s.base_in_parent = {0, parent.length * source.byte() / 255.0, 0};
  }
  const bool side = (how & 0x40) != 0;
  s.axis = side ? static_cast<Index>(plant.segments.size()) : parent.axis;
  s.order = parent.order + (side ? 1 : 0);
  return s;
}

inline Organ extreme_organ(Index segment, ByteSource& source) {
  constexpr std::array kinds{OrganKind::leaf, OrganKind::flower, OrganKind::fruit, OrganKind::bud};
  const unsigned how = source.byte();
  Organ organ{.segment = segment,
              .length = static_cast<float>(source.size()),
              .width = static_cast<float>(source.size()),
              .shape = static_cast<std::int16_t>((how >> 2) % 10),
              .kind = kinds[how % kinds.size()]};
  set_place({0, source.size(), 0}, rotation_about({1, 0, 0}, source.angle()), organ);
  return organ;
}

inline Plant extreme_plant(ByteSource& source) {
  constexpr std::size_t most = 60;
  Plant plant;
  plant.materials.push_back({.name = "wood",
                             .density = 800,
                             .young = 1e9,
                             .poisson = 0.3,
                             .damping_ratio = 0,
                             .strength = 1e7});
  while (!source.empty() && plant.segments.size() < most && plant.organs.size() < most) {
    if (!plant.segments.empty() && source.byte() % 4 == 0) {
      plant.organs.push_back(extreme_organ(static_cast<Index>(plant.segments.size()) - 1, source));
    } else {
      plant.segments.push_back(extreme_segment(plant, source));
    }
  }
  return plant;
}

// A triangle far to one side, a needle, and a speck.
inline OrganSurface odd_leaf() {
  OrganSurface leaf;
  leaf.positions = {{0, 0, 0}, {1e4, 1, 0}, {0, 1, 1e-9}, {0, 1e-9, 0}, {1e-30, 1, -1e4}};
  leaf.normals.assign(leaf.positions.size(), {0, 0, 1});
  leaf.tangents.assign(leaf.positions.size(), {1, 0, 0, 1});
  leaf.uvs.assign(leaf.positions.size(), {0, 0});
  leaf.indices = {0, 1, 2, 0, 0, 3, 2, 4, 1};
  return leaf;
}

inline MeshOptions extreme_options(ByteSource& source) {
  const unsigned how = source.byte();
  MeshOptions options{.sides_min = (how & 1) != 0 ? 3 : 4,
                      .sides_max = (how & 1) != 0 ? 3 : 12,
                      .weld = (how & 2) != 0,
                      .tangents = true,
                      .joint_rings = (how & 4) == 0};
  if ((how & 8) != 0) options.min_radius = source.size();
  if ((how & 16) != 0) options.root_flare = source.byte() / 8.0;
  if ((how & 32) != 0) options.leaf_share = (1 + source.byte()) / 256.0;
  if ((how & 64) != 0)
    options.user_organs.push_back({.kind = OrganKind::leaf, .surface = odd_leaf()});
  if ((how & 128) != 0) options.collar = options.nose = 0;
  return options;
}

template <class... Numbers>
bool all_finite(Numbers... numbers) {
  return (std::isfinite(numbers) && ...);
}

inline bool unit(const Vec3f& v) { return std::abs(dot(v, v) - 1.0f) < 1e-3f; }

// What is wrong with a mesh; nothing where every number can be written and every index leads somewhere.
inline std::string mesh_error(const SkinnedMesh& mesh) {
  const std::size_t count = mesh.positions.size(), joints = mesh.rest.base_world.size();
  if (mesh.normals.size() != count || mesh.tangents.size() != count || mesh.uvs.size() != count ||
      mesh.colours.size() != count)
    return "its vertices lack something";
  for (std::size_t v = 0; v < count; ++v) {
    const Vec3f &p = mesh.positions[v], &n = mesh.normals[v], &c = mesh.colours[v];
    const Vec4f& t = mesh.tangents[v];
    if (!all_finite(p.x, p.y, p.z)) return "a position is no number";
    if (!all_finite(mesh.uvs[v].x, mesh.uvs[v].y)) return "a texture coordinate is no number";
    if (!all_finite(c.x, c.y, c.z)) return "a colour is no number";
    if (!unit(n)) return "a normal is no direction";
    if (!unit({t.x, t.y, t.z})) return "a tangent is no direction";
  }
  for (const std::uint32_t i : mesh.indices) {
    if (i >= count) return "an index leads nowhere";
  }
  if (mesh.indices.size() % 3 != 0) return "a triangle lacks a corner";
  std::uint64_t next = 0;
  for (const SkinGroup& group : mesh.groups) {
    if (group.first_vertex != next) return "groups leave a gap";
    next += group.vertex_count;
    float sum = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      if (group.joint[k] < 0 || static_cast<std::size_t>(group.joint[k]) >= joints)
        return "a joint leads nowhere";
      sum += group.weight[k];
    }
    if (!(std::abs(sum - 1) < 1e-5f)) return "weights do not sum to one";
  }
  if (next != count) return "groups do not cover the vertices";
  for (const MeshPart& part : mesh.parts) {
    if (std::uint64_t{part.first_index} + part.index_count > mesh.indices.size())
      return "a part leads nowhere";
  }
  return {};
}

// Whether text has a number that is none: inf, nan, null, as words.
inline bool names_no_number(std::string_view text) {
  const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  for (const std::string_view word : {"inf", "nan", "null", "-nan", "-inf"}) {
    for (std::size_t at = text.find(word); at != std::string_view::npos;
         at = text.find(word, at + 1)) {
      const std::size_t end = at + word.size();
      if ((at == 0 || !is_letter(text[at - 1])) && (end == text.size() || !is_letter(text[end])))
        return true;
    }
  }
  return false;
}

// A frame at rest and one in which every joint is bent.
inline Motion bent_motion(const Plant& plant) {
  Plant bent = plant;
  for (std::size_t i = 0; i < bent.segments.size(); ++i) {
    Quat& q = bent.segments[i].parent_from_segment;
    q = normalized(q * rotation_about({i % 2 == 0 ? 1.0 : 0.0, 0, i % 2 == 0 ? 0.0 : 1.0}, 0.7));
  }
  return {.times = {0, 0.1}, .poses = {rest_pose(plant), rest_pose(bent)}};
}

// A writer's name where its text holds what is no number, or it refuses the plant.
template <class Write>
std::string text_error(const char* name, const Write& write) {
  const Result<std::string> text = bytes_from(write);
  if (!text) return std::string(name) + " was refused: " + to_string(text.diagnostics());
  return names_no_number(*text) ? std::string(name) + " holds what is no number" : std::string();
}

inline std::string usda_error(const MovingPlant& moving, const MeshOptions& options) {
  for (const UsdStyle style : {UsdStyle::skeleton, UsdStyle::points, UsdStyle::curves}) {
    std::string wrong = text_error("usda", [&](const ByteSink& sink) {
      return write_usda({&moving, 1}, {.style = style, .mesh = options}, sink);
    });
    if (!wrong.empty()) return wrong;
  }
  return {};
}

inline std::string glb_error(const MovingPlant& moving, const MeshOptions& options) {
  const Result<std::string> glb = glb_bytes({&moving, 1}, {.mesh = options});
  if (!glb) return "glb was refused: " + to_string(glb.diagnostics());
  std::uint32_t json_length = 0;
  std::copy_n(glb->data() + 12, 4, reinterpret_cast<char*>(&json_length));
  const bool sound = !names_no_number(std::string_view(*glb).substr(20, json_length));
  return sound ? "" : "glb holds what is no number";
}

inline std::string cache_error(const MovingSurface& surface, const Deformed& shape) {
  const bool written =
      bytes_from([&](const ByteSink& s) { return write_ply(surface.mesh, &shape, s); }) &&
      bytes_from([&](const ByteSink& s) { return write_pc2(surface, s); }) &&
      bytes_from([&](const ByteSink& s) { return write_mdd(surface, s); });
  return written ? "" : "a binary file was refused";
}

inline std::string texture_error(const MovingSurface& surface, const MeshOptions& options) {
  const Result<VertexTextures> textures = vertex_textures(surface);
  if (!textures || names_no_number(textures->json)) return "vertex textures hold no numbers";
  const Plant& plant = *surface.plants[0].plant;
  const bool fits = static_cast<bool>(check_sizes(plant, rest_pose(plant), Precision::half));
  return fits && !pivot_textures(plant, options) ? "pivot textures were refused" : "";
}

inline std::string line_error(const Plant& plant, const Pose& pose) {
  const LineGeometry lines = lines_from_plant(plant, pose);
  const PosedPlant posed{.plant = &plant, .pose = &pose};
  for (const std::string& text : {geo_classic_from_lines(lines), geo_json_from_lines(lines),
                                  obj_from_lines(lines), csv_from_plants({&posed, 1})}) {
    if (names_no_number(text)) return "lines hold what is no number: " + text.substr(0, 20);
  }
  return {};
}

// Which writers a plant is given to.
enum class Writers { all = 0, skeletons, usda, textures, texts };

// What one of them does wrong with the plant.
inline std::string writers_error(const Plant& plant, const MeshOptions& options, Writers writers) {
  const Motion motion = bent_motion(plant);
  const MovingPlant moving{.plant = &plant, .motion = &motion};
  if (!check_reach(plant, motion.poses[1], plant_size(plant, motion.poses[0]), Precision::single))
    return {};
  const MovingSurface surface = make_moving_surface({&moving, 1}, options);
  if (std::string wrong = mesh_error(surface.mesh); !wrong.empty()) return wrong;
  Deformed shape;
  shape_at(surface, 1, shape);
  for (std::size_t v = 0; v < shape.positions.size(); ++v) {
    const Vec3f &p = shape.positions[v], &n = shape.normals[v];
    if (!all_finite(p.x, p.y, p.z)) return "a moved position is no number";
    if (!all_finite(n.x, n.y, n.z)) return "a moved normal is no number";
  }
  const auto asked = [&](Writers some) { return writers == Writers::all || writers == some; };
  std::string wrong;
  if (asked(Writers::skeletons)) wrong = glb_error(moving, options);
  if (wrong.empty() && asked(Writers::skeletons)) wrong = cache_error(surface, shape);
  if (wrong.empty() && asked(Writers::usda)) wrong = usda_error(moving, options);
  if (wrong.empty() && asked(Writers::textures)) wrong = texture_error(surface, options);
  if (wrong.empty() && asked(Writers::texts)) wrong = line_error(plant, motion.poses[1]);
  if (wrong.empty() && asked(Writers::texts)) {
    wrong =
        text_error("obj", [&](const ByteSink& sink) { return write_obj(surface, &shape, sink); });
  }
  return wrong;
}

inline void draw_small(const Plant& plant, const MeshOptions& options) {
  const MovingPlant still{.plant = &plant};
  const PosedPlant posed{.plant = &plant};
  render_picture({&posed, 1}, frame_camera({&still, 1}, 1.0),
                 {.width = 8, .height = 8, .samples = 1, .threads = 1, .surface = options});
}

// What goes wrong with the plant that the bytes make; nothing where all is well, which it is too where the
// plant is refused with a reason. The bytes choose one of the writers, to be quick, unless all are asked for.
inline std::string extreme_plant_error(std::string_view bytes, bool all_writers = false) {
  ByteSource source(bytes);
  const MeshOptions options = extreme_options(source);
  const unsigned which = source.byte();
  const bool draw = all_writers || which % 32 == 0;
  const Plant plant = extreme_plant(source);
  if (plant.segments.empty() || !check_structure(plant)) return {};
  const Pose rest = rest_pose(plant);
  if (const Result<Done> fits = check_sizes(plant, rest, Precision::single); !fits) {
    const Diagnostic& said = fits.diagnostics().front();
    return said.message.empty() || said.hint.empty() ? "refused without a reason" : "";
  }
  if (draw) draw_small(plant, options);
  return writers_error(plant, options,
                       all_writers ? Writers::all : static_cast<Writers>(1 + which % 4));
}

}  // namespace thigmo::testing
