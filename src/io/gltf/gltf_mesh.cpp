#include "io/gltf/gltf_mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>

#include "io/gltf/gltf_accessors.h"
#include "io/gltf/gltf_check.h"
#include "io/gltf/gltf_nodes.h"
#include "io/text/scanner.h"
#include "mesh/organ.h"

namespace thigmo {
namespace {

using namespace gltf;

constexpr double most_vertices = 10'000'000;

// Extensions that change only how a surface looks, or that are read.
bool is_harmless(std::string_view extension) {
  constexpr std::array known{"KHR_mesh_quantization", "KHR_texture_transform",
                             "KHR_lights_punctual",   "KHR_texture_basisu",
                             "KHR_xmp_json_ld",       "EXT_texture_webp"};
  return extension.starts_with("KHR_materials_") ||
         std::find(known.begin(), known.end(), extension) != known.end();
}

Result<Done> check_extensions(const Json& root) {
  if (!root.contains("extensionsRequired")) return Done{};
  const Json* required = list(root, "extensionsRequired");
  if (required == nullptr) return error("the extensions that it needs are no list");
  for (const Json& name : *required) {
    const std::string text = name.is_string() ? name.get<std::string>() : "?";
    if (!is_harmless(text))
      return error(fmt::format(
          "it needs the extension '{}', which is not understood; export it without", shown(text)));
  }
  return Done{};
}

// Whether a mesh or node gives weight to morph targets, which are not read.
bool is_morphed(const Json& of) {
  const Json* weights = list(of, "weights");
  return weights != nullptr &&
         std::any_of(weights->begin(), weights->end(), [](const Json& w) { return w != 0; });
}

// The meshes with where their nodes place them.
struct PlacedMesh {
  const Json* primitives = nullptr;
  Transform world_from;
};
Result<std::vector<PlacedMesh>> placed_meshes(const Json& root, const Nodes& nodes) {
  std::vector<PlacedMesh> placed;
  for (const Index i : nodes.order) {
    const auto number = static_cast<std::size_t>(i);
    const Json& node = (*nodes.list)[number];
    const Json* mesh = element(root, "meshes", whole(node, "mesh"));
    if (mesh == nullptr) continue;
    if (is_morphed(node) || is_morphed(*mesh))
      return error(fmt::format(
          "the mesh of node {} is morphed; apply its shape keys before it is saved", i));
    placed.push_back({list(*mesh, "primitives"), nodes.world_from[number]});
  }
  return placed;
}

const Json* positions_of(const Json& root, const Json& primitive) {
  return element(root, "accessors", whole(primitive["attributes"], "POSITION"));
}

double count_of(const Json* accessor) {
  return accessor == nullptr ? 0 : static_cast<double>(whole(*accessor, "count").value_or(0));
}

// Asks for the memory of all meshes before any is read: one of a million corners may stand in a
// thousand nodes.
Result<Done> reserve_for(const Json& root, const std::vector<PlacedMesh>& placed, Budget& budget,
                         OrganSurface& surface) {
  struct Size {
    double vertices = 0, corners = 0, primitives = 0;
  };
  std::map<const Json*, Size> sizes;
  Size all;
  for (const PlacedMesh& mesh : placed) {
    const auto [found, is_new] = sizes.try_emplace(mesh.primitives);
    Size& size = found->second;
    if (is_new) {
      for (const Json& primitive : *mesh.primitives) {
        const double vertices = count_of(positions_of(root, primitive));
        size.vertices += vertices;
        size.corners += primitive.contains("indices")
                            ? count_of(element(root, "accessors", whole(primitive, "indices")))
                            : vertices;
        size.primitives += 1;
      }
    }
    all.vertices += size.vertices;
    all.corners += size.corners;
    all.primitives += size.primitives;
  }
  if (all.vertices > most_vertices) return error("it has too many vertices");
  // A vertex: position, normal, tangent and texture, and what is read of them; a corner: its index
  // and what it was read as.
  for (const auto& [count, bytes, what] : {std::tuple{all.primitives, 100.0, "meshes"},
                                           {all.vertices, 160.0, "vertices"},
                                           {all.corners, 16.0, "corners of triangles"}}) {
    if (Result<Done> done = spend(budget, count, bytes, what); !done) return done;
  }
  surface.positions.reserve(static_cast<std::size_t>(all.vertices));
  surface.uvs.reserve(static_cast<std::size_t>(all.vertices));
  surface.indices.reserve(static_cast<std::size_t>(all.corners));
  return Done{};
}

Result<Done> add_vertices(const Json& root, const Buffers& buffers, const Json& primitive,
                          const Transform& world_from, OrganSurface& surface) {
  const std::optional<Column> positions =
      read_column(root, buffers, positions_of(root, primitive), 3);
  if (!positions) return error("the positions of a mesh are not understood");
  for (std::size_t k = 0; k < positions->count; ++k) {
    const double* p = &positions->numbers[3 * k];
    const Vec3 q = world_from.linear * Vec3{p[0], p[1], p[2]} + world_from.offset;
    if (!(std::max({std::abs(q.x), std::abs(q.y), std::abs(q.z)}) <= farthest_vertex))
      return error("a vertex lies at infinity");
    surface.positions.push_back(q);
  }
  const Json& attributes = primitive["attributes"];
  if (!attributes.contains("TEXCOORD_0")) {
    surface.uvs.resize(surface.positions.size());
    return Done{};
  }
  const std::optional<Column> uvs =
      read_column(root, buffers, element(root, "accessors", whole(attributes, "TEXCOORD_0")), 2);
  if (!uvs || uvs->count != positions->count ||
      std::any_of(uvs->numbers.begin(), uvs->numbers.end(),
                  [](double t) { return std::abs(t) > farthest_vertex; }))
    return error("the texture coordinates of a mesh are not understood");
  for (std::size_t k = 0; k < uvs->count; ++k) {
    surface.uvs.push_back(
        {static_cast<float>(uvs->numbers[2 * k]), static_cast<float>(uvs->numbers[2 * k + 1])});
  }
  return Done{};
}

// The triangles of a primitive whose vertices begin at `first`.
Result<Done> add_triangles(const Json& root, const Buffers& buffers, const Json& primitive,
                           std::size_t first, OrganSurface& surface) {
  const std::size_t count = surface.positions.size() - first;
  std::vector<double> corners;
  if (primitive.contains("indices")) {
    std::optional<Column> indices =
        read_column(root, buffers, element(root, "accessors", whole(primitive, "indices")), 1);
    if (!indices) return error("the indices of a mesh are not understood");
    corners = std::move(indices->numbers);
  } else {
    for (std::size_t k = 0; k < count; ++k) corners.push_back(static_cast<double>(k));
  }
  if (corners.size() % 3 != 0) return error("a triangle lacks a corner");
  for (const double corner : corners) {
    if (!(corner >= 0) || corner >= static_cast<double>(count))
      return error("a triangle names a vertex that is not there");
    surface.indices.push_back(static_cast<std::uint32_t>(first) +
                              static_cast<std::uint32_t>(corner));
  }
  return Done{};
}

Result<OrganSurface> read_surface(const Document& document, Budget& budget) {
  const Json& root = document.root();
  if (const Result<Done> done = check_extensions(root); !done) return done.diagnostics();
  const Result<Buffers> buffers = read_buffers(document);
  if (!buffers) return buffers.diagnostics();
  if (const Result<Done> done = check_document(document); !done) return done.diagnostics();
  const Result<Nodes> nodes = read_nodes(root);
  if (!nodes) return nodes.diagnostics();
  const Result<std::vector<PlacedMesh>> placed = placed_meshes(root, *nodes);
  if (!placed) return placed.diagnostics();
  OrganSurface surface;
  if (const Result<Done> done = reserve_for(root, *placed, budget, surface); !done)
    return done.diagnostics();
  for (const PlacedMesh& mesh : *placed) {
    for (const Json& primitive : *mesh.primitives) {
      if (whole(primitive, "mode", 4) != std::uint64_t{4})
        return error("only triangles can be read");
      const std::size_t first = surface.positions.size();
      Result<Done> done = add_vertices(root, *buffers, primitive, mesh.world_from, surface);
      if (done) done = add_triangles(root, *buffers, primitive, first, surface);
      if (!done) return done.diagnostics();
    }
  }
  if (surface.indices.empty()) return error("it has no triangles");
  return surface;
}

}  // namespace

Result<OrganSurface> surface_from_gltf(std::string_view bytes, std::string_view file) {
  Budget budget{.file = std::string(file), .bytes = most_organ_bytes};
  const Result<Document> document = read_document(bytes, file, budget);
  if (!document) return document.diagnostics();
  Result<OrganSurface> surface = read_surface(*document, budget);
  if (!surface) {
    Diagnostic reason = blamed("as a mesh: ", surface);
    reason.file = file;
    return reason;
  }
  // Normals are made anew: those of the file may be missing, and must follow its nodes' transforms.
  compute_normals(*surface);
  compute_tangents(*surface);
  return surface;
}

}  // namespace thigmo
