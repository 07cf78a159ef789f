#include "io/gltf_mesh.h"

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "io/gltf_check.h"
#include "io/gltf_nodes.h"
#include "io/json_text.h"
#include "mesh/organ.h"

namespace thigmo {
namespace {

using namespace gltf;

constexpr std::size_t most_vertices = 10'000'000;
constexpr int most_depth = 1000;

std::optional<std::string> bytes_from_base64(std::string_view text) {
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    if (c == '=') break;
    const std::size_t digit = digits.find(c);
    if (digit == std::string_view::npos) return std::nullopt;
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes.push_back(static_cast<char>(bits >> count & 0xff));
    }
  }
  return bytes;
}

// Reads meshes through the failure of the first thing that is wrong.
class MeshReader {
 public:
  MeshReader(const Json& root, std::string_view binary) : root_(root), binary_(binary) {}

  std::string read(OrganSurface& surface) {
    if (std::string wrong = read_buffers(); !wrong.empty()) return wrong;
    if (std::string wrong = find_fault(root_, binary_); !wrong.empty()) return wrong;
    const Json* nodes = list(root_, "nodes");
    if (nodes == nullptr) return "it has no nodes";
    std::vector<bool> is_child(nodes->size(), false);
    for (const Json& node : *nodes) {
      if (!node.is_object()) return "a node is no object";
      const auto children = node.find("children");
      if (children == node.end()) continue;
      if (!children->is_array()) return "the children of a node are no list";
      for (const Json& child : *children) {
        const std::optional<Index> c = reference(child, nodes->size());
        if (!c || is_child[at(*c)]) return "its nodes are no tree";
        is_child[at(*c)] = true;
      }
    }
    for (std::size_t i = 0; i < nodes->size(); ++i) {
      if (is_child[i]) continue;
      if (std::string wrong = add_node(*nodes, i, {}, 0, surface); !wrong.empty()) return wrong;
    }
    return surface.indices.empty() ? "it has no triangles" : "";
  }

 private:
  const Json* element(const char* key, std::optional<std::uint64_t> number) const {
    return gltf::element(root_, key, number);
  }

  std::string read_buffers() {
    const Json* buffers = list(root_, "buffers");
    if (buffers == nullptr) return "it has no buffers";
    for (const Json& buffer : *buffers) {
      if (!buffer.is_object()) return "a buffer is no object";
      const auto uri = buffer.find("uri");
      if (uri == buffer.end()) {
        buffers_.emplace_back(binary_);
        continue;
      }
      const std::string text = uri->is_string() ? uri->get<std::string>() : "";
      const std::size_t comma = text.find(";base64,");
      if (!text.starts_with("data:") || comma == std::string::npos)
        return "it keeps its buffer in another file; save it as .glb";
      std::optional<std::string> bytes =
          bytes_from_base64(std::string_view(text).substr(comma + 8));
      if (!bytes) return "its buffer is no base64";
      buffers_.push_back(std::move(*bytes));
    }
    return {};
  }

  // Places a node's mesh and those of its children.
  std::string add_node(const Json& nodes, std::size_t i, const Transform& parent, int depth,
                       OrganSurface& surface) {
    if (depth > most_depth) return "its nodes are nested too deeply";
    const std::optional<Transform> local = local_transform(nodes[i]);
    if (!local) return fmt::format("the transform of node {} is not understood", i);
    const Transform world = combine(parent, *local);
    if (nodes[i].contains("mesh")) {
      const Json* mesh = element("meshes", whole(nodes[i], "mesh"));
      if (mesh == nullptr || !mesh->contains("primitives") || !(*mesh)["primitives"].is_array())
        return fmt::format("node {} has no mesh", i);
      for (const Json& primitive : (*mesh)["primitives"]) {
        if (std::string wrong = add_primitive(primitive, world, surface); !wrong.empty())
          return wrong;
      }
    }
    const auto children = nodes[i].find("children");
    if (children == nodes[i].end()) return {};
    for (const Json& child : *children) {
      std::string wrong = add_node(nodes, child.get<std::size_t>(), world, depth + 1, surface);
      if (!wrong.empty()) return wrong;
    }
    return {};
  }

  // The numbers of an accessor, `size` for each of its elements; none when they do not lie inside
  // their buffer.
  struct Column {
    std::size_t count = 0;
    std::vector<double> numbers;
  };
  std::optional<Column> column(const Json* accessor, std::size_t size) const {
    if (accessor == nullptr) return std::nullopt;
    constexpr std::array types{"", "SCALAR", "VEC2", "VEC3"};
    const auto named = accessor->find("type");
    if (named == accessor->end() || *named != types[size]) return std::nullopt;
    const auto count = whole(*accessor, "count"), type = whole(*accessor, "componentType");
    const auto start = whole(*accessor, "byteOffset", 0);
    const Json* view = element("bufferViews", whole(*accessor, "bufferView"));
    if (!count || !type || !start || view == nullptr || *count > most_vertices * 3)
      return std::nullopt;
    const auto buffer = whole(*view, "buffer"), offset = whole(*view, "byteOffset", 0),
               length = whole(*view, "byteLength");
    std::size_t width = 0;
    switch (*type) {
      case 5121:
        width = 1;
        break;
      case 5123:
        width = 2;
        break;
      case 5125:
      case 5126:
        width = 4;
        break;
      default:
        return std::nullopt;
    }
    const auto stride = whole(*view, "byteStride", width * size);
    if (!buffer || !offset || !length || !stride || *buffer >= buffers_.size() || *stride > 255)
      return std::nullopt;
    const std::string_view bytes = buffers_[*buffer];
    // Each term is far below 2^32 or refused first, so the sums cannot wrap.
    if (*offset > bytes.size() || *length > bytes.size() - *offset || *start > *length)
      return std::nullopt;
    if (*count > 0 && (*count - 1) * *stride + width * size > *length - *start) return std::nullopt;
    const auto normalized_found = accessor->find("normalized");
    const bool fraction = normalized_found != accessor->end() && normalized_found->is_boolean() &&
                          normalized_found->get<bool>();
    Column result{.count = *count, .numbers = {}};
    result.numbers.reserve(*count * size);
    for (std::size_t k = 0; k < *count; ++k) {
      const char* place = bytes.data() + *offset + *start + k * *stride;
      for (std::size_t j = 0; j < size; ++j) {
        const double value = number_at(place + j * width, *type, fraction);
        if (!std::isfinite(value)) return std::nullopt;
        result.numbers.push_back(value);
      }
    }
    return result;
  }

  static double number_at(const char* place, std::size_t type, bool fraction) {
    std::uint8_t byte = 0;
    std::uint16_t two = 0;
    std::uint32_t four = 0;
    float real = 0;
    switch (type) {
      case 5121:
        std::memcpy(&byte, place, 1);
        return fraction ? byte / 255.0 : byte;
      case 5123:
        std::memcpy(&two, place, 2);
        return fraction ? two / 65535.0 : two;
      case 5125:
        std::memcpy(&four, place, 4);
        return four;
      default:
        std::memcpy(&real, place, 4);
        return static_cast<double>(real);
    }
  }

  std::string add_primitive(const Json& primitive, const Transform& world, OrganSurface& surface) {
    if (!primitive.is_object() || whole(primitive, "mode", 4) != std::size_t{4})
      return "only triangles can be read";
    const auto attributes = primitive.find("attributes");
    if (attributes == primitive.end() || !attributes->is_object()) return "a mesh has no vertices";
    const auto read = [&](const char* name, std::size_t size) {
      return column(element("accessors", whole(*attributes, name)), size);
    };
    const std::optional<Column> positions = read("POSITION", 3);
    if (!positions) return "the positions of a mesh are not understood";
    const std::size_t first = surface.positions.size(), count = positions->count;
    if (first + count > most_vertices) return "it has too many vertices";
    for (std::size_t k = 0; k < count; ++k) {
      const double* p = &positions->numbers[3 * k];
      surface.positions.push_back(world.linear * Vec3{p[0], p[1], p[2]} + world.offset);
      if (!is_finite(surface.positions.back())) return "a vertex lies at infinity";
    }
    const std::optional<Column> uvs = read("TEXCOORD_0", 2);
    for (std::size_t k = 0; k < count; ++k) {
      const bool has = uvs && uvs->count == count;
      surface.uvs.push_back({static_cast<float>(has ? uvs->numbers[2 * k] : 0),
                             static_cast<float>(has ? uvs->numbers[2 * k + 1] : 0)});
    }
    std::vector<double> corners;
    if (primitive.contains("indices")) {
      std::optional<Column> indices = column(element("accessors", whole(primitive, "indices")), 1);
      if (!indices) return "the indices of a mesh are not understood";
      corners = std::move(indices->numbers);
    } else {
      for (std::size_t k = 0; k < count; ++k) corners.push_back(static_cast<double>(k));
    }
    if (corners.size() % 3 != 0) return "a triangle lacks a corner";
    for (const double corner : corners) {
      if (corner >= static_cast<double>(count))
        return "a triangle names a vertex that is not there";
      surface.indices.push_back(static_cast<std::uint32_t>(first) +
                                static_cast<std::uint32_t>(corner));
    }
    return {};
  }

  const Json& root_;
  std::string_view binary_;
  std::vector<std::string> buffers_;
};

}  // namespace

Result<OrganSurface> surface_from_gltf(std::string_view bytes, std::string_view file) {
  const auto failure = [&](std::string message) {
    return Diagnostic{.message = std::move(message), .file = std::string(file)};
  };
  const Result<Json> root = read_root(bytes, file);
  if (!root) return root.diagnostics();
  OrganSurface surface;
  if (std::string wrong = MeshReader(*root, binary_chunk(bytes)).read(surface); !wrong.empty())
    return failure("as a mesh: " + wrong);
  // Normals are made anew: those of the file may be missing, and must follow its nodes' transforms.
  compute_normals(surface);
  compute_tangents(surface);
  return surface;
}

}  // namespace thigmo
