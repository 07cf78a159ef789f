#include "io/gltf_reader.h"

#include <algorithm>
#include <cmath>

#include "io/gltf_nodes.h"
#include "io/json_text.h"

namespace thigmo {
namespace {

using namespace gltf;

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

  std::string choose_joints() {
    is_joint_.assign(parent_.size(), true);
    const auto skins = root_.find("skins");
    if (skins == root_.end() || !skins->is_array() || skins->empty()) return {};
    const Json& skin = (*skins)[0];
    const auto joints = skin.is_object() ? skin.find("joints") : skin.end();
    if (joints == skin.end() || !joints->is_array()) return "its skin has no joints";
    is_joint_.assign(parent_.size(), false);
    for (const Json& joint : *joints) {
      const std::optional<Index> j = reference(joint, parent_.size());
      if (!j) return "a joint of its skin is no node";
      is_joint_[at(*j)] = true;
      joints_.push_back(*j);
    }
    return {};
  }

  // What our own writer leaves on each joint: its segment's length, radii and parent joint. False
  // where a joint has none, as in all files of others.
  bool own_rows(SegmentTable& table) const {
    std::vector<SegmentRow> rows;
    Attribute axis{.name = "axis", .type = Attribute::Type::integer, .values = {}};
    Attribute order{.name = "order", .type = Attribute::Type::integer, .values = {}};
    Attribute up{.name = "up", .type = Attribute::Type::vector, .size = 3, .values = {}};
    for (const Index joint : joints_) {
      const Json& node = (*nodes_)[at(joint)];
      const auto extras = node.find("extras");
      std::array<double, 6> own{};
      if (extras == node.end() || !extras->is_object() || !extras->contains("segment") ||
          !read_numbers(*extras, "segment", own))
        return false;
      const auto [length, radius_base, radius_tip, parent, axis_number, order_number] = own;
      const bool good = length > 0 && radius_base >= 0 && radius_tip >= 0 && parent >= -1 &&
                        parent < static_cast<double>(rows.size()) && parent == std::floor(parent);
      if (!good) return false;
      const Transform& place = world_[at(joint)];
      rows.push_back({.start_world = place.offset,
                      .end_world = place.offset + place.linear * Vec3{0, length, 0},
                      .parent = static_cast<Index>(parent),
                      .radius_start = radius_base,
                      .radius_end = radius_tip});
      if (!is_finite(rows.back().end_world)) return false;
      const Vec3 z = place.linear * Vec3{0, 0, 1};
      up.values.insert(up.values.end(), {z.x, z.y, z.z});
      axis.values.push_back(axis_number);
      order.values.push_back(order_number);
    }
    if (rows.empty()) return false;
    table.rows = std::move(rows);
    table.attributes = {std::move(axis), std::move(order), std::move(up)};
    return true;
  }

  void make_rows(SegmentTable& table) const {
    std::vector<Index> row_of(parent_.size(), no_index);
    std::vector<bool> has_child(parent_.size(), false);
    std::vector<std::vector<Index>> pieces(parent_.size());  // that start at each joint
    const auto add = [&](const Vec3& from, const Vec3& to, Index parent_row) {
      table.rows.push_back({.start_world = from,
                            .end_world = to,
                            .parent = parent_row,
                            .radius_start = {},
                            .radius_end = {}});
      return static_cast<Index>(table.rows.size() - 1);
    };
    for (const Index i : order_) {
      const Index p = parent_[at(i)];
      if (!is_joint_[at(i)] || p == no_index || !is_joint_[at(p)]) continue;
      has_child[at(p)] = true;
      const Vec3 from = world_[at(p)].offset, to = world_[at(i)].offset;
      // Children that start at the same place share the piece that leads to them.
      const auto same = std::find_if(pieces[at(p)].begin(), pieces[at(p)].end(), [&](Index row) {
        return length(table.rows[at(row)].end_world - to) <= 1e-6 * length(to - from);
      });
      if (same != pieces[at(p)].end()) {
        row_of[at(i)] = *same;
        continue;
      }
      row_of[at(i)] = add(from, to, row_of[at(p)]);
      pieces[at(p)].push_back(row_of[at(i)]);
    }
    for (const Index i : order_) {
      if (has_child[at(i)] || row_of[at(i)] == no_index) continue;
      const SegmentRow last = table.rows[at(row_of[at(i)])];
      add(last.end_world, last.end_world + (last.end_world - last.start_world), row_of[at(i)]);
    }
  }

  const Json& root_;
  const Json* nodes_ = nullptr;
  std::vector<Index> parent_, order_, joints_;
  std::vector<Transform> world_;
  std::vector<bool> is_joint_;
};

}  // namespace

Result<SegmentTable> table_from_gltf(std::string_view bytes, std::string_view file) {
  const auto failure = [&](std::string message) {
    return Diagnostic{.message = std::move(message), .file = std::string(file)};
  };
  const Result<Json> root = read_root(bytes, file);
  if (!root) return root.diagnostics();
  SegmentTable table;
  if (std::string wrong = SkeletonReader(*root).read(table); !wrong.empty())
    return failure("as a skeleton: " + wrong);
  if (table.rows.empty()) return failure("no joint has a child joint");
  return table;
}

}  // namespace thigmo
