#include "io/gltf/glb.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/reserve.h"
#include "io/gltf/glb_document.h"
#include "io/rig/skeleton.h"
#include "mesh/build.h"

namespace thigmo {
namespace {

// Numbers of the glTF 2.0 specification.
constexpr int component_ubyte = 5121, component_ushort = 5123, component_uint = 5125,
              component_float = 5126;
constexpr int target_vertices = 34962, target_indices = 34963;
constexpr Index most_joints = 65'535;  // that 16-bit indices can name

float narrow(double value) { return static_cast<float>(value); }

OrderedJson json_array(const Vec3& v) { return OrderedJson::array({v.x, v.y, v.z}); }
OrderedJson json_array(const Quat& q) { return OrderedJson::array({q.x, q.y, q.z, q.w}); }

// One plant, prepared: what its views hold and how long they are is known before any byte is
// written, so that the JSON at the front of the file can be written first and the rest streamed.
struct PreparedPlant {
  MovingPlant shown;
  SkinnedMesh mesh;
  Skeleton skeleton;
  MovingJoints moving;
  std::vector<OrderedJson> riders = {};  // of each joint, where it has to carry several segments
  std::size_t frames() const { return moves(shown) ? shown.motion->times.size() : 0; }
};

// The material of a surface, made on first use. Colours are in the vertices.
class Materials {
 public:
  std::size_t of(Surface surface, GlbDocument& document) {
    std::optional<std::size_t>& number = numbers_[static_cast<std::size_t>(surface)];
    if (!number) {
      const bool sheet = surface == Surface::leaf || surface == Surface::petal;
      OrderedJson material{{"name", surface_name(surface)},
                           {"pbrMetallicRoughness",
                            {{"metallicFactor", 0.0}, {"roughnessFactor", sheet ? 0.6 : 0.9}}}};
      if (sheet) material["doubleSided"] = true;
      number = document.append("materials", std::move(material));
    }
    return *number;
  }

 private:
  std::array<std::optional<std::size_t>, all_surfaces.size()> numbers_;
};

std::uint8_t byte_from_unit(float value) {
  return static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0f, 1.0f) * 255.0f));
}

template <class T>
Filler fill_with(const std::vector<T>& values) {
  return [&values](Bytes& out) {
    for (const T& value : values) out.put(value);
  };
}

std::size_t add_mesh(const PreparedPlant& item, const std::vector<Vec2f>* second_uvs, bool tangents,
                     Materials& materials, GlbDocument& document) {
  const SkinnedMesh& mesh = item.mesh;
  const std::size_t vertices = mesh.positions.size();
  const auto attribute = [&](std::uint64_t bytes, int component, const char* type, Filler fill) {
    const std::size_t view = document.add_view(bytes * vertices, target_vertices, std::move(fill));
    return document.add_accessor(view, component, type, vertices);
  };
  OrderedJson attributes;
  attributes["POSITION"] = attribute(12, component_float, "VEC3", fill_with(mesh.positions));
  Vec3f low = mesh.positions[0], high = low;
  for (const Vec3f& p : mesh.positions) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  OrderedJson& positions = document.list("accessors").back();
  positions["min"] = OrderedJson::array({low.x, low.y, low.z});
  positions["max"] = OrderedJson::array({high.x, high.y, high.z});
  attributes["NORMAL"] = attribute(12, component_float, "VEC3", fill_with(mesh.normals));
  attributes["TEXCOORD_0"] = attribute(8, component_float, "VEC2", fill_with(mesh.uvs));
  if (second_uvs != nullptr) {
    THIGMO_ASSERT(second_uvs->size() == vertices);
    attributes["TEXCOORD_1"] = attribute(8, component_float, "VEC2", fill_with(*second_uvs));
  }
  if (tangents) {
    attributes["TANGENT"] = attribute(16, component_float, "VEC4", fill_with(mesh.tangents));
  }
  attributes["COLOR_0"] = attribute(4, component_ubyte, "VEC4", [&mesh](Bytes& out) {
    for (const Vec3f& c : mesh.colours) {
      for (const float channel : {c.x, c.y, c.z}) out.put(byte_from_unit(channel));
      out.put(std::uint8_t{255});
    }
  });
  document.list("accessors").back()["normalized"] = true;
  attributes["JOINTS_0"] = attribute(8, component_ushort, "VEC4", [&mesh](Bytes& out) {
    for (const SkinGroup& group : mesh.groups) {
      for (std::uint32_t v = 0; v < group.vertex_count; ++v) {
        for (const Index joint : group.joint) out.put(static_cast<std::uint16_t>(joint));
      }
    }
  });
  attributes["WEIGHTS_0"] = attribute(16, component_float, "VEC4", [&mesh](Bytes& out) {
    for (const SkinGroup& group : mesh.groups) {
      for (std::uint32_t v = 0; v < group.vertex_count; ++v) {
        for (const float weight : group.weight) out.put(weight);
      }
    }
  });
  const std::size_t indices =
      document.add_view(4 * mesh.indices.size(), target_indices, fill_with(mesh.indices));
  OrderedJson primitives = OrderedJson::array();
  for (const MeshPart& part : mesh.parts) {
    const std::size_t accessor = document.add_accessor(indices, component_uint, "SCALAR",
                                                       part.index_count, 4u * part.first_index);
    primitives.push_back({{"attributes", attributes},
                          {"indices", accessor},
                          {"material", materials.of(part.surface, document)}});
  }
  return document.append("meshes",
                         {{"name", name_of(item.shown)}, {"primitives", std::move(primitives)}});
}

// Nodes of all joints, in segment order, below a root of their own; returns the first joint's.
std::size_t add_joints(const PreparedPlant& item, GlbDocument& document) {
  const Skeleton& skeleton = item.skeleton;
  const std::size_t root = document.count("nodes");
  const std::size_t first = root + 1;
  const auto numbers = [first](const std::vector<Index>& joints) {
    OrderedJson list = OrderedJson::array();
    for (const Index j : joints) list.push_back(first + as_size(j));
    return list;
  };
  document.append("nodes", {{"name", name_of(item.shown)}, {"children", numbers(skeleton.roots)}});
  for (std::size_t i = 0; i < skeleton.parent.size(); ++i) {
    OrderedJson node{{"name", fmt::format("s{}", skeleton.segment[i])},
                     {"translation", json_array(skeleton.translation[i])},
                     {"rotation", json_array(skeleton.rotation[i])}};
    if (!skeleton.children[i].empty()) node["children"] = numbers(skeleton.children[i]);
    // So that the file is a plant that can be read again.
    if (skeleton.parent.size() == item.shown.plant->segments.size()) {
      const Segment& s = item.shown.plant->segments[i];
      node["extras"] = {{"segment", OrderedJson::array({s.length, s.radius_base, s.radius_tip,
                                                        s.parent, s.axis, s.order})}};
    } else {
      node["extras"] = {{"segments", item.riders[i]}};
    }
    document.append("nodes", std::move(node));
  }
  document.list("scenes")[0]["nodes"].push_back(root);
  return first;
}

// Column-major 4×4 that takes rest world coordinates into the joint's frame.
void put_inverse_bind(const Pose& rest, std::size_t joint, Bytes& out) {
  const Quat joint_from_world = conjugate(rest.world_from_segment[joint]);
  const Mat3 columns = transposed(matrix(joint_from_world));
  const Vec3 origin = rotate(joint_from_world, -rest.base_world[joint]);
  for (const auto& [c, w] : {std::pair{columns.row_x, 0.0f},
                             {columns.row_y, 0.0f},
                             {columns.row_z, 0.0f},
                             {origin, 1.0f}}) {
    for (const double value : {c.x, c.y, c.z}) out.put(narrow(value));
    out.put(w);
  }
}

std::size_t add_skin(const PreparedPlant& item, std::size_t first_joint, GlbDocument& document) {
  const std::size_t count = item.skeleton.parent.size();
  const std::size_t view = document.add_view(64 * count, {}, [&item, count](Bytes& out) {
    for (std::size_t i = 0; i < count; ++i) put_inverse_bind(item.mesh.rest, i, out);
  });
  OrderedJson joints = OrderedJson::array();
  for (std::size_t i = 0; i < count; ++i) joints.push_back(first_joint + i);
  const std::size_t matrices = document.add_accessor(view, component_float, "MAT4", count);
  return document.append("skins", {{"inverseBindMatrices", matrices},
                                   {"skeleton", first_joint - 1},
                                   {"joints", std::move(joints)}});
}

// What of a pose the tracks of some joints are made of: their segments, as one range, since joints
// are in the order of segments, and the parents' where these lie outside it.
std::vector<SegmentRange> ranges_of(const Skeleton& skeleton, std::span<const Index> joints) {
  const auto segment = [&](Index joint) { return at(skeleton.segment, joint); };
  const Index first = segment(joints.front()), last = segment(joints.back());
  std::vector<Index> outside;
  for (const Index joint : joints) {
    const Index parent = at(skeleton.parent, joint);
    if (parent != no_index && segment(parent) < first) outside.push_back(segment(parent));
  }
  std::sort(outside.begin(), outside.end());
  outside.erase(std::unique(outside.begin(), outside.end()), outside.end());
  std::vector<SegmentRange> ranges{{first, last - first + 1}};
  for (const Index s : outside) ranges.push_back({s, 1});
  return ranges;
}

// Frames come one after the other, tracks lie one after the other: transposed here. `value_at(pose, joint,
// track, frame)` may look at what its track holds of earlier frames.
template <class Value, class ValueAt>
void put_tracks(const PreparedPlant& item, std::span<const Index> joints, Bytes& out,
                const ValueAt& value_at) {
  const std::size_t frames = item.frames();
  std::vector<Value> tracks(joints.size() * frames);
  const std::vector<SegmentRange> ranges = ranges_of(item.skeleton, joints);
  Pose scratch;
  for (std::size_t f = 0; f < frames; ++f) {
    const Pose& pose = pose_at(*item.shown.motion, f, ranges, scratch);
    for (std::size_t k = 0; k < joints.size(); ++k) {
      Value* const track = &tracks[k * frames];
      track[f] = value_at(pose, joints[k], track, f);
    }
  }
  out.put_all(std::span<const Value>(tracks));
}

// q and -q are the same rotation: each keeps to the side of the last one, so that programs which
// interpolate the numbers plainly do not go the long way round.
void put_rotations(const PreparedPlant& item, std::span<const Index> joints, Bytes& out) {
  put_tracks<Vec4f>(
      item, joints, out, [&](const Pose& pose, Index joint, const Vec4f* track, std::size_t f) {
        Quat q = normalized(joint_rotation(item.skeleton, pose, joint));
        const Quat& rest = at(item.skeleton.rotation, joint);
        const Vec4f before =
            f > 0 ? track[f - 1]
                  : Vec4f{narrow(rest.x), narrow(rest.y), narrow(rest.z), narrow(rest.w)};
        const double cosine = q.x * double{before.x} + q.y * double{before.y} +
                              q.z * double{before.z} + q.w * double{before.w};
        if (cosine < 0) q = {-q.w, -q.x, -q.y, -q.z};
        return Vec4f{narrow(q.x), narrow(q.y), narrow(q.z), narrow(q.w)};
      });
}

void put_translations(const PreparedPlant& item, std::span<const Index> joints, Bytes& out) {
  put_tracks<Vec3f>(item, joints, out,
                    [&](const Pose& pose, Index joint, const Vec3f*, std::size_t) {
                      const Vec3 t = joint_translation(item.skeleton, pose, joint);
                      return Vec3f{narrow(t.x), narrow(t.y), narrow(t.z)};
                    });
}

// Tracks of all `joints`, a view each. They are made in batches of this size, so that the motion is
// read once and the memory does not grow with it.
constexpr std::size_t batch_bytes = 16u << 20;

void add_tracks(const PreparedPlant& item, std::span<const Index> joints, const char* path,
                std::size_t times, std::size_t first_joint, OrderedJson& animation,
                GlbDocument& document) {
  const bool rotation = std::string_view(path) == "rotation";
  const std::size_t frames = item.frames();
  const std::uint64_t length = (rotation ? sizeof(Vec4f) : sizeof(Vec3f)) * frames;
  const std::size_t most = std::max<std::size_t>(1, batch_bytes / length);
  while (!joints.empty()) {
    const std::span<const Index> batch = joints.first(std::min(most, joints.size()));
    joints = joints.subspan(batch.size());
    const std::size_t first_view =
        document.add_views(batch.size(), length, [&item, batch, rotation](Bytes& out) {
          rotation ? put_rotations(item, batch, out) : put_translations(item, batch, out);
        });
    for (std::size_t k = 0; k < batch.size(); ++k) {
      const std::size_t output = document.add_accessor(first_view + k, component_float,
                                                       rotation ? "VEC4" : "VEC3", frames);
      const std::size_t sampler = animation["samplers"].size();
      animation["samplers"].push_back({{"input", times}, {"output", output}});
      animation["channels"].push_back(
          {{"sampler", sampler},
           {"target", {{"node", first_joint + as_size(batch[k])}, {"path", path}}}});
    }
  }
}

void add_motion(const PreparedPlant& item, std::size_t first_joint, OrderedJson& animation,
                GlbDocument& document) {
  if (item.moving.rotating.empty() && item.moving.translating.empty()) return;
  const std::vector<double>& times = item.shown.motion->times;
  const std::size_t view = document.add_view(4 * times.size(), {}, [&times](Bytes& out) {
    for (const double t : times) out.put(narrow(t));
  });
  const std::size_t input = document.add_accessor(view, component_float, "SCALAR", times.size());
  document.list("accessors")[input]["min"] = OrderedJson::array({narrow(times.front())});
  document.list("accessors")[input]["max"] = OrderedJson::array({narrow(times.back())});
  add_tracks(item, item.moving.rotating, "rotation", input, first_joint, animation, document);
  add_tracks(item, item.moving.translating, "translation", input, first_joint, animation, document);
}

// What comes or goes stands in no size while it is not there: its root's scale is 1 or 0, without any between.
void add_life(const PreparedPlant& item, std::size_t root, OrderedJson& animation,
              GlbDocument& document) {
  if (stays(item.shown)) return;
  const Life& life = item.shown.life;
  const std::vector<double>& all = item.shown.motion->times;
  std::vector<float> times, scales;
  const auto add = [&](std::size_t frame, float scale) {
    times.push_back(narrow(all[frame]));
    scales.insert(scales.end(), 3, scale);
  };
  if (life.from > 0) add(0, 0);
  if (life.from < all.size()) add(life.from, 1);
  if (life.until < all.size()) add(life.until, 0);
  const std::size_t count = times.size();
  const OrderedJson first = OrderedJson::array({times.front()});
  const OrderedJson last = OrderedJson::array({times.back()});
  const auto add_list = [&](std::vector<float> numbers, const char* type) {
    const std::uint64_t bytes = 4 * numbers.size();
    const auto fill = [list = std::move(numbers)](Bytes& out) {
      for (const float number : list) out.put(number);
    };
    const std::size_t view = document.add_view(bytes, {}, fill);
    return document.add_accessor(view, component_float, type, count);
  };
  const std::size_t input = add_list(std::move(times), "SCALAR");
  document.list("accessors")[input]["min"] = first;
  document.list("accessors")[input]["max"] = last;
  const std::size_t output = add_list(std::move(scales), "VEC3");
  const std::size_t sampler = animation["samplers"].size();
  animation["samplers"].push_back(
      {{"input", input}, {"interpolation", "STEP"}, {"output", output}});
  animation["channels"].push_back(
      {{"sampler", sampler}, {"target", {{"node", root}, {"path", "scale"}}}});
}

// The segments that ride on each joint: number, parent, axis, order, radii, and both ends in the joint's
// frame as they are bound, to a hundredth of a micrometre.
std::vector<OrderedJson> riders_of(const Plant& plant, const JointReduction& reduction) {
  std::vector<OrderedJson> riders(reduction.kept.size(), OrderedJson::array());
  const Pose bind = bind_pose(plant, reduction);
  const auto rounded = [](double metres) { return std::round(metres * 1e8) / 1e8; };
  for (Index i = 0; i < segment_count(plant); ++i) {
    const Segment& s = at(plant.segments, i);
    const auto joint = as_size(at(reduction.joint_of_segment, i));
    const auto carrier = as_size(reduction.kept[joint]);
    OrderedJson& list = riders[joint];
    for (const Index number : {i, s.parent, s.axis, s.order}) list.push_back(number);
    for (const double radius : {s.radius_base, s.radius_tip}) list.push_back(rounded(radius));
    for (const double fraction : {0.0, 1.0}) {
      const Vec3 p = rotate(conjugate(bind.world_from_segment[carrier]),
                            point_on_segment(plant, bind, i, fraction) - bind.base_world[carrier]);
      for (const double part : {p.x, p.y, p.z}) list.push_back(rounded(part));
    }
  }
  return riders;
}

PreparedPlant prepare(const MovingPlant& moving, const GlbOptions& options) {
  const Plant& plant = *moving.plant;
  PreparedPlant item{.shown = moving,
                     .mesh = build_mesh(plant, options.mesh, moving.stands),
                     .skeleton = {},
                     .moving = {}};
  static const Motion no_motion;
  const Motion& motion = moves(moving) ? *moving.motion : no_motion;
  THIGMO_ASSERT(motion.read || motion.times.size() == motion.poses.size());
  const Index most = std::clamp(options.max_joints, Index{1}, most_joints);
  JointReduction reduction = reduce_joints(plant, motion, most, moving.stands);
  item.skeleton = make_skeleton(plant, reduction, options.max_depth);
  rebind(reduction, item.mesh);
  if (reduction.kept.size() < plant.segments.size()) item.riders = riders_of(plant, reduction);
  if (moves(moving)) item.moving = find_moving_joints(item.skeleton, motion);
  if (options.reductions != nullptr) options.reductions->push_back(std::move(reduction));
  return item;
}

}  // namespace

Result<Done> write_glb(std::span<const MovingPlant> plants, const GlbOptions& options,
                       const ByteSink& sink) {
  // What a joint has: its node, its riders, or tracks with their accessors.
  double segments = 0;
  for (const MovingPlant& plant : plants) {
    segments += static_cast<double>(plant.plant->segments.size());
  }
  Reserve reserve(reserve_for_json(50 * segments));
  std::vector<PreparedPlant> items;
  for (const MovingPlant& plant : plants) {
    if (plant.plant->segments.empty()) continue;
    items.push_back(prepare(plant, options));
    if (static_cast<Index>(items.back().skeleton.parent.size()) > most_joints) {
      return error(
          fmt::format("plant '{}' has more than {} separate stems", name_of(plant), most_joints),
          "export it in parts");
    }
  }
  GlbDocument document;
  Materials materials;
  OrderedJson animation{
      {"name", "motion"}, {"channels", OrderedJson::array()}, {"samplers", OrderedJson::array()}};
  for (std::size_t i = 0; i < items.size(); ++i) {
    const PreparedPlant& item = items[i];
    const std::size_t first_joint = add_joints(item, document);
    if (!item.mesh.indices.empty()) {
      const std::vector<Vec2f>* second =
          i < options.second_uvs.size() ? &options.second_uvs[i] : nullptr;
      const std::size_t mesh = add_mesh(item, second, options.mesh.tangents, materials, document);
      const std::size_t skin = add_skin(item, first_joint, document);
      // Skinned meshes stand at the scene's root: their own node's transform does not count.
      const std::size_t node = document.append(
          "nodes", {{"name", name_of(item.shown) + " mesh"}, {"mesh", mesh}, {"skin", skin}});
      document.list("scenes")[0]["nodes"].push_back(node);
    }
    add_motion(item, first_joint, animation, document);
    add_life(item, first_joint - 1, animation, document);
  }
  if (!animation["channels"].empty()) document.append("animations", std::move(animation));
  if (items.empty()) document.list("scenes")[0].erase("nodes");
  Result<Done> done = document.write(sink);
  reserve.give_back();
  return done;
}

Result<std::string> glb_bytes(std::span<const MovingPlant> plants, const GlbOptions& options) {
  return bytes_from([&](const ByteSink& sink) { return write_glb(plants, options, sink); });
}

}  // namespace thigmo
