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
  double along = 0;   // where it starts on its tube [m]
  double length = 0;  // [m]
  Index tube = 0;     // the first segment of its tube
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
  if (options.root_flare > 0) return options.root_flare;
  const Segment& first = at(plant.segments, tube.segments.front());
  // Short first segments are there because somebody has drawn the foot.
  if (first.length < 4 * first.radius_base) return 0;
  return 0.35 * std::clamp((first.radius_base - 0.01) / 0.09, 0.0, 1.0);
}

void add_stem(const Plant& plant, const Pose& rest, const Pose& pose, const Tube& tube,
              std::uint32_t number, const MeshOptions& surface, Curves& curves) {
  MeshOptions options = surface;
  options.root_flare = foot_flare(plant, tube, surface);
  options.joint_rings = false;  // a curve needs no help to bend
  std::vector<Ring> rings = tube_rings(plant, rest, tube, options);
  std::vector<Vec3> across = transported_across(rings, rest, tube.segments.front());
  // Curves end in half balls: those of stems that stand on the ground lie below it.
  if (at(plant.segments, tube.segments.front()).parent == no_index &&
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
    curves.flags.push_back(
        static_cast<unsigned char>((k > 0 ? RTC_CURVE_FLAG_NEIGHBOR_LEFT : 0) |
                                   (k + 2 < rings.size() ? RTC_CURVE_FLAG_NEIGHBOR_RIGHT : 0)));
    curves.segments.push_back({.plant = number,
                               .segment = rings[k].segment,
                               .along = rings[k].along,
                               .length = rings[k + 1].along - rings[k].along,
                               .tube = tube.segments.front()});
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
  unsigned curve_geometry = RTC_INVALID_GEOMETRY_ID;
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
    if (curves.segments.empty()) return;
    RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_ROUND_LINEAR_CURVE);
    auto* points = new_buffer<Point4f>(geometry, RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT4,
                                       curves.points.size());
    std::copy(curves.points.begin(), curves.points.end(), points);
    auto* first_points = new_buffer<std::uint32_t>(geometry, RTC_BUFFER_TYPE_INDEX, RTC_FORMAT_UINT,
                                                   curves.first_point.size());
    std::copy(curves.first_point.begin(), curves.first_point.end(), first_points);
    auto* flags = new_buffer<unsigned char>(geometry, RTC_BUFFER_TYPE_FLAGS, RTC_FORMAT_UCHAR,
                                            curves.flags.size());
    std::copy(curves.flags.begin(), curves.flags.end(), flags);
    rtcCommitGeometry(geometry);
    curve_geometry = rtcAttachGeometry(scene, geometry);
    rtcReleaseGeometry(geometry);
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

  Hit stem_hit(const RTCRayHit& query) const {
    const CurveSegment& drawn = curves.segments[query.hit.primID];
    const auto s = as_size(drawn.segment);
    Hit hit{.found = true, .distance = query.ray.tfar};
    hit.normal_world = normalized(Vec3{query.hit.Ng_x, query.hit.Ng_y, query.hit.Ng_z});
    if (!values[drawn.plant].empty()) {
      hit.colour = map_colour(range_part(range, values[drawn.plant][s]));
      return hit;
    }
    const std::size_t a = curves.first_point[query.hit.primID], b = a + 1;
    const double u = query.hit.u;
    const auto mix = [&](const std::vector<Vec3f>& of) {
      return widen(of[a]) * (1 - u) + widen(of[b]) * u;
    };
    const Point4f &from = curves.points[a], &to = curves.points[b];
    const Bark bark = bark_at({.normal_world = hit.normal_world,
                               .axis_world = normalized(Vec3{static_cast<double>(to.x - from.x),
                                                             static_cast<double>(to.y - from.y),
                                                             static_cast<double>(to.z - from.z)},
                                                        hit.normal_world),
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
  return query.hit.geomID == content_->curve_geometry ? content_->stem_hit(query)
                                                      : content_->sheet_hit(query);
}

bool Scene::occluded(const Vec3& origin_world, const Vec3& direction_world) const {
  RTCRay ray = make_ray(origin_world, direction_world);
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  rtcOccluded1(content_->scene, &context, &ray);
  return ray.tfar < 0;
}

}  // namespace thigmo
