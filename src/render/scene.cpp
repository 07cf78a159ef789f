#include "render/scene.h"

#include <embree3/rtcore.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>

#include "base/assert.h"
#include "base/parallel.h"
#include "mesh/build.h"
#include "mesh/deform.h"
#include "mesh/palette.h"
#include "mesh/prune.h"
#include "mesh/tube.h"
#include "mesh/tube_rings.h"
#include "mesh/tube_surface.h"
#include "render/bark.h"
#include "render/colour_map.h"
#include "render/veins.h"

namespace thigmo {
namespace {

struct Point4f {
  float x, y, z, radius;
};

// One straight part of a curve: which segment of the plant it draws.
struct CurveSegment {
  std::uint32_t plant = 0;
  Index segment = 0;
  double along = 0;                         // where it starts on its tube [m]
  double length = 0;                        // [m]
  Index tube = 0;                           // the first segment of its tube
  bool cut_begin = false, cut_end = false;  // it ends there in a flat face of wood
  bool is_cut() const { return cut_begin || cut_end; }
};

struct Curves {
  std::vector<Point4f> points;
  std::vector<Vec3f> colours;              // of the points
  std::vector<Vec3f> across_world;         // unit, along which the points' bark begins
  std::vector<std::uint32_t> first_point;  // of each segment
  std::vector<unsigned char> flags;        // whether a segment goes on at its left and right
  std::vector<CurveSegment> segments;
};

struct Sheets {
  std::vector<Vec3f> positions, normals, colours;
  std::vector<Vec2f> uvs;
  std::vector<std::uint32_t> indices;
  std::vector<bool> see_through;  // per triangle
  std::vector<Veins> veins;       // per vertex
};

Vec3f narrow(const Vec3& v) {
  return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}

Point4f point_of(const Vec3& p, double radius) {
  return {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z),
          static_cast<float>(radius)};
}

// Trunks stand on roots: a stem 2 cm thick on none, one of 20 cm on a foot wider by a third.
double foot_flare(const Plant& plant, const Tube& tube, const MeshOptions& options) {
  if (at(plant.segments, tube.segments.front()).cut_base) return 0;
  if (options.root_flare > 0) return options.root_flare;
  const Segment& first = at(plant.segments, tube.segments.front());
  // Short first segments are there because somebody has drawn the foot.
  if (first.length < 4 * first.radius_base) return 0;
  return 0.35 * std::clamp((first.radius_base - 0.01) / 0.09, 0.0, 1.0);
}

// The stretch before a cut end is drawn by itself, and must be longer than the ball in which the curve before
// it ends.
void make_room(std::vector<Ring>& rings) {
  while (rings.size() > 2) {
    const Ring& before = rings[rings.size() - 2];
    if (rings.back().along - before.along > 1.2 * before.radius) break;
    rings.erase(rings.end() - 2);
  }
}

void add_stem(const Plant& plant, const Pose& rest, const Pose& pose, const Tube& tube,
              std::uint32_t number, const MeshOptions& surface, Curves& curves) {
  MeshOptions options = surface;
  options.root_flare = foot_flare(plant, tube, surface);
  options.joint_rings = false;  // a curve needs no help to bend
  std::vector<Ring> rings = tube_rings(plant, rest, tube, options);
  const Segment& first = at(plant.segments, tube.segments.front());
  const bool cut_begin = first.cut_base && first.parent == no_index;
  const bool cut_end = at(plant.segments, tube.segments.back()).cut_tip;
  if (cut_end) make_room(rings);
  if (cut_begin) {
    while (rings.size() > 2 && rings[1].along < 1.2 * rings[1].radius)
      rings.erase(rings.begin() + 1);
  }
  std::vector<Vec3> across = transported_across(rings, rest, tube.segments.front());
  // Curves end in half balls: those of stems that stand on the ground lie below it.
  if (first.parent == no_index && !cut_begin &&
      rings.front().centre_world.y < 0.1 * rings.front().radius) {
    rings.insert(rings.begin(), rings.front());
    rings.front().centre_world -= rings.front().tangent_world * rings.front().radius;
    across.insert(across.begin(), across.front());
  }
  for (std::size_t k = 0; k < rings.size(); ++k) {
    const auto carrier = as_size(rings[k].joint[0]);
    const Quat turn =
        pose.world_from_segment[carrier] * conjugate(rest.world_from_segment[carrier]);
    curves.points.push_back(point_of(ring_centre(rings[k], rest, pose), rings[k].radius));
    curves.colours.push_back(ring_colour(plant, rings[k]));
    curves.across_world.push_back(narrow(rotate(turn, across[k])));
    if (k + 1 == rings.size()) break;
    curves.first_point.push_back(static_cast<std::uint32_t>(curves.points.size() - 1));
    const std::size_t last = rings.size() - 2;
    const bool begins = cut_begin && k == 0, ends = cut_end && k == last;
    // Cones are open towards what goes on, balls are not.
    const bool cone = begins || ends;
    const bool left = k > 0 && (cone || !(cut_begin && k == 1));
    const bool right = k < last && (cone || !(cut_end && k + 1 == last));
    curves.flags.push_back(static_cast<unsigned char>((left ? RTC_CURVE_FLAG_NEIGHBOR_LEFT : 0) |
                                                      (right ? RTC_CURVE_FLAG_NEIGHBOR_RIGHT : 0)));
    curves.segments.push_back({.plant = number,
                               .segment = rings[k].segment,
                               .along = rings[k].along,
                               .length = rings[k + 1].along - rings[k].along,
                               .tube = tube.segments.front(),
                               .cut_begin = begins,
                               .cut_end = ends});
  }
}

void add_stems(const Plant& plant, const Pose& pose, std::uint32_t number,
               const MeshOptions& surface, Curves& curves) {
  const Pose rest = rest_pose(plant);
  const std::vector<Tube> tubes = find_tubes(plant, surface);
  const std::vector<char> drawn = drawn_tubes(plant, tubes, surface);
  for (std::size_t t = 0; t < tubes.size(); ++t) {
    if (is_flat(plant, tubes[t]) || drawn[t] == 0) continue;
    add_stem(plant, rest, pose, tubes[t], number, surface, curves);
  }
}

Veins veins_of(const Plant& plant, const SkinGroup& group) {
  if (group.organ == no_index) return Veins::none;
  const Organ& organ = at(plant.organs, group.organ);
  if (organ.kind != OrganKind::leaf) return Veins::none;
  return is_narrow_leaf(organ) ? Veins::parallel : Veins::feathered;
}

// Organs, and flat stems.
void add_sheets(const Plant& plant, const Pose& pose, SegmentNumbers values,
                const Scene::Options& options, Sheets& sheets) {
  MeshOptions organs_only = options.surface;
  organs_only.tubes = false;
  SkinnedMesh mesh = build_mesh(plant, organs_only);
  const std::vector<Tube> tubes = find_tubes(plant, options.surface);
  const std::vector<char> drawn = drawn_tubes(plant, tubes, options.surface);
  for (std::size_t t = 0; t < tubes.size(); ++t) {
    const Tube& tube = tubes[t];
    if (!is_flat(plant, tube) || drawn[t] == 0) continue;
    const std::size_t first = mesh.indices.size();
    add_tube(plant, tube, options.surface.sides_max, options.surface, mesh);
    mesh.parts.push_back({.surface = Surface::bark,
                          .first_index = static_cast<std::uint32_t>(first),
                          .index_count = static_cast<std::uint32_t>(mesh.indices.size() - first)});
  }
  if (!values.empty()) {
    // Organs show the value of the segment they sit on, rings that of the segment below.
    for (const SkinGroup& group : mesh.groups) {
      const double value = at(values, group.joint[0]);
      const Vec3f colour = narrow(map_colour(range_part(options.range, value)));
      std::fill_n(mesh.colours.begin() + group.first_vertex, group.vertex_count, colour);
    }
  }
  Deformed shape;
  deform(mesh, pose, shape);
  const auto first = static_cast<std::uint32_t>(sheets.positions.size());
  sheets.positions.insert(sheets.positions.end(), shape.positions.begin(), shape.positions.end());
  sheets.normals.insert(sheets.normals.end(), shape.normals.begin(), shape.normals.end());
  sheets.colours.insert(sheets.colours.end(), mesh.colours.begin(), mesh.colours.end());
  sheets.uvs.insert(sheets.uvs.end(), mesh.uvs.begin(), mesh.uvs.end());
  for (const SkinGroup& group : mesh.groups) {
    sheets.veins.insert(sheets.veins.end(), group.vertex_count, veins_of(plant, group));
  }
  for (const std::uint32_t i : mesh.indices) sheets.indices.push_back(first + i);
  for (const MeshPart& part : mesh.parts) {
    const bool thin = part.surface == Surface::leaf || part.surface == Surface::petal;
    sheets.see_through.insert(sheets.see_through.end(), part.index_count / 3, thin);
  }
}

template <class T>
T* new_buffer(RTCGeometry geometry, RTCBufferType type, RTCFormat format, std::size_t count) {
  void* buffer = rtcSetNewGeometryBuffer(geometry, type, 0, format, sizeof(T), count);
  if (buffer == nullptr) {
    rtcReleaseGeometry(geometry);
    throw std::bad_alloc();
  }
  return static_cast<T*>(buffer);
}

// Embree reports a lack of memory where C++ throws.
void check_memory(RTCDevice device) {
  if (rtcGetDeviceError(device) == RTC_ERROR_OUT_OF_MEMORY) throw std::bad_alloc();
}

Vec3 widen(const Vec3f& v) { return {v.x, v.y, v.z}; }

}  // namespace

struct Scene::Content {
  RTCDevice device = nullptr;
  RTCScene scene = nullptr;
  unsigned curve_geometry = RTC_INVALID_GEOMETRY_ID, cone_geometry = RTC_INVALID_GEOMETRY_ID;
  std::vector<std::uint32_t> balls, cones;  // the curves of each geometry
  Curves curves;
  Sheets sheets;
  std::vector<const Plant*> plants;
  std::vector<SegmentNumbers> values;
  ValueRange range;
  bool natural = true;  // no plant is coloured by values, which the legend must match
  std::vector<Pose> poses;
  double step_off = 1e-5;

  ~Content() {
    if (scene != nullptr) rtcReleaseScene(scene);
    if (device != nullptr) rtcReleaseDevice(device);
  }

  void attach_curves() {
    for (std::uint32_t i = 0; i < curves.segments.size(); ++i) {
      (curves.segments[i].is_cut() ? cones : balls).push_back(i);
    }
    curve_geometry = attach(RTC_GEOMETRY_TYPE_ROUND_LINEAR_CURVE, balls);
    cone_geometry = attach(RTC_GEOMETRY_TYPE_CONE_LINEAR_CURVE, cones);
  }

  unsigned attach(RTCGeometryType type, const std::vector<std::uint32_t>& drawn) {
    if (drawn.empty()) return RTC_INVALID_GEOMETRY_ID;
    RTCGeometry geometry = rtcNewGeometry(device, type);
    auto* points = new_buffer<Point4f>(geometry, RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT4,
                                       curves.points.size());
    std::copy(curves.points.begin(), curves.points.end(), points);
    auto* first_points =
        new_buffer<std::uint32_t>(geometry, RTC_BUFFER_TYPE_INDEX, RTC_FORMAT_UINT, drawn.size());
    auto* flags =
        new_buffer<unsigned char>(geometry, RTC_BUFFER_TYPE_FLAGS, RTC_FORMAT_UCHAR, drawn.size());
    for (std::size_t i = 0; i < drawn.size(); ++i) {
      first_points[i] = curves.first_point[drawn[i]];
      flags[i] = curves.flags[drawn[i]];
    }
    rtcCommitGeometry(geometry);
    const unsigned number = rtcAttachGeometry(scene, geometry);
    rtcReleaseGeometry(geometry);
    return number;
  }

  void attach_sheets() {
    if (sheets.indices.empty()) return;
    RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    auto* positions = new_buffer<Vec3f>(geometry, RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT3,
                                        sheets.positions.size());
    std::copy(sheets.positions.begin(), sheets.positions.end(), positions);
    struct Triangle {
      std::uint32_t a, b, c;
    };
    auto* triangles = new_buffer<Triangle>(geometry, RTC_BUFFER_TYPE_INDEX, RTC_FORMAT_UINT3,
                                           sheets.indices.size() / 3);
    for (std::size_t i = 0; i < sheets.indices.size() / 3; ++i) {
      triangles[i] = {sheets.indices[3 * i], sheets.indices[3 * i + 1], sheets.indices[3 * i + 2]};
    }
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(scene, geometry);
    rtcReleaseGeometry(geometry);
  }

  // The wood of a cut face, r of its radius from the pith: rings of spring and summer, and the bark.
  Vec3 wood_at(const CurveSegment& drawn, double radius, double r) const {
    const Segment& segment = at(plants[drawn.plant]->segments, drawn.segment);
    constexpr double bark = 0.94, ring_width = 0.004;  // of the radius; [m]
    if (r > bark) return widen(segment_colour(segment, radius)) * 0.8;
    const double rings = std::clamp(radius / ring_width, 3.0, 60.0);
    const double year = r * rings - std::floor(r * rings);
    return widen(cut_colour(segment, radius)) * (1 - 0.25 * year * year);
  }

  Hit stem_hit(std::uint32_t curve, const RTCRayHit& query) const {
    const CurveSegment& drawn = curves.segments[curve];
    const auto s = as_size(drawn.segment);
    Hit hit{.found = true, .distance = query.ray.tfar};
    hit.normal_world = normalized(Vec3{query.hit.Ng_x, query.hit.Ng_y, query.hit.Ng_z});
    if (!values[drawn.plant].empty()) {
      hit.colour = map_colour(range_part(range, values[drawn.plant][s]));
      return hit;
    }
    const std::size_t a = curves.first_point[curve], b = a + 1;
    const Point4f &from = curves.points[a], &to = curves.points[b];
    const Vec3 from_world{from.x, from.y, from.z}, to_world{to.x, to.y, to.z};
    const Vec3 hit_world =
        Vec3{query.ray.org_x, query.ray.org_y, query.ray.org_z} +
        Vec3{query.ray.dir_x, query.ray.dir_y, query.ray.dir_z} * double{query.ray.tfar};
    const Vec3 axis_world =
        normalized(Vec3{static_cast<double>(to.x - from.x), static_cast<double>(to.y - from.y),
                        static_cast<double>(to.z - from.z)},
                   hit.normal_world);
    // Of cones Embree does not say it.
    const double u =
        drawn.is_cut()
            ? std::clamp(dot(hit_world - from_world, axis_world) / length(to_world - from_world),
                         0.0, 1.0)
            : double{query.hit.u};
    const auto mix = [&](const std::vector<Vec3f>& of) {
      return widen(of[a]) * (1 - u) + widen(of[b]) * u;
    };
    const double facing = dot(hit.normal_world, axis_world);
    constexpr double face = 0.999;  // cosine
    if ((drawn.cut_end && facing > face) || (drawn.cut_begin && facing < -face)) {
      const double radius = facing > 0 ? to.radius : from.radius;
      const double r = length(hit_world - (facing > 0 ? to_world : from_world)) / radius;
      hit.colour = wood_at(drawn, radius, r);
      return hit;
    }
    const Bark bark = bark_at({.normal_world = hit.normal_world,
                               .axis_world = axis_world,
                               .across_world = mix(curves.across_world),
                               .radius = from.radius * (1 - u) + to.radius * u,
                               .along = drawn.along + u * drawn.length,
                               .tube = drawn.tube});
    hit.colour = scale(mix(curves.colours), bark.tint);
    hit.normal_world = bark.normal_world;
    return hit;
  }

  Hit sheet_hit(const RTCRayHit& query) const {
    const std::size_t triangle = query.hit.primID;
    const double u = query.hit.u, v = query.hit.v, w = 1.0 - u - v;
    const auto mix = [&](const std::vector<Vec3f>& corners) {
      return widen(corners[sheets.indices[3 * triangle]]) * w +
             widen(corners[sheets.indices[3 * triangle + 1]]) * u +
             widen(corners[sheets.indices[3 * triangle + 2]]) * v;
    };
    Hit hit{.found = true, .distance = query.ray.tfar};
    hit.sheet = sheets.see_through[triangle];
    hit.colour = mix(sheets.colours);
    hit.normal_world = normalized(mix(sheets.normals));
    const std::size_t corner = sheets.indices[3 * triangle];
    if (natural && sheets.veins[corner] != Veins::none) {
      const auto at = [&](std::size_t k) { return sheets.uvs[sheets.indices[3 * triangle + k]]; };
      hit.colour =
          hit.colour * vein_tint(sheets.veins[corner], at(0).x * w + at(1).x * u + at(2).x * v,
                                 at(0).y * w + at(1).y * u + at(2).y * v);
    }
    const Vec3 direction{query.ray.dir_x, query.ray.dir_y, query.ray.dir_z};
    if (dot(direction, hit.normal_world) > 0) {
      hit.normal_world = -hit.normal_world;
      // The lower side of leaves is paler: 0.75 of the colour's strength, a fifth brighter.
      if (hit.sheet && natural) {
        const double grey = (hit.colour.x + hit.colour.y + hit.colour.z) / 3;
        hit.colour = (hit.colour * 0.75 + Vec3{grey, grey, grey} * 0.25) * 1.2;
      }
    }
    return hit;
  }
};

Scene::Scene(std::span<const PosedPlant> plants, const Options& options)
    : content_(std::make_unique<Content>()) {
  Content& c = *content_;
  c.range = options.range;
  double reach = 0;
  for (const PosedPlant& posed : plants) {
    THIGMO_ASSERT(posed.plant != nullptr);
    const SegmentNumbers values = values_of(options.values, c.plants.size());
    THIGMO_ASSERT(values.empty() || values.size() == posed.plant->segments.size());
    c.plants.push_back(posed.plant);
    c.values.push_back(values);
    c.natural = c.natural && values.empty();
    c.poses.push_back(posed.pose != nullptr ? *posed.pose : rest_pose(*posed.plant));
    const auto number = static_cast<std::uint32_t>(c.plants.size() - 1);
    add_stems(*posed.plant, c.poses.back(), number, options.surface, c.curves);
    add_sheets(*posed.plant, c.poses.back(), values, options, c.sheets);
    const Box box = bounding_box(*posed.plant, c.poses.back());
    for (const Vec3& corner : {box.min, box.max}) reach = std::max(reach, length(corner));
  }
  // Some float steps at the farthest coordinate.
  c.step_off = std::max(1e-6, 16.0 * reach * std::numeric_limits<float>::epsilon());
  // Embree builds on as many threads as the pixels are later traced on; the two never overlap.
  const bool limited = options.threads > 0 && options.threads < hardware_threads();
  c.device = rtcNewDevice(limited ? fmt::format("threads={}", options.threads).c_str() : nullptr);
  if (c.device == nullptr) check_memory(nullptr);
  THIGMO_ASSERT(c.device != nullptr);
  c.scene = rtcNewScene(c.device);
  check_memory(c.device);
  rtcSetSceneFlags(c.scene, RTC_SCENE_FLAG_ROBUST);
  c.attach_curves();
  c.attach_sheets();
  rtcCommitScene(c.scene);
  check_memory(c.device);
}

ValueRange value_range(std::span<const SegmentNumbers> values) {
  ValueRange range{std::numeric_limits<double>::infinity(),
                   -std::numeric_limits<double>::infinity()};
  for (const SegmentNumbers of_plant : values) {
    for (const double v : of_plant) {
      range = {std::min(range.low, v), std::max(range.high, v)};
    }
  }
  return range.low <= range.high ? range : ValueRange{};
}

Scene::Scene(Scene&&) noexcept = default;
Scene::~Scene() = default;

double Scene::step_off() const { return content_->step_off; }

namespace {

RTCRay make_ray(const Vec3& origin, const Vec3& direction) {
  RTCRay ray{};
  ray.org_x = static_cast<float>(origin.x);
  ray.org_y = static_cast<float>(origin.y);
  ray.org_z = static_cast<float>(origin.z);
  ray.dir_x = static_cast<float>(direction.x);
  ray.dir_y = static_cast<float>(direction.y);
  ray.dir_z = static_cast<float>(direction.z);
  ray.tfar = std::numeric_limits<float>::infinity();
  ray.mask = 0xffff'ffffu;
  return ray;
}

}  // namespace

Hit Scene::nearest(const Vec3& origin_world, const Vec3& direction_world) const {
  RTCRayHit query{};
  query.ray = make_ray(origin_world, direction_world);
  query.hit.geomID = RTC_INVALID_GEOMETRY_ID;
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  rtcIntersect1(content_->scene, &context, &query);
  if (query.hit.geomID == RTC_INVALID_GEOMETRY_ID) return {};
  if (query.hit.geomID == content_->curve_geometry)
    return content_->stem_hit(content_->balls[query.hit.primID], query);
  if (query.hit.geomID == content_->cone_geometry)
    return content_->stem_hit(content_->cones[query.hit.primID], query);
  return content_->sheet_hit(query);
}

bool Scene::occluded(const Vec3& origin_world, const Vec3& direction_world) const {
  RTCRay ray = make_ray(origin_world, direction_world);
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  rtcOccluded1(content_->scene, &context, &ray);
  return ray.tfar < 0;
}

}  // namespace thigmo
