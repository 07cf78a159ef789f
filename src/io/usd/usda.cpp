#include "io/usd/usda.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "io/rig/skeleton.h"
#include "io/usd/usda_text.h"
#include "mesh/build.h"
#include "mesh/deform.h"
#include "mesh/organ.h"
#include "mesh/palette.h"
#include "mesh/tube.h"

namespace thigmo {
namespace {

// A name that USD accepts: letters, digits and underscores, not starting with a digit.
std::string prim_name(std::string_view name, std::size_t number) {
  std::string plain;
  for (const char c : name) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    const bool digit = c >= '0' && c <= '9';
    plain.push_back(letter || (digit && !plain.empty()) ? c : '_');
  }
  return fmt::format("{}_{}", plain.empty() ? "plant" : plain, number);
}

const Motion& motion_of(const MovingPlant& plant) {
  static const Motion none;
  return plant.motion != nullptr ? *plant.motion : none;
}

// The corners of the box around points, made wider on all sides.
template <class Point>
std::vector<Vec3> extent_of(const std::vector<Point>& points, double wider = 0) {
  if (points.empty()) return {{}, {}};
  const auto wide = [](const auto& p) { return Vec3{p.x, p.y, p.z}; };
  Vec3 low = wide(points.front()), high = low;
  for (const Point& point : points) {
    const Vec3 p = wide(point);
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  const Vec3 more{wider, wider, wider};
  return {low - more, high + more};
}

// When what comes or goes is seen. Tokens hold until the next one.
void write_visibility(const MovingPlant& moving, UsdaWriter& out) {
  if (stays(moving)) return;
  const std::size_t frames = motion_of(moving).times.size();
  out.line("token visibility.timeSamples = {{");
  if (moving.life.from > 0) out.line("0: \"invisible\",");
  if (moving.life.from < frames) out.line("{}: \"inherited\",", moving.life.from);
  if (moving.life.until < frames) out.line("{}: \"invisible\",", moving.life.until);
  out.line("}}");
}

constexpr std::string_view per_vertex = "interpolation = \"vertex\"";

void write_topology(const SkinnedMesh& mesh, UsdaWriter& out) {
  const std::vector<int> counts(mesh.indices.size() / 3, 3);
  out.list("int[] faceVertexCounts = ", counts,
           [](int v, std::string& text) { put_number(v, text); });
  out.list("int[] faceVertexIndices = ", mesh.indices,
           [](std::uint32_t v, std::string& text) { put_number(v, text); });
  out.list("texCoord2f[] primvars:st = ", mesh.uvs, put_vec2f, per_vertex);
  out.list("color3f[] primvars:displayColor = ", mesh.colours, put_vec3f, per_vertex);
  out.line("uniform token subdivisionScheme = \"none\"");
  out.line("uniform bool doubleSided = 1");
}

// Joint paths name all ancestors: root/s0/s1. One root joint above all, since readers want one.
std::vector<std::string> joint_paths(const Skeleton& skeleton) {
  std::vector<std::string> paths{"root"};
  for (std::size_t j = 0; j < skeleton.parent.size(); ++j) {
    const Index parent = skeleton.parent[j];
    const std::string& above = at(paths, parent == no_index ? 0 : parent + 1);
    paths.push_back(fmt::format("{}/s{}", above, skeleton.segment[j]));
  }
  return paths;
}

// Two influences are all that build_mesh makes; joint 0 is the root joint.
void write_skin(const SkinnedMesh& mesh, UsdaWriter& out) {
  std::vector<Index> joints;
  std::vector<float> weights;
  for (const SkinGroup& g : mesh.groups) {
    for (std::uint32_t v = 0; v < g.vertex_count; ++v) {
      joints.insert(joints.end(), {g.joint[0] + 1, g.weight[1] > 0 ? g.joint[1] + 1 : 0});
      weights.insert(weights.end(), {g.weight[0], g.weight[1]});
    }
  }
  constexpr std::string_view pairs = "elementSize = 2\n interpolation = \"vertex\"";
  out.list("int[] primvars:skel:jointIndices = ", joints, put_number, pairs);
  out.list("float[] primvars:skel:jointWeights = ", weights, put_number, pairs);
}

// Of the segments whose joints are left.
Pose kept_pose(const JointReduction& reduction, const Pose& pose) {
  Pose kept;
  for (const Index segment : reduction.kept) {
    kept.base_world.push_back(at(pose.base_world, segment));
    kept.world_from_segment.push_back(at(pose.world_from_segment, segment));
  }
  return kept;
}

void write_skeleton_plant(const MovingPlant& plant, const std::string& name,
                          const UsdaOptions& options, UsdaWriter& out) {
  const Motion& motion = motion_of(plant);
  const JointReduction reduction =
      reduce_joints(*plant.plant, motion, std::max<Index>(1, options.max_joints), plant.stands);
  const Skeleton skeleton = make_skeleton(*plant.plant, reduction, options.max_depth);
  SkinnedMesh mesh = build_mesh(*plant.plant, options.mesh, plant.stands);
  rebind(reduction, mesh);
  const std::vector<std::string> paths = joint_paths(skeleton);
  const std::size_t frames = motion.times.size();
  const auto joint_count = static_cast<Index>(skeleton.parent.size());

  out.open("def SkelRoot \"{}\" (prepend apiSchemas = [\"SkelBindingAPI\"])", name);
  write_visibility(plant, out);
  // Programs cull by it, and cannot know it before they have skinned.
  out.list("float3[] extent = ", extent_of(mesh.positions), put_vec3);
  if (frames > 0) {
    Deformed shape;
    Pose scratch;
    out.samples(
        "float3[] extent", frames,
        [&](std::size_t f) {
          deform(mesh, kept_pose(reduction, pose_at(motion, f, scratch)), shape);
          return extent_of(shape.positions);
        },
        put_vec3);
  }
  out.open("def Skeleton \"Skeleton\" (prepend apiSchemas = [\"SkelBindingAPI\"])");
  out.list("uniform token[] joints = ", paths, put_text);
  std::vector<UsdTransform> bind{{}}, rest{{}};
  for (std::size_t j = 0; j < skeleton.parent.size(); ++j) {
    bind.push_back({mesh.rest.world_from_segment[j], mesh.rest.base_world[j]});
    rest.push_back({skeleton.rotation[j], skeleton.translation[j]});
  }
  out.list("uniform matrix4d[] bindTransforms = ", bind, put_matrix);
  out.list("uniform matrix4d[] restTransforms = ", rest, put_matrix);
  if (frames > 0) {
    out.line("rel skel:animationSource = </{}/Skeleton/Motion>", name);
    out.open("def SkelAnimation \"Motion\"");
    out.list("uniform token[] joints = ", paths, put_text);
    Pose scratch;
    const auto tracks = [&](const auto& value, const auto& root) {
      return [&, root](std::size_t f) {
        std::vector<std::decay_t<decltype(root)>> values{root};
        const Pose& pose = pose_at(motion, f, scratch);
        for (Index j = 0; j < joint_count; ++j) values.push_back(value(skeleton, pose, j));
        return values;
      };
    };
    out.samples("float3[] translations", frames, tracks(joint_translation, Vec3{}), put_vec3);
    out.samples("quatf[] rotations", frames,
                tracks([](const Skeleton& s, const Pose& p,
                          Index j) { return normalized(joint_rotation(s, p, j)); },
                       Quat{}),
                put_quat);
    out.list("half3[] scales = ", std::vector<Vec3>(paths.size(), Vec3{1, 1, 1}), put_vec3);
    out.close();
  }
  out.close();
  if (!mesh.indices.empty()) {
    out.open("def Mesh \"Surface\" (prepend apiSchemas = [\"SkelBindingAPI\"])");
    out.list("float3[] extent = ", extent_of(mesh.positions), put_vec3);
    out.list("point3f[] points = ", mesh.positions, put_vec3f);
    out.list("normal3f[] normals = ", mesh.normals, put_vec3f);
    write_topology(mesh, out);
    write_skin(mesh, out);
    out.line(
        "matrix4d primvars:skel:geomBindTransform = ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, "
        "0, 0, 1))");
    out.line("rel skel:skeleton = </{}/Skeleton>", name);
    out.close();
  }
  out.close();
}

void write_points_plant(const MovingPlant& plant, const std::string& name,
                        const UsdaOptions& options, UsdaWriter& out) {
  const SkinnedMesh mesh = build_mesh(*plant.plant, options.mesh, plant.stands);
  const Motion& motion = motion_of(plant);
  out.open("def Xform \"{}\"", name);
  write_visibility(plant, out);
  out.open("def Mesh \"Surface\"");
  out.list("float3[] extent = ", extent_of(mesh.positions), put_vec3);
  out.list("point3f[] points = ", mesh.positions, put_vec3f);
  out.list("normal3f[] normals = ", mesh.normals, put_vec3f);
  write_topology(mesh, out);
  if (!motion.times.empty()) {
    Deformed shape;
    Pose scratch;
    out.samples(
        "float3[] extent", motion.times.size(),
        [&](std::size_t f) {
          deform(mesh, pose_at(motion, f, scratch), shape);
          return extent_of(shape.positions);
        },
        put_vec3);
    out.samples(
        "point3f[] points", motion.times.size(),
        [&](std::size_t f) {
          deform(mesh, pose_at(motion, f, scratch), shape);
          return shape.positions;
        },
        put_vec3f);
    out.samples(
        "normal3f[] normals", motion.times.size(),
        [&](std::size_t f) {
          deform(mesh, pose_at(motion, f, scratch), shape);
          return shape.normals;
        },
        put_vec3f);
  }
  out.close();
  out.close();
}

std::vector<Vec3> curve_points(const Plant& plant, const std::vector<Tube>& tubes,
                               const Pose& pose) {
  std::vector<Vec3> points;
  for (const Tube& tube : tubes) {
    for (const Index s : tube.segments) points.push_back(point_on_segment(plant, pose, s, 0.0));
    points.push_back(point_on_segment(plant, pose, tube.segments.back(), 1.0));
  }
  return points;
}

void write_curves(const MovingPlant& moving, UsdaWriter& out) {
  const Plant& plant = *moving.plant;
  const Motion& motion = motion_of(moving);
  const std::vector<Tube> tubes = find_tubes(plant);
  out.open("def BasisCurves \"Stems\"");
  out.line("uniform token type = \"linear\"");
  std::vector<double> counts, widths;
  for (const Tube& tube : tubes) {
    counts.push_back(static_cast<double>(tube.segments.size() + 1));
    for (const Index s : tube.segments) widths.push_back(2 * at(plant.segments, s).radius_base);
    widths.push_back(2 * at(plant.segments, tube.segments.back()).radius_tip);
  }
  out.list("int[] curveVertexCounts = ", counts, put_number);
  out.list("float[] widths = ", widths, put_number);
  const std::vector<Vec3> points = curve_points(plant, tubes, rest_pose(moving));
  const double thickest = 0.5 * *std::max_element(widths.begin(), widths.end());
  out.list("float3[] extent = ", extent_of(points, thickest), put_vec3);
  out.list("point3f[] points = ", points, put_vec3);
  if (!motion.times.empty()) {
    Pose scratch;
    out.samples(
        "float3[] extent", motion.times.size(),
        [&](std::size_t f) {
          return extent_of(curve_points(plant, tubes, pose_at(motion, f, scratch)), thickest);
        },
        put_vec3);
    out.samples(
        "point3f[] points", motion.times.size(),
        [&](std::size_t f) { return curve_points(plant, tubes, pose_at(motion, f, scratch)); },
        put_vec3);
  }
  out.close();
}

// One prototype for each kind and shape, of unit length; instances carry place, turn and size.
void write_instances(const MovingPlant& moving, const std::string& name, const UsdaOptions& options,
                     UsdaWriter& out) {
  const Plant& plant = *moving.plant;
  const Motion& motion = motion_of(moving);
  std::vector<std::pair<OrganKind, std::int16_t>> kinds;
  std::vector<Index> prototype;
  std::vector<Vec3> sizes;
  for (const Organ& organ : plant.organs) {
    const std::pair key{organ.kind, organ.shape};
    const auto found = std::find(kinds.begin(), kinds.end(), key);
    prototype.push_back(static_cast<Index>(found - kinds.begin()));
    if (found == kinds.end()) kinds.push_back(key);
    sizes.push_back({organ.width, organ.length, organ.length});
  }
  if (kinds.empty()) return;
  const auto places = [&](const Pose& pose) {
    std::vector<UsdTransform> all;
    for (const Organ& o : plant.organs) {
      const Quat turn = at(pose.world_from_segment, o.segment);
      all.push_back({normalized(turn * segment_from_organ(o)),
                     at(pose.base_world, o.segment) + rotate(turn, base_in_segment(o))});
    }
    return all;
  };
  const auto put_position = [](const UsdTransform& p, std::string& text) {
    put_vec3(p.position, text);
  };
  const auto put_turn = [](const UsdTransform& p, std::string& text) {
    put_quat(p.rotation, text);
  };
  out.open("def PointInstancer \"Organs\"");
  std::vector<std::string> targets;
  for (std::size_t k = 0; k < kinds.size(); ++k)
    targets.push_back(fmt::format("</{}/Organs/Prototypes/p{}>", name, k));
  out.list("rel prototypes = ", targets,
           [](const std::string& t, std::string& text) { text += t; });
  out.list("int[] protoIndices = ", prototype, put_number);
  out.list("float3[] scales = ", sizes, put_vec3);
  const std::vector<UsdTransform> rest = places(rest_pose(moving));
  out.list("point3f[] positions = ", rest, put_position);
  out.list("quath[] orientations = ", rest, put_turn);
  if (!motion.times.empty()) {
    Pose scratch;
    const auto at_frame = [&](std::size_t f) { return places(pose_at(motion, f, scratch)); };
    out.samples("point3f[] positions", motion.times.size(), at_frame, put_position);
    out.samples("quath[] orientations", motion.times.size(), at_frame, put_turn);
  }
  out.open("def Scope \"Prototypes\"");
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    Organ organ;
    organ.kind = kinds[k].first;
    organ.shape = kinds[k].second;
    organ.length = organ.width = 1;
    const OrganSurface surface = make_organ(organ, 0, options.mesh.leaf_rows);
    out.open("def Mesh \"p{}\"", k);
    out.list("float3[] extent = ", extent_of(surface.positions), put_vec3);
    out.list("point3f[] points = ", surface.positions, put_vec3);
    out.list("normal3f[] normals = ", surface.normals, put_vec3);
    out.list("int[] faceVertexCounts = ", std::vector<int>(surface.indices.size() / 3, 3),
             put_number);
    out.list("int[] faceVertexIndices = ", surface.indices, put_number);
    out.list("color3f[] primvars:displayColor = ", surface.colours, put_vec3f, per_vertex);
    out.line("uniform token subdivisionScheme = \"none\"");
    out.line("uniform bool doubleSided = 1");
    out.close();
  }
  out.close();
  out.close();
}

void write_curves_plant(const MovingPlant& plant, const std::string& name,
                        const UsdaOptions& options, UsdaWriter& out) {
  out.open("def Xform \"{}\"", name);
  write_visibility(plant, out);
  write_curves(plant, out);
  write_instances(plant, name, options, out);
  out.close();
}

void write_header(std::span<const MovingPlant> plants, const std::string& first, UsdaWriter& out) {
  std::size_t frames = 1;
  double rate = 24;
  for (const MovingPlant& plant : plants) {
    const Motion& motion = motion_of(plant);
    frames = std::max(frames, motion.times.size());
    if (motion.times.size() > 1 && motion.times.back() > motion.times.front()) {
      rate = static_cast<double>(motion.times.size() - 1) /
             (motion.times.back() - motion.times.front());
    }
  }
  out.line("#usda 1.0");
  out.line("(");
  out.line("  defaultPrim = \"{}\"", first);
  out.line("  metersPerUnit = 1");
  out.line("  upAxis = \"Y\"");
  out.line("  startTimeCode = 0");
  out.line("  endTimeCode = {}", frames - 1);
  out.line("  timeCodesPerSecond = {}", rate);
  out.line("  framesPerSecond = {}", rate);
  out.line(")");
}

}  // namespace

Result<Done> write_usda(std::span<const MovingPlant> plants, const UsdaOptions& options,
                        const ByteSink& sink) {
  if (plants.empty()) return error("there is no plant to write");
  UsdaWriter out(sink);
  write_header(plants, prim_name(name_of(plants.front()), 0), out);
  for (std::size_t i = 0; i < plants.size(); ++i) {
    const std::string name = prim_name(name_of(plants[i]), i);
    switch (options.style) {
      case UsdStyle::skeleton:
        write_skeleton_plant(plants[i], name, options, out);
        break;
      case UsdStyle::points:
        write_points_plant(plants[i], name, options, out);
        break;
      case UsdStyle::curves:
        write_curves_plant(plants[i], name, options, out);
        break;
    }
  }
  return out.finish();
}

}  // namespace thigmo
