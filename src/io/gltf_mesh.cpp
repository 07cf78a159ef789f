#include "io/gltf_mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <map>
#include <string>
#include <tuple>

#include "io/gltf_check.h"
#include "io/gltf_nodes.h"
#include "io/json_text.h"
#include "io/scanner.h"
#include "mesh/organ.h"

namespace thigmo {
namespace {

using namespace gltf;

constexpr std::size_t most_vertices = 10'000'000;
constexpr std::size_t most_corners = 400'000'000;
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

// Extensions that change only how a surface looks, or that are read.
bool is_harmless(std::string_view extension) {
  constexpr std::array known{"KHR_mesh_quantization", "KHR_texture_transform",
                             "KHR_lights_punctual",   "KHR_texture_basisu",
                             "KHR_xmp_json_ld",       "EXT_texture_webp"};
  return extension.starts_with("KHR_materials_") ||
         std::find(known.begin(), known.end(), extension) != known.end();
}

// Reads meshes through the failure of the first thing that is wrong.
class MeshReader {
 public:
  MeshReader(const Json& root, std::string_view binary, Budget& budget)
      : root_(root), binary_(binary), budget_(budget) {}

  std::string read(OrganSurface& surface) {
    if (std::string wrong = check_extensions(); !wrong.empty()) return wrong;
    if (std::string wrong = read_buffers(); !wrong.empty()) return wrong;
    if (std::string wrong = find_fault(root_, binary_); !wrong.empty()) return wrong;
    if (std::string wrong = place_nodes(); !wrong.empty()) return wrong;
    if (std::string wrong = count_meshes(surface); !wrong.empty()) return wrong;
    for (const PlacedMesh& placed : placed_) {
      for (const Json& primitive : (*placed.mesh)["primitives"]) {
        if (std::string wrong = add_primitive(primitive, placed.world, surface); !wrong.empty())
          return wrong;
      }
    }
    return surface.indices.empty() ? "it has no triangles" : "";
  }

 private:
  struct PlacedMesh {
    const Json* mesh = nullptr;
    Transform world;
  };

  const Json* element(const char* key, std::optional<std::uint64_t> number) const {
    return gltf::element(root_, key, number);
  }

  std::string check_extensions() const {
    if (!root_.contains("extensionsRequired")) return {};
    const Json* required = list(root_, "extensionsRequired");
    if (required == nullptr) return "the extensions that it needs are no list";
    for (const Json& name : *required) {
      const std::string text = name.is_string() ? name.get<std::string>() : "?";
      if (!is_harmless(text))
        return fmt::format(
            "it needs the extension '{}', which is not understood; export it without", shown(text));
    }
    return {};
  }

  // Only the first buffer of a GLB is its BIN chunk; others without a URI hold nothing.
  std::string read_buffers() {
    const Json* buffers = list(root_, "buffers");
    if (buffers == nullptr) return "it has no buffers";
    for (std::size_t i = 0; i < buffers->size(); ++i) {
      const Json& buffer = (*buffers)[i];
      if (!buffer.is_object()) return "a buffer is no object";
      const auto uri = buffer.find("uri");
      if (uri == buffer.end()) {
        buffers_.push_back(i == 0 ? binary_ : std::string_view());
        continue;
      }
      const std::string_view text =
          uri->is_string() ? std::string_view(uri->get_ref<const std::string&>()) : "";
      const std::size_t comma = text.find(";base64,");
      if (!text.starts_with("data:") || comma == std::string::npos)
        return "it keeps its buffer in another file; save it as .glb";
      std::optional<std::string> bytes = bytes_from_base64(text.substr(comma + 8));
      if (!bytes) return "its buffer is no base64";
      buffers_.push_back(decoded_.emplace_back(std::move(*bytes)));
    }
    return {};
  }

  // Whether a mesh or node gives weight to morph targets, which are not read.
  static bool is_morphed(const Json& of) {
    const Json* weights = list(of, "weights");
    return weights != nullptr &&
           std::any_of(weights->begin(), weights->end(), [](const Json& w) { return w != 0; });
  }

  // The meshes with where their nodes place them.
  std::string place_nodes() {
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
    struct Visit {
      std::size_t node;
      Transform parent;
      int depth;
    };
    std::vector<Visit> stack;
    for (std::size_t i = nodes->size(); i-- > 0;) {
      if (!is_child[i]) stack.push_back({i, {}, 0});
    }
    std::size_t reached = 0;
    while (!stack.empty()) {
      const Visit visit = stack.back();
      stack.pop_back();
      ++reached;
      if (visit.depth > most_depth) return "its nodes are nested too deeply";
      const Json& node = (*nodes)[visit.node];
      const std::optional<Transform> local = local_transform(node);
      if (!local) return fmt::format("the transform of node {} is not understood", visit.node);
      const Transform world = combine(visit.parent, *local);
      if (node.contains("mesh")) {
        const Json* mesh = element("meshes", whole(node, "mesh"));
        if (mesh == nullptr || !mesh->contains("primitives") || !(*mesh)["primitives"].is_array())
          return fmt::format("node {} has no mesh", visit.node);
        if (is_morphed(node) || is_morphed(*mesh))
          return fmt::format(
              "the mesh of node {} is morphed; apply its shape keys before it is saved",
              visit.node);
        placed_.push_back({mesh, world});
      }
      const auto children = node.find("children");
      if (children == node.end()) continue;
      for (std::size_t k = children->size(); k-- > 0;)
        stack.push_back({(*children)[k].get<std::size_t>(), world, visit.depth + 1});
    }
    // Nodes on a loop hang on no root.
    return reached == nodes->size() ? "" : "its nodes form a loop";
  }

  // Asks for the memory of all meshes before any is read: one of a million corners may stand in a
  // thousand nodes.
  std::string count_meshes(OrganSurface& surface) {
    struct Size {
      double vertices = 0, corners = 0, primitives = 0;
    };
    std::map<const Json*, Size> sizes;
    Size all;
    for (const PlacedMesh& placed : placed_) {
      const auto [found, is_new] = sizes.try_emplace(placed.mesh);
      Size& size = found->second;
      if (is_new) {
        for (const Json& primitive : (*placed.mesh)["primitives"]) {
          const double vertices = count_of(primitive, true), corners = count_of(primitive, false);
          size.vertices += vertices;
          size.corners += corners;
          size.primitives += 1;
        }
      }
      all.vertices += size.vertices;
      all.corners += size.corners;
      all.primitives += size.primitives;
    }
    if (all.vertices > static_cast<double>(most_vertices)) return "it has too many vertices";
    // A vertex: position, normal, tangent and texture, and what is read of them; a corner: its index
    // and what it was read as.
    for (const auto& [count, bytes, what] : {std::tuple{all.primitives, 100.0, "meshes"},
                                             {all.vertices, 160.0, "vertices"},
                                             {all.corners, 16.0, "corners of triangles"}}) {
      if (const Result<Done> done = spend(budget_, count, bytes, what); !done)
        return done.diagnostics().front().message;
    }
    surface.positions.reserve(static_cast<std::size_t>(all.vertices));
    surface.uvs.reserve(static_cast<std::size_t>(all.vertices));
    surface.indices.reserve(static_cast<std::size_t>(all.corners));
    return {};
  }

  // How many vertices or corners a primitive has; 0 where it is not understood, which is said later.
  double count_of(const Json& primitive, bool vertices) const {
    if (!primitive.is_object()) return 0;
    const auto attributes = primitive.find("attributes");
    const Json* accessor = nullptr;
    if (!vertices && primitive.contains("indices")) {
      accessor = element("accessors", whole(primitive, "indices"));
    } else if (attributes != primitive.end() && attributes->is_object()) {
      accessor = element("accessors", whole(*attributes, "POSITION"));
    }
    if (accessor == nullptr) return 0;
    return static_cast<double>(whole(*accessor, "count").value_or(0));
  }

  // Where `count` elements of so many bytes lie.
  struct Place {
    const char* first = nullptr;
    std::size_t stride = 0;
  };
  std::optional<Place> place_of(const Json& from, std::uint64_t count,
                                std::size_t bytes_each) const {
    const Json* view = element("bufferViews", whole(from, "bufferView"));
    const auto start = whole(from, "byteOffset", 0);
    if (view == nullptr || !start) return std::nullopt;
    const auto buffer = whole(*view, "buffer"), offset = whole(*view, "byteOffset", 0),
               length = whole(*view, "byteLength"), stride = whole(*view, "byteStride", bytes_each);
    if (!buffer || !offset || !length || !stride || *buffer >= buffers_.size() || *stride > 255)
      return std::nullopt;
    const std::string_view bytes = buffers_[*buffer];
    // Each term is far below 2^32 or refused first, so the sums cannot wrap.
    if (*offset > bytes.size() || *length > bytes.size() - *offset || *start > *length)
      return std::nullopt;
    if (count > 0 && (count - 1) * *stride + bytes_each > *length - *start) return std::nullopt;
    return Place{.first = bytes.data() + *offset + *start, .stride = *stride};
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
    if (!count || !type || *count > most_corners) return std::nullopt;
    const std::size_t width = bytes_of_component(*type);
    if (width == 0) return std::nullopt;
    const auto normalized_found = accessor->find("normalized");
    const bool fraction = normalized_found != accessor->end() && normalized_found->is_boolean() &&
                          normalized_found->get<bool>();
    Column result{.count = *count, .numbers = {}};
    result.numbers.assign(*count * size, 0.0);
    const auto read_element = [&](const char* place, std::size_t k) {
      for (std::size_t j = 0; j < size; ++j) {
        const double value = number_at(place + j * width, *type, fraction);
        if (!std::isfinite(value)) return false;
        result.numbers[k * size + j] = value;
      }
      return true;
    };
    // Without a view all numbers are zero.
    if (accessor->contains("bufferView")) {
      const std::optional<Place> place = place_of(*accessor, *count, width * size);
      if (!place) return std::nullopt;
      for (std::size_t k = 0; k < *count; ++k) {
        if (!read_element(place->first + k * place->stride, k)) return std::nullopt;
      }
    }
    const auto sparse = accessor->find("sparse");
    if (sparse == accessor->end()) return result;
    // Some elements stand elsewhere: their numbers, which ascend, and their values.
    if (!sparse->is_object() || !sparse->contains("indices") || !sparse->contains("values"))
      return std::nullopt;
    const Json &indices = (*sparse)["indices"], &values = (*sparse)["values"];
    if (!indices.is_object() || !values.is_object()) return std::nullopt;
    const auto others = whole(*sparse, "count"), index_type = whole(indices, "componentType");
    if (!others || *others == 0 || *others > *count || !index_type ||
        (*index_type != 5121 && *index_type != 5123 && *index_type != 5125))
      return std::nullopt;
    const std::optional<Place> numbers =
                                   place_of(indices, *others, bytes_of_component(*index_type)),
                               contents = place_of(values, *others, width * size);
    if (!numbers || !contents) return std::nullopt;
    double before = -1;
    for (std::size_t k = 0; k < *others; ++k) {
      const double index = number_at(numbers->first + k * numbers->stride, *index_type, false);
      if (!(index > before) || !(index < static_cast<double>(*count))) return std::nullopt;
      before = index;
      if (!read_element(contents->first + k * contents->stride, static_cast<std::size_t>(index)))
        return std::nullopt;
    }
    return result;
  }

  template <class T>
  static double value_at(const char* place) {
    T value{};
    std::memcpy(&value, place, sizeof value);
    return static_cast<double>(value);
  }

  // A normalized whole number is a part of the largest of its kind.
  static double number_at(const char* place, std::uint64_t type, bool fraction) {
    switch (type) {
      case 5120:
        return fraction ? std::max(value_at<std::int8_t>(place) / 127, -1.0)
                        : value_at<std::int8_t>(place);
      case 5121:
        return value_at<std::uint8_t>(place) / (fraction ? 255 : 1);
      case 5122:
        return fraction ? std::max(value_at<std::int16_t>(place) / 32767, -1.0)
                        : value_at<std::int16_t>(place);
      case 5123:
        return value_at<std::uint16_t>(place) / (fraction ? 65535 : 1);
      case 5125:
        return value_at<std::uint32_t>(place);
      default:
        return value_at<float>(place);
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
    for (std::size_t k = 0; k < count; ++k) {
      const double* p = &positions->numbers[3 * k];
      surface.positions.push_back(world.linear * Vec3{p[0], p[1], p[2]} + world.offset);
      const Vec3& q = surface.positions.back();
      if (!(std::max({std::abs(q.x), std::abs(q.y), std::abs(q.z)}) <= farthest_vertex))
        return "a vertex lies at infinity";
    }
    std::optional<Column> uvs;
    if (attributes->contains("TEXCOORD_0")) {
      uvs = read("TEXCOORD_0", 2);
      if (!uvs || std::any_of(uvs->numbers.begin(), uvs->numbers.end(),
                              [](double t) { return std::abs(t) > farthest_vertex; }))
        return "the texture coordinates of a mesh are not understood";
    }
    for (std::size_t k = 0; k < count; ++k) {
      const bool has = uvs.has_value();
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
      if (!(corner >= 0) || corner >= static_cast<double>(count))
        return "a triangle names a vertex that is not there";
      surface.indices.push_back(static_cast<std::uint32_t>(first) +
                                static_cast<std::uint32_t>(corner));
    }
    return {};
  }

  const Json& root_;
  std::string_view binary_;
  Budget& budget_;
  std::vector<std::string_view> buffers_;
  std::deque<std::string> decoded_;  // of data: URIs
  std::vector<PlacedMesh> placed_;
};

}  // namespace

Result<OrganSurface> surface_from_gltf(std::string_view bytes, std::string_view file) {
  const auto failure = [&](std::string message) {
    return Diagnostic{.message = std::move(message), .file = std::string(file)};
  };
  Budget budget{.file = std::string(file), .bytes = most_organ_bytes};
  const Result<ParsedJson> parsed = read_root(bytes, file, budget);
  if (!parsed) return parsed.diagnostics();
  const Json& root = parsed->root;
  OrganSurface surface;
  if (std::string wrong = MeshReader(root, binary_chunk(bytes), budget).read(surface);
      !wrong.empty())
    return failure("as a mesh: " + wrong);
  // Normals are made anew: those of the file may be missing, and must follow its nodes' transforms.
  compute_normals(surface);
  compute_tangents(surface);
  return surface;
}

}  // namespace thigmo
