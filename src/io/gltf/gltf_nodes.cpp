#include "io/gltf/gltf_nodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace thigmo::gltf {
namespace {

Transform combine(const Transform& a, const Transform& b) {
  return {.linear = a.linear * b.linear, .offset = a.linear * b.offset + a.offset};
}

std::optional<Transform> parent_from(const Json& node) {
  std::array<double, 16> m{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  if (node.contains("matrix")) {
    if (!read_numbers(node, "matrix", m)) return std::nullopt;
    return Transform{.linear = {{m[0], m[4], m[8]}, {m[1], m[5], m[9]}, {m[2], m[6], m[10]}},
                     .offset = {m[12], m[13], m[14]}};
  }
  std::array<double, 3> t{0, 0, 0}, s{1, 1, 1};
  std::array<double, 4> r{0, 0, 0, 1};
  if (!read_numbers(node, "translation", t) || !read_numbers(node, "scale", s) ||
      !read_numbers(node, "rotation", r))
    return std::nullopt;
  const double norm = r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3];
  if (!(norm > 1e-12)) return std::nullopt;
  const Mat3 turn = matrix(normalized(Quat{r[3], r[0], r[1], r[2]}));
  const Vec3 sizes{s[0], s[1], s[2]};
  return Transform{
      .linear = {scale(turn.row_x, sizes), scale(turn.row_y, sizes), scale(turn.row_z, sizes)},
      .offset = {t[0], t[1], t[2]}};
}

// Each node's parent; every node is a child once at most.
Result<std::vector<Index>> find_parents(const Json& nodes) {
  std::vector<Index> parent(nodes.size(), no_index);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!nodes[i].is_object()) return error(fmt::format("node {} is no object", i));
    if (!nodes[i].contains("children")) continue;
    const Json* children = list(nodes[i], "children");
    if (children == nullptr) return error(fmt::format("the children of node {} are no list", i));
    for (const Json& child : *children) {
      const std::optional<Index> c = reference(child, nodes.size());
      if (!c || at(parent, *c) != no_index || *c == static_cast<Index>(i))
        return error(fmt::format("the children of node {} are no tree", i));
      at(parent, *c) = static_cast<Index>(i);
    }
  }
  return parent;
}

// Nodes on a loop hang on no root, so that they are not among them.
std::vector<Index> depth_first(const std::vector<Index>& parent) {
  std::vector<std::vector<Index>> children(parent.size());
  std::vector<Index> stack, order;
  for (std::size_t i = 0; i < parent.size(); ++i) {
    (parent[i] == no_index ? stack : at(children, parent[i])).push_back(static_cast<Index>(i));
  }
  std::reverse(stack.begin(), stack.end());
  while (!stack.empty()) {
    const Index i = stack.back();
    stack.pop_back();
    order.push_back(i);
    stack.insert(stack.end(), at(children, i).rbegin(), at(children, i).rend());
  }
  return order;
}

}  // namespace

Result<Nodes> read_nodes(const Json& root) {
  Nodes nodes{.list = list(root, "nodes")};
  if (nodes.list == nullptr || nodes.list->empty()) return error("it has no nodes");
  Result<std::vector<Index>> parent = find_parents(*nodes.list);
  if (!parent) return parent.diagnostics();
  nodes.parent = std::move(*parent);
  nodes.order = depth_first(nodes.parent);
  nodes.world_from.resize(nodes.parent.size());
  for (const Index i : nodes.order) {
    const std::optional<Transform> local = parent_from(at(*nodes.list, i));
    if (!local) return error(fmt::format("the transform of node {} is not understood", i));
    const Index above = at(nodes.parent, i);
    Transform& world_from = at(nodes.world_from, i);
    world_from = above == no_index ? *local : combine(at(nodes.world_from, above), *local);
    if (!is_finite(world_from.offset)) return error(fmt::format("node {} lies at infinity", i));
  }
  if (nodes.order.size() != nodes.parent.size()) return error("its nodes form a loop");
  return nodes;
}

}  // namespace thigmo::gltf
