#include "mesh/organ.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <span>

#include "base/random.h"
#include "mesh/palette.h"
#include "mesh/perpendicular.h"

namespace thigmo {
namespace {

using std::numbers::pi;
constexpr int fine_rows = 8;  // from here on sections are round too
constexpr Index petal_shape = 8;
constexpr LeafForm petal_form{.foot = 0.9, .point = 0.35, .petiole = 0, .droop = 0.25, .fold = 0.3};

void add_vertex(OrganSurface& shape, const Vec3& position, const Vec2f& uv, const Vec3f& colour) {
  shape.positions.push_back(position);
  shape.uvs.push_back(uv);
  shape.colours.push_back(colour);
}

void add_quad(OrganSurface& shape, std::uint32_t a, std::uint32_t b, std::uint32_t c,
              std::uint32_t d) {
  shape.indices.insert(shape.indices.end(), {a, b, c, a, c, d});
}

double blade_half_width(const LeafForm& form, double width, double t) {
  // Largest at t* = foot / (foot + point).
  const double top = form.foot / (form.foot + form.point);
  const double largest = std::pow(top, form.foot) * std::pow(1.0 - top, form.point);
  const double plain = std::pow(t, form.foot) * std::pow(1.0 - t, form.point) / largest;
  const double lobed = 1.0 + form.lobe * std::cos(2.0 * pi * form.lobes * t);
  return 0.5 * width * plain * lobed / (1.0 + form.lobe);
}

// The midrib is a parabola: level at the stalk, hanging by droop·length at the tip.
Vec3 midrib(const LeafForm& form, double length_m, double y_part) {
  const double drop = form.droop * y_part * y_part;
  // Keeps the rib's length: what hangs down does not reach as far out.
  return {0, length_m * y_part * (1.0 - 0.66 * form.droop * form.droop * y_part * y_part),
          -length_m * drop};
}

// Where the rows of a blade stand. Towards foot and tip they stand closer, as the outline turns
// there; of a lobe they take the shoulders and the sides of the bay, so that neither is a spike.
std::vector<double> row_places(const LeafForm& form, int rows) {
  std::vector<double> places{0.0};
  if (form.lobes == 0 || rows < 4 * form.lobes) {
    for (int row = 1; row <= rows; ++row) {
      places.push_back(0.5 * (1.0 - std::cos(pi * row / rows)));
    }
    return places;
  }
  const bool fine = rows >= 6 * form.lobes;
  const std::vector<double> phases =
      fine ? std::vector{0.12, 0.28, 0.42, 0.58, 0.74, 0.90} : std::vector{0.14, 0.40, 0.60, 0.86};
  for (int lobe = 0; lobe < form.lobes; ++lobe) {
    for (const double phase : phases) places.push_back((lobe + phase) / form.lobes);
  }
  places.push_back(1.0);
  return places;
}

// A stalk from the origin to the foot of the blade: three sides, or a flat strip for leaves that are
// seen from afar.
void add_stalk(OrganSurface& shape, const Vec3& end, double radius, bool flat,
               const Vec3f& colour) {
  const auto base = static_cast<std::uint32_t>(shape.positions.size());
  if (flat) {
    for (const double x : {-radius, radius}) {
      add_vertex(shape, {x, 0, 0}, {0.5f, 0.0f}, colour);
      add_vertex(shape, end + Vec3{x, 0, 0}, {0.5f, 0.0f}, colour);
    }
    add_quad(shape, base, base + 2, base + 3, base + 1);
    return;
  }
  for (std::uint32_t k = 0; k < 3; ++k) {
    const double angle = 0.5 * pi + 2 * pi * k / 3;
    const Vec3 off{radius * std::cos(angle), 0, radius * std::sin(angle)};
    // Narrow at the foot, which stands in a twig or goes on from its tip.
    add_vertex(shape, off * 0.5, {0.5f, 0.0f}, colour);
    add_vertex(shape, end + off, {0.5f, 0.0f}, colour);
  }
  for (std::uint32_t k = 0; k < 3; ++k) {
    const std::uint32_t a = base + 2 * k, b = base + 2 * ((k + 1) % 3);
    add_quad(shape, a, a + 1, b + 1, b);
  }
}

struct LeafDetail {
  int rows = 5;
  bool fine = false;
  double phase = 0;  // of the waves
};

// A sheet of some rows and its stalk. Fine blades have five vertices across, which round their
// section, and margins that wave; coarse ones have three: margin, midrib, margin.
void add_leaf(OrganSurface& shape, const LeafForm& form, double length_m, double width_m,
              const Vec3f& colour, const LeafDetail& detail) {
  const double stalk = std::max(0.018 * length_m, 0.03 * width_m) * 0.5;
  if (form.petiole > 0) {
    const Vec3 end = midrib(form, length_m, form.petiole);
    add_stalk(shape, end, stalk, detail.rows < 4, colour * 0.8f);
  }
  const auto first = static_cast<std::uint32_t>(shape.positions.size());
  const bool fine = detail.fine;
  const std::vector<double> across =
      fine ? std::vector{-1.0, -0.55, 0.0, 0.55, 1.0} : std::vector{-1.0, 0.0, 1.0};
  const auto columns = static_cast<std::uint32_t>(across.size());
  const std::vector<double> places = row_places(form, detail.rows);
  // Rows may step over the widest place; the leaf is as wide as the plant says all the same.
  double widest = 0;
  for (const double t : places) widest = std::max(widest, blade_half_width(form, width_m, t));
  const double full = 0.5 * width_m / widest;
  for (const double t : places) {
    // The stalk's width at the foot and a hair's at the tip keep every triangle from vanishing.
    const double half =
        std::max(full * blade_half_width(form, width_m, t), stalk * (1.0 - t) + 1e-4 * width_m);
    const Vec3 rib = midrib(form, length_m, form.petiole + (1.0 - form.petiole) * t);
    for (const double side : across) {
      const double s = std::abs(side);
      const double wave =
          fine ? 0.07 * s * s * std::sin(2 * pi * 2.3 * t + detail.phase + (side < 0 ? 1.9 : 0.0))
               : 0.0;
      const double rise = form.fold * (fine ? s * std::sqrt(s) : s) + wave;
      const Vec3 position =
          rib + Vec3{side * half, -form.sweep * s * half * (1.0 - t), rise * half};
      const Vec3f shade = side == 0.0 ? colour * 1.12f : colour;
      const double u = 0.5 + 0.5 * std::clamp(side * half / (0.5 * width_m), -1.0, 1.0);
      add_vertex(shape, position, {static_cast<float>(u), static_cast<float>(t)}, shade);
    }
  }
  for (std::uint32_t row = 0; row + 1 < places.size(); ++row) {
    for (std::uint32_t k = 0; k + 1 < columns; ++k) {
      const std::uint32_t below = first + columns * row + k, above = below + columns;
      add_quad(shape, below, below + 1, above + 1, above);
    }
  }
}

// A closed surface of revolution about y. The profile gives radius and height from foot to top;
// the two ends must have radius 0.
struct ProfilePoint {
  double radius = 0, height = 0;
};
void add_revolution(OrganSurface& shape, std::span<const ProfilePoint> profile, int rows,
                    const Vec3f& colour) {
  const std::uint32_t sides = rows >= fine_rows ? 16 : 8;
  const auto base = static_cast<std::uint32_t>(shape.positions.size());
  const std::size_t last = profile.size() - 1;
  add_vertex(shape, {0, profile[0].height, 0}, {0.5f, 0.0f}, colour);
  for (std::size_t i = 1; i < last; ++i) {
    for (std::uint32_t k = 0; k < sides; ++k) {
      const double angle = 2.0 * pi * k / sides;
      add_vertex(shape,
                 {profile[i].radius * std::cos(angle), profile[i].height,
                  profile[i].radius * std::sin(angle)},
                 {static_cast<float>(k) / static_cast<float>(sides),
                  static_cast<float>(i) / static_cast<float>(last)},
                 colour);
    }
  }
  add_vertex(shape, {0, profile[last].height, 0}, {0.5f, 1.0f}, colour);
  const auto ring = [&](std::size_t i, std::uint32_t k) {
    return base + 1 + static_cast<std::uint32_t>(i - 1) * sides + k % sides;
  };
  const std::uint32_t top = static_cast<std::uint32_t>(shape.positions.size()) - 1;
  for (std::uint32_t k = 0; k < sides; ++k) {
    shape.indices.insert(shape.indices.end(), {base, ring(1, k), ring(1, k + 1)});
    for (std::size_t i = 1; i + 1 < last; ++i) {
      add_quad(shape, ring(i, k), ring(i + 1, k), ring(i + 1, k + 1), ring(i, k + 1));
    }
    shape.indices.insert(shape.indices.end(), {top, ring(last - 1, k + 1), ring(last - 1, k)});
  }
}

void add_ball(OrganSurface& shape, double length_m, double width_m, double widest, int rows,
              const Vec3f& colour) {
  std::vector<ProfilePoint> profile(rows >= fine_rows ? 11 : 7);
  for (std::size_t i = 0; i < profile.size(); ++i) {
    const double t = static_cast<double>(i) / static_cast<double>(profile.size() - 1);
    // A sphere whose widest place is moved along the axis.
    const double angle = pi * std::pow(t, std::log(0.5) / std::log(widest));
    profile[i] = {.radius = 0.5 * width_m * std::sin(angle),
                  .height = length_m * 0.5 * (1.0 - std::cos(pi * t))};
  }
  profile.front().radius = profile.back().radius = 0;
  add_revolution(shape, profile, rows, colour);
}

// Five petals around a yellow eye; the flower looks along y.
void add_flower(OrganSurface& shape, const Organ& organ, const Vec3f& colour, int rows,
                double phase) {
  constexpr int petals = 5;
  const double reach = 0.5 * organ.width;
  // From lying flat (90° off the axis) towards a cup, by how deep the flower is for its width.
  const double opening = std::atan2(reach, 0.5 * organ.length);
  const double petal_length = std::hypot(reach, 0.5 * organ.length);
  for (int k = 0; k < petals; ++k) {
    OrganSurface petal;
    add_leaf(petal, petal_form, petal_length, 1.15 * reach, colour,
             {.rows = std::max(2, rows - 1), .fine = rows >= fine_rows, .phase = phase + k});
    const Quat turn = rotation_about({0, 1, 0}, 2.0 * pi * k / petals);
    const Quat tilt = rotation_about({1, 0, 0}, opening);
    const Vec3 foot{0, 0.45 * organ.length, 0};
    const auto first = static_cast<std::uint32_t>(shape.positions.size());
    for (Vec3& p : petal.positions) p = foot + rotate(turn, rotate(tilt, p));
    for (std::uint32_t& i : petal.indices) i += first;
    shape.positions.insert(shape.positions.end(), petal.positions.begin(), petal.positions.end());
    shape.uvs.insert(shape.uvs.end(), petal.uvs.begin(), petal.uvs.end());
    shape.colours.insert(shape.colours.end(), petal.colours.begin(), petal.colours.end());
    shape.indices.insert(shape.indices.end(), petal.indices.begin(), petal.indices.end());
  }
  const double eye = 0.22 * organ.width;
  const std::array<ProfilePoint, 5> profile{{{0, 0},
                                             {0.10 * organ.width, 0.40 * organ.length},
                                             {0.5 * eye, 0.50 * organ.length},
                                             {0.35 * eye, 0.50 * organ.length + 0.4 * eye},
                                             {0, 0.50 * organ.length + 0.55 * eye}}};
  add_revolution(shape, profile, rows, flower_eye_colour());
}

}  // namespace

void compute_normals(OrganSurface& shape) {
  shape.normals.assign(shape.positions.size(), Vec3{});
  for (std::size_t i = 0; i + 2 < shape.indices.size(); i += 3) {
    const auto a = shape.indices[i], b = shape.indices[i + 1], c = shape.indices[i + 2];
    const Vec3 area =
        cross(shape.positions[b] - shape.positions[a], shape.positions[c] - shape.positions[a]);
    for (const auto v : {a, b, c}) shape.normals[v] += area;
  }
  for (Vec3& normal : shape.normals) normal = normalized(normal, {0, 0, 1});
}

// On a triangle with edges e1, e2 and texture steps (u1, v1), (u2, v2) the position's derivatives
// are p_u = (v2 e1 - v1 e2) / det and p_v = (u1 e2 - u2 e1) / det, det = u1 v2 - u2 v1.
void compute_tangents(OrganSurface& shape) {
  std::vector<Vec3> along_u(shape.positions.size()), along_v(shape.positions.size());
  for (std::size_t i = 0; i + 2 < shape.indices.size(); i += 3) {
    const auto a = shape.indices[i], b = shape.indices[i + 1], c = shape.indices[i + 2];
    const Vec3 e1 = shape.positions[b] - shape.positions[a];
    const Vec3 e2 = shape.positions[c] - shape.positions[a];
    const double u1 = shape.uvs[b].x - shape.uvs[a].x, v1 = shape.uvs[b].y - shape.uvs[a].y;
    const double u2 = shape.uvs[c].x - shape.uvs[a].x, v2 = shape.uvs[c].y - shape.uvs[a].y;
    const double sign = u1 * v2 - u2 * v1 < 0 ? -1.0 : 1.0;
    for (const auto v : {a, b, c}) {
      along_u[v] += (e1 * v2 - e2 * v1) * sign;
      along_v[v] += (e2 * u1 - e1 * u2) * sign;
    }
  }
  shape.tangents.clear();
  for (std::size_t v = 0; v < shape.positions.size(); ++v) {
    const Vec3& n = shape.normals[v];
    const Vec3 t = perpendicular_part(along_u[v], n);
    const float hand = dot(cross(n, t), along_v[v]) < 0 ? -1.0f : 1.0f;
    shape.tangents.push_back(
        {static_cast<float>(t.x), static_cast<float>(t.y), static_cast<float>(t.z), hand});
  }
}

LeafForm leaf_form(Index shape) {
  switch (shape) {
    case needle_shape:
      return {.foot = 0.12, .point = 0.25, .petiole = 0, .droop = 0.08, .fold = 0.4};
    case blade_shape:
      return {.foot = 0.1, .point = 0.8, .petiole = 0, .droop = 0.45, .fold = 0.5};
    case 6:
      return {
          .foot = 0.3, .point = 0.8, .petiole = 0.22, .droop = 0.18, .fold = 0.15, .sweep = 0.45};
    case 7:
      return {.foot = 0.9,
              .point = 0.45,
              .petiole = 0.06,
              .droop = 0.15,
              .fold = 0.2,
              .sweep = -0.45,
              .lobe = 0.35,
              .lobes = 4};
    case petal_shape:
      return petal_form;
    default:
      return {};
  }
}

bool is_petal(const Organ& organ) {
  return organ.kind == OrganKind::flower && organ.shape == petal_shape;
}

OrganSurface make_organ(const Organ& organ, Index number, int rows) {
  OrganSurface shape;
  const Vec3f colour = organ_colour(organ, number);
  const double phase = 2 * pi * unit_from_bits(mix_bits(static_cast<std::uint64_t>(number), 13));
  switch (is_petal(organ) ? OrganKind::leaf : organ.kind) {
    case OrganKind::flower:
      add_flower(shape, organ, colour, rows, phase);
      break;
    case OrganKind::fruit:
      add_ball(shape, organ.length, organ.width, 0.45, rows, colour);
      break;
    case OrganKind::bud:
      add_ball(shape, organ.length, organ.width, 0.35, rows, colour);
      break;
    case OrganKind::stem:
    case OrganKind::root:
    case OrganKind::leaf: {
      const LeafForm form = leaf_form(organ.shape);
      // Lobes need rows to show: four a lobe, six where they are seen near.
      const int a_lobe = rows >= fine_rows ? 6 : rows > 3 ? 4 : 0;
      const int needed = std::max({2, rows, a_lobe * form.lobes});
      add_leaf(shape, form, organ.length, organ.width, colour,
               {.rows = needed, .fine = rows >= fine_rows, .phase = phase});
      break;
    }
  }
  compute_normals(shape);
  compute_tangents(shape);
  return shape;
}

// rows = leaf_rows · √(length / 3 % of the reach), up to 16 of them.
int organ_rows(const Organ& organ, double reach, const MeshOptions& options) {
  const double size = std::max(organ.length, organ.width) / std::max(reach, 1e-9);
  const int wanted = static_cast<int>(std::lround(options.leaf_rows * std::sqrt(size / 0.03)));
  return std::clamp(wanted, options.leaf_rows, std::max(options.leaf_rows, 16));
}

namespace {

bool is_meant(const UserOrgan& user, const Organ& organ) {
  return user.kind == organ.kind && user.petals == is_petal(organ);
}

}  // namespace

bool has_user_mesh(const Organ& organ, const MeshOptions& options) {
  return std::any_of(options.user_organs.begin(), options.user_organs.end(),
                     [&](const UserOrgan& u) { return is_meant(u, organ); });
}

namespace {

// The user's mesh for the organ, scaled evenly so that it is as long as the organ.
std::optional<OrganSurface> user_shape(const Organ& organ, Index number,
                                       std::span<const UserOrgan> user_organs) {
  const auto found = std::find_if(user_organs.begin(), user_organs.end(),
                                  [&](const UserOrgan& u) { return is_meant(u, organ); });
  if (found == user_organs.end()) return std::nullopt;
  OrganSurface shape = found->surface;
  double reach = 0;
  for (const Vec3& p : shape.positions) reach = std::max(reach, p.y);
  if (!(reach > 0)) return std::nullopt;
  for (Vec3& p : shape.positions) p *= organ.length / reach;
  if (shape.colours.empty())
    shape.colours.assign(shape.positions.size(), organ_colour(organ, number));
  return shape;
}

}  // namespace

OrganSurface drawn_organ(const Organ& organ, const OrganLook& look, const MeshOptions& options) {
  std::optional<OrganSurface> given = user_shape(organ, look.number, options.user_organs);
  return given ? std::move(*given) : make_organ(organ, look.number, look.rows);
}

double plant_reach(const Plant& plant, const Pose& rest) {
  const Box box = bounding_box(plant, rest);
  return std::max({box.max.x - box.min.x, box.max.y - box.min.y, box.max.z - box.min.z});
}

void add_organ(const Organ& organ, const OrganLook& look, const MeshOptions& options,
               SkinnedMesh& mesh) {
  const OrganSurface shape = drawn_organ(organ, look, options);
  const auto s = as_size(organ.segment);
  const Quat world_from_organ = mesh.rest.world_from_segment[s] * segment_from_organ(organ);
  const Vec3 base_world =
      mesh.rest.base_world[s] + rotate(mesh.rest.world_from_segment[s], base_in_segment(organ));
  const auto narrow = [](const Vec3& v) {
    return Vec3f{static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
  };
  const auto first = static_cast<std::uint32_t>(mesh.positions.size());
  for (std::size_t i = 0; i < shape.positions.size(); ++i) {
    mesh.positions.push_back(narrow(base_world + rotate(world_from_organ, shape.positions[i])));
    mesh.normals.push_back(narrow(rotate(world_from_organ, shape.normals[i])));
    const Vec4f& t = shape.tangents[i];
    const Vec3f turned = narrow(rotate(world_from_organ, Vec3{t.x, t.y, t.z}));
    mesh.tangents.push_back({turned.x, turned.y, turned.z, t.w});
  }
  mesh.uvs.insert(mesh.uvs.end(), shape.uvs.begin(), shape.uvs.end());
  mesh.colours.insert(mesh.colours.end(), shape.colours.begin(), shape.colours.end());
  for (const std::uint32_t i : shape.indices) mesh.indices.push_back(first + i);
  mesh.groups.push_back({.first_vertex = first,
                         .vertex_count = static_cast<std::uint32_t>(shape.positions.size()),
                         .joint = {organ.segment, 0, 0, 0},
                         .organ = look.organ});
}

}  // namespace thigmo
