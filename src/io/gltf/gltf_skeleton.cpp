#include "io/gltf/gltf_skeleton.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "io/gltf/gltf_check.h"
#include "io/gltf/gltf_nodes.h"
#include "io/gltf/gltf_own.h"

namespace thigmo {
namespace {

using namespace gltf;

// The pieces that start at one point, found again by where they end: two are the same where their ends
// are nearer to each other than a millionth of the piece's length. Of many, those in the cells around an
// end are looked at; cells are as wide as a power of two above what is near for pieces of such a length.
class NearPieces {
 public:
  // The first that ends there, or -1.
  Index find(const std::vector<SegmentRow>& rows, const Vec3& from, const Vec3& to) const {
    const double near = nearness * length(to - from);
    const auto is_same = [&](Index row) { return length(at(rows, row).end_world - to) <= near; };
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

// The joints of each skin; none where there is no skin.
Result<std::vector<std::vector<Index>>> read_skins(const Json& root, std::size_t nodes) {
  std::vector<std::vector<Index>> skins;
  const Json* all = list(root, "skins");
  if (all == nullptr) return skins;
  for (const Json& skin : *all) {
    const Json* joints = skin.is_object() ? list(skin, "joints") : nullptr;
    if (joints == nullptr) return error("a skin has no joints");
    std::vector<Index>& numbers = skins.emplace_back();
    for (const Json& joint : *joints) {
      const std::optional<Index> j = reference(joint, nodes);
      if (!j) return error("a joint of a skin is no node");
      numbers.push_back(*j);
    }
  }
  return skins;
}

// The nodes that are joints, parents first, and the nearest joint above each.
struct Joints {
  std::vector<Index> order;
  std::vector<Index> parent;  // of each node; -1: none
};
Joints find_joints(const Nodes& nodes, const std::vector<std::vector<Index>>& skins) {
  // All nodes where there is no skin; else the joints of all skins.
  std::vector<bool> is_joint(nodes.parent.size(), skins.empty());
  for (const std::vector<Index>& skin : skins) {
    for (const Index j : skin) at(is_joint, j) = true;
  }
  Joints joints{.order = {}, .parent = std::vector<Index>(nodes.parent.size(), no_index)};
  for (const Index i : nodes.order) {
    const Index p = at(nodes.parent, i);
    if (p != no_index) at(joints.parent, i) = at(is_joint, p) ? p : at(joints.parent, p);
    if (at(is_joint, i)) joints.order.push_back(i);
  }
  return joints;
}

// Whether joints point to their children along their own y, as Blender's bones do to those that begin
// where they end: of those with children at least half.
bool bones_point_along_y(const Nodes& nodes, const Joints& joints) {
  std::vector<char> state(nodes.parent.size(), 0);  // 1: has children, 2: one of them lies on its y
  for (const Index i : joints.order) {
    const Index p = at(joints.parent, i);
    if (p == no_index) continue;
    const Vec3 to_child = at(nodes.world_from, i).offset - at(nodes.world_from, p).offset;
    const Vec3 y = at(nodes.world_from, p).linear * Vec3{0, 1, 0};
    const double size = length(to_child) * length(y);
    const bool along = size > 0 && dot(to_child, y) > (1 - 1e-6) * size;
    at(state, p) = std::max(at(state, p), along ? char{2} : char{1});
  }
  return 2 * std::count(state.begin(), state.end(), 2) >=
         static_cast<std::ptrdiff_t>(state.size()) - std::count(state.begin(), state.end(), 0);
}

// A piece from each joint to the next, and one beyond each last joint.
SegmentTable pieces_between(const Nodes& nodes, const Joints& joints) {
  SegmentTable table;
  const std::size_t count = nodes.parent.size();
  std::vector<Index> row_of(count, no_index);
  std::vector<bool> has_child(count, false);
  std::vector<NearPieces> pieces(count);  // that start at each joint
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
  for (const Index i : joints.order) {
    const Index p = at(joints.parent, i);
    if (p == no_index) continue;
    at(has_child, p) = true;
    at(row_of, i) = add_once(at(nodes.world_from, p).offset, at(nodes.world_from, i).offset,
                             at(row_of, p), at(pieces, p));
  }
  // Pieces beyond the last joints, by the piece that leads to them.
  const bool along_y = bones_point_along_y(nodes, joints);
  std::vector<NearPieces> ends(table.rows.size());
  for (const Index i : joints.order) {
    if (at(has_child, i) || at(row_of, i) == no_index) continue;
    const SegmentRow last = at(table.rows, at(row_of, i));
    Vec3 along = last.end_world - last.start_world;
    const Vec3 y = at(nodes.world_from, i).linear * Vec3{0, 1, 0};
    if (along_y && length(y) > 0) along = y * (length(along) / length(y));
    add_once(last.end_world, last.end_world + along, at(row_of, i), at(ends, at(row_of, i)));
  }
  return table;
}

Result<SegmentTable> read_skeleton(const Document& document) {
  const Result<Nodes> nodes = read_nodes(document.root());
  if (!nodes) return nodes.diagnostics();
  const auto skins = read_skins(document.root(), nodes->parent.size());
  if (!skins) return skins.diagnostics();
  if (const Result<Done> done = check_document(document); !done) return done.diagnostics();
  if (std::optional<SegmentTable> own = own_segments(*nodes, *skins)) return std::move(*own);
  return pieces_between(*nodes, find_joints(*nodes, *skins));
}

}  // namespace

Result<SegmentTable> table_from_gltf(std::string_view bytes, std::string_view file) {
  Budget budget{.file = std::string(file)};
  const Result<Document> document = read_document(bytes, file, budget);
  if (!document) return document.diagnostics();
  if (const Json* nodes = list(document->root(), "nodes")) {
    const auto count = static_cast<double>(nodes->size());
    if (const Result<Done> done = spend(budget, count, bytes_of_piece, "nodes"); !done)
      return done.diagnostics();
  }
  Result<SegmentTable> table = read_skeleton(*document);
  if (!table) {
    Diagnostic reason = blamed("as a skeleton: ", table);
    reason.file = file;
    return reason;
  }
  if (table->rows.empty())
    return Diagnostic{.message = "no joint has a child joint", .file = std::string(file)};
  return table;
}

}  // namespace thigmo
