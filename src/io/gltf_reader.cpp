#include "io/gltf_reader.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "io/gltf_check.h"
#include "io/gltf_nodes.h"
#include "io/json_text.h"

namespace thigmo {
namespace {

using namespace gltf;

// What our own writer leaves in the extras of joints, gathered from all skins.
struct OwnSegments {
  using Type = Attribute::Type;
  std::vector<SegmentRow> rows;
  Attribute axis{.name = "axis", .type = Type::integer, .values = {}};
  Attribute order{.name = "order", .type = Type::integer, .values = {}};
  Attribute up{.name = "up", .type = Type::vector, .size = 3, .values = {}};
  Attribute plant{.name = "plant", .type = Type::integer, .values = {}};
  int plants = 0;
  bool has_up = true;
};

// One segment of a skin, before they are put in order.
struct OwnSegment {
  Vec3 start_in_joint, end_in_joint;
  double radius_base = 0, radius_tip = 0, number = 0, parent = 0, axis = 0, order = 0;
  const Transform* joint = nullptr;
};

// The segments that a joint's extras tell of: {"segment": [length, radius, radius at the tip, parent,
// axis, order]} is the joint's own, whose number is the joint's; {"segments": [number, parent, axis,
// order, radius, radius at the tip, base x y z, tip x y z, …]} all that ride on it. False where there are none.
bool read_own(const Json& node, std::size_t joint, std::vector<OwnSegment>& segments) {
  const auto extras = node.find("extras");
  if (extras == node.end() || !extras->is_object()) return false;
  if (extras->contains("segment")) {
    std::array<double, 6> own{};
    if (!read_numbers(*extras, "segment", own)) return false;
    segments.push_back({.end_in_joint = {0, own[0], 0},
                        .radius_base = own[1],
                        .radius_tip = own[2],
                        .number = static_cast<double>(joint),
                        .parent = own[3],
                        .axis = own[4],
                        .order = own[5]});
    return own[0] > 0;
  }
  const auto list = extras->find("segments");
  constexpr std::size_t width = 12;
  if (list == extras->end() || !list->is_array() || list->empty() || list->size() % width != 0)
    return false;
  std::vector<double> own(list->size());
  if (!read_numbers(*extras, "segments", own)) return false;
  for (std::size_t k = 0; k < own.size(); k += width) {
    const double* n = &own[k];
    segments.push_back({.start_in_joint = {n[6], n[7], n[8]},
                        .end_in_joint = {n[9], n[10], n[11]},
                        .radius_base = n[4],
                        .radius_tip = n[5],
                        .number = n[0],
                        .parent = n[1],
                        .axis = n[2],
                        .order = n[3]});
  }
  return true;
}

// Adds the segments of a skin in the order of their numbers; false where they are not 0, 1, 2, … with
// parents before their children.
bool add_own_segments(const Json& nodes, const std::vector<Transform>& world,
                      const std::vector<Index>& joints, OwnSegments& own) {
  std::vector<OwnSegment> segments;
  for (std::size_t k = 0; k < joints.size(); ++k) {
    const std::size_t before = segments.size();
    if (!read_own(nodes[at(joints[k])], k, segments)) return false;
    for (std::size_t i = before; i < segments.size(); ++i)
      segments[i].joint = &world[at(joints[k])];
  }
  std::sort(segments.begin(), segments.end(),
            [](const OwnSegment& a, const OwnSegment& b) { return a.number < b.number; });
  const auto first = static_cast<Index>(own.rows.size());
  own.has_up = own.has_up && segments.size() == joints.size();
  ++own.plants;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const OwnSegment& s = segments[i];
    const auto number = static_cast<double>(i);
    if (s.number != number || !(s.radius_base >= 0 && s.radius_tip >= 0) ||
        !(s.parent >= -1 && s.parent < number && s.parent == std::floor(s.parent)))
      return false;
    if (!fits_integer(s.axis) || !fits_integer(s.order)) return false;
    const auto parent = static_cast<Index>(s.parent);
    own.rows.push_back({.start_world = s.joint->linear * s.start_in_joint + s.joint->offset,
                        .end_world = s.joint->linear * s.end_in_joint + s.joint->offset,
                        .parent = parent == no_index ? no_index : first + parent,
                        .radius_start = s.radius_base,
                        .radius_end = s.radius_tip});
    if (!is_finite(own.rows.back().start_world) || !is_finite(own.rows.back().end_world))
      return false;
    own.axis.values.push_back(s.axis);
    own.order.values.push_back(s.order);
    own.plant.values.push_back(own.plants);
    const Vec3 z = s.joint->linear * Vec3{0, 0, 1};
    own.up.values.insert(own.up.values.end(), {z.x, z.y, z.z});
  }
  return true;
}

// The pieces that start at one point, found again by where they end: two are the same where their ends
// are nearer to each other than a millionth of the piece's length. Of many, those in the cells around an
// end are looked at; cells are as wide as a power of two above what is near for pieces of such a length.
class NearPieces {
 public:
  // The first that ends there, or -1.
  Index find(const std::vector<SegmentRow>& rows, const Vec3& from, const Vec3& to) const {
    const double near = nearness * length(to - from);
    const auto is_same = [&](Index row) { return length(rows[at(row)].end_world - to) <= near; };
    if (cells_.empty() || !std::isfinite(near)) {
      const auto same = std::find_if(pieces_.begin(), pieces_.end(), is_same);
      return same == pieces_.end() ? no_index : *same;
    }
    Index first = no_index;
    const double reach = 1.01 * near, size = length(to - from);
    const int low_level = level_of(size - reach), high_level = level_of(size + reach);
    for (int level = low_level; level <= high_level; ++level) {
      const Key low = key_of(level, to - from, -reach), high = key_of(level, to - from, reach);
      for (std::int64_t x = low[1]; x <= high[1]; ++x) {
        for (std::int64_t y = low[2]; y <= high[2]; ++y) {
          for (std::int64_t z = low[3]; z <= high[3]; ++z) {
            const auto cell = cells_.find({level, x, y, z});
            if (cell == cells_.end()) continue;
            for (const Index row : cell->second) {
              if (is_same(row) && (first == no_index || row < first)) first = row;
            }
          }
        }
      }
    }
    return first;
  }

  void add(const Vec3& from, const Vec3& to, Index row) {
    pieces_.push_back(row);
    steps_.push_back(to - from);
    constexpr std::size_t few = 16;
    if (pieces_.size() <= few) return;
    for (std::size_t i = cells_.empty() ? 0 : pieces_.size() - 1; i < pieces_.size(); ++i)
      cells_[key_of(level_of(length(steps_[i])), steps_[i], 0)].push_back(pieces_[i]);
  }

 private:
  static constexpr double nearness = 1e-6;
  using Key = std::array<std::int64_t, 4>;  // level, and the cell's place

  static int level_of(double size) {
    if (!(size > 0)) return -2000;
    return std::isfinite(size) ? std::ilogb(size) : 2000;
  }
  static Key key_of(int level, const Vec3& step, double shift) {
    const double width = std::ldexp(nearness, level + 1);
    const auto cell = [&](double v) {
      const double place = std::floor((v + shift) / width);
      return std::abs(place) < 1e15 ? static_cast<std::int64_t>(place) : 0;
    };
    return {level, cell(step.x), cell(step.y), cell(step.z)};
  }

  std::vector<Index> pieces_;
  std::vector<Vec3> steps_;  // of the pieces [m]
  std::map<Key, std::vector<Index>> cells_;
};

class SkeletonReader {
 public:
  explicit SkeletonReader(const Json& root) : root_(root) {}

  // Empty on success, else what is wrong.
  std::string read(SegmentTable& table) {
    const auto nodes = root_.find("nodes");
    if (nodes == root_.end() || !nodes->is_array() || nodes->empty()) return "it has no nodes";
    nodes_ = &*nodes;
    const std::size_t count = nodes->size();
    parent_.assign(count, no_index);
    for (std::size_t i = 0; i < count; ++i) {
      if (!(*nodes)[i].is_object()) return fmt::format("node {} is no object", i);
      const auto children = (*nodes)[i].find("children");
      if (children == (*nodes)[i].end()) continue;
      if (!children->is_array()) return fmt::format("the children of node {} are no list", i);
      for (const Json& child : *children) {
        const std::optional<Index> c = reference(child, count);
        if (!c || parent_[at(*c)] != no_index || *c == static_cast<Index>(i))
          return fmt::format("the children of node {} are no tree", i);
        parent_[at(*c)] = static_cast<Index>(i);
      }
    }
    if (std::string wrong = place_nodes(); !wrong.empty()) return wrong;
    if (std::string wrong = choose_joints(); !wrong.empty()) return wrong;
    find_parent_joints();
    if (!own_rows(table)) make_rows(table);
    return {};
  }

 private:
  // Parents first. Nodes on a loop are never reached, which shows it.
  std::string place_nodes() {
    const std::size_t count = parent_.size();
    world_.resize(count);
    std::vector<std::vector<Index>> children(count);
    std::vector<Index> stack;
    for (std::size_t i = 0; i < count; ++i) {
      if (parent_[i] == no_index) {
        stack.push_back(static_cast<Index>(i));
      } else {
        children[at(parent_[i])].push_back(static_cast<Index>(i));
      }
    }
    std::reverse(stack.begin(), stack.end());
    std::size_t reached = 0;
    while (!stack.empty()) {
      const Index i = stack.back();
      stack.pop_back();
      ++reached;
      order_.push_back(i);
      const std::optional<Transform> local = local_transform((*nodes_)[at(i)]);
      if (!local) return fmt::format("the transform of node {} is not understood", i);
      const Index parent = parent_[at(i)];
      world_[at(i)] = parent == no_index ? *local : combine(world_[at(parent)], *local);
      if (!is_finite(world_[at(i)].offset)) return fmt::format("node {} lies at infinity", i);
      stack.insert(stack.end(), children[at(i)].rbegin(), children[at(i)].rend());
    }
    return reached == count ? "" : "its nodes form a loop";
  }

  // All nodes where there is no skin; else the joints of all skins.
  std::string choose_joints() {
    is_joint_.assign(parent_.size(), true);
    const auto skins = root_.find("skins");
    if (skins == root_.end() || !skins->is_array() || skins->empty()) return {};
    is_joint_.assign(parent_.size(), false);
    for (const Json& skin : *skins) {
      const auto joints = skin.is_object() ? skin.find("joints") : skin.end();
      if (joints == skin.end() || !joints->is_array()) return "a skin has no joints";
      std::vector<Index> numbers;
      for (const Json& joint : *joints) {
        const std::optional<Index> j = reference(joint, parent_.size());
        if (!j) return "a joint of a skin is no node";
        is_joint_[at(*j)] = true;
        numbers.push_back(*j);
      }
      skins_.push_back(std::move(numbers));
    }
    return {};
  }

  // What our own writer leaves on each joint. False where a joint has none, as in all files of others.
  bool own_rows(SegmentTable& table) const {
    OwnSegments own;
    std::vector<bool> used(parent_.size(), false);
    for (const std::vector<Index>& joints : skins_) {
      const auto is_used = [&](Index j) { return used[at(j)]; };
      // Another mesh on the same skeleton.
      if (std::all_of(joints.begin(), joints.end(), is_used)) continue;
      if (std::any_of(joints.begin(), joints.end(), is_used)) return false;
      for (const Index j : joints) used[at(j)] = true;
      if (!add_own_segments(*nodes_, world_, joints, own)) return false;
    }
    if (own.rows.empty()) return false;
    table.rows = std::move(own.rows);
    table.attributes = {std::move(own.axis), std::move(own.order)};
    if (own.has_up) table.attributes.push_back(std::move(own.up));
    if (own.plants > 1) table.attributes.push_back(std::move(own.plant));
    return true;
  }

  // The nearest joint above each node.
  void find_parent_joints() {
    parent_joint_.assign(parent_.size(), no_index);
    for (const Index i : order_) {
      const Index p = parent_[at(i)];
      if (p != no_index) parent_joint_[at(i)] = is_joint_[at(p)] ? p : parent_joint_[at(p)];
    }
  }
  Index parent_joint(Index i) const { return parent_joint_[at(i)]; }

  // Whether joints point to their children along their own y, as Blender's bones do to those that begin
  // where they end: of those with children at least half.
  bool bones_point_along_y() const {
    std::vector<char> state(parent_.size(), 0);  // 1: has children, 2: one of them lies on its y
    for (const Index i : order_) {
      const Index p = is_joint_[at(i)] ? parent_joint(i) : no_index;
      if (p == no_index) continue;
      const Vec3 to_child = world_[at(i)].offset - world_[at(p)].offset;
      const Vec3 y = world_[at(p)].linear * Vec3{0, 1, 0};
      const double size = length(to_child) * length(y);
      const bool along = size > 0 && dot(to_child, y) > (1 - 1e-6) * size;
      state[at(p)] = std::max(state[at(p)], along ? char{2} : char{1});
    }
    return 2 * std::count(state.begin(), state.end(), 2) >=
           static_cast<std::ptrdiff_t>(state.size()) - std::count(state.begin(), state.end(), 0);
  }

  void make_rows(SegmentTable& table) const {
    std::vector<Index> row_of(parent_.size(), no_index);
    std::vector<bool> has_child(parent_.size(), false);
    std::vector<NearPieces> pieces(parent_.size());  // that start at each joint
    // Children that start at the same place share the piece that leads to them.
    const auto add_once = [&](const Vec3& from, const Vec3& to, Index parent_row,
                              NearPieces& others) {
      const Index same = others.find(table.rows, from, to);
      if (same != no_index) return same;
      table.rows.push_back({.start_world = from,
                            .end_world = to,
                            .parent = parent_row,
                            .radius_start = {},
                            .radius_end = {}});
      const auto added = static_cast<Index>(table.rows.size() - 1);
      others.add(from, to, added);
      return added;
    };
    for (const Index i : order_) {
      const Index p = is_joint_[at(i)] ? parent_joint(i) : no_index;
      if (p == no_index) continue;
      has_child[at(p)] = true;
      row_of[at(i)] =
          add_once(world_[at(p)].offset, world_[at(i)].offset, row_of[at(p)], pieces[at(p)]);
    }
    // Pieces beyond the last joints, by the piece that leads to them.
    const bool along_y = bones_point_along_y();
    std::vector<NearPieces> ends(table.rows.size());
    for (const Index i : order_) {
      if (has_child[at(i)] || row_of[at(i)] == no_index) continue;
      const SegmentRow last = table.rows[at(row_of[at(i)])];
      Vec3 along = last.end_world - last.start_world;
      const Vec3 y = world_[at(i)].linear * Vec3{0, 1, 0};
      if (along_y && length(y) > 0) along = y * (length(along) / length(y));
      add_once(last.end_world, last.end_world + along, row_of[at(i)], ends[at(row_of[at(i)])]);
    }
  }

  const Json& root_;
  const Json* nodes_ = nullptr;
  std::vector<Index> parent_, order_, parent_joint_;
  std::vector<std::vector<Index>> skins_;  // joints
  std::vector<Transform> world_;
  std::vector<bool> is_joint_;
};

}  // namespace

Result<SegmentTable> table_from_gltf(std::string_view bytes, std::string_view file) {
  const auto failure = [&](std::string message) {
    return Diagnostic{.message = std::move(message), .file = std::string(file)};
  };
  Budget budget{.file = std::string(file)};
  const Result<ParsedJson> parsed = read_root(bytes, file, budget);
  if (!parsed) return parsed.diagnostics();
  const Json& root = parsed->root;
  if (const Json* nodes = list(root, "nodes")) {
    const auto count = static_cast<double>(nodes->size());
    if (const Result<Done> done = spend(budget, count, bytes_of_piece, "nodes"); !done)
      return done.diagnostics();
  }
  SegmentTable table;
  if (std::string wrong = SkeletonReader(root).read(table); !wrong.empty())
    return failure("as a skeleton: " + wrong);
  if (std::string wrong = find_fault(root, binary_chunk(bytes)); !wrong.empty())
    return failure("as a skeleton: " + wrong);
  if (table.rows.empty()) return failure("no joint has a child joint");
  return table;
}

}  // namespace thigmo
