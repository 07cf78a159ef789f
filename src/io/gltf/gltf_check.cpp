#include "io/gltf/gltf_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "io/text/scanner.h"

namespace thigmo::gltf {
namespace {

std::uint64_t components_of(std::string_view type) {
  constexpr std::array<std::pair<std::string_view, std::uint64_t>, 7> sizes{{{"SCALAR", 1},
                                                                             {"VEC2", 2},
                                                                             {"VEC3", 3},
                                                                             {"VEC4", 4},
                                                                             {"MAT2", 4},
                                                                             {"MAT3", 9},
                                                                             {"MAT4", 16}}};
  for (const auto& [name, size] : sizes) {
    if (name == type) return size;
  }
  return 0;
}

Result<Done> check_version(const Json& root) {
  const Json* asset = part(root, "asset");
  const std::string_view version = asset != nullptr ? text_of(*asset, "version") : "";
  if (version.empty()) return error("it does not say which version of glTF it is");
  if (version != "2" && !version.starts_with("2."))
    return error(fmt::format("it is glTF {}; only 2.x is understood", version.substr(0, 20)));
  if (!asset->contains("minVersion")) return Done{};
  const std::string_view needed = text_of(*asset, "minVersion");
  if (needed == "2" || needed == "2.0") return Done{};
  return error(
      fmt::format("it needs glTF {} or later; only 2.0 is understood", needed.substr(0, 20)));
}

// How many bytes a buffer has in this file; nothing where they are in another one.
std::optional<std::uint64_t> bytes_there(const Document& document, const Json& buffer,
                                         std::size_t number) {
  if (!buffer.contains("uri")) {
    if (number == 0 && !document.binary.empty()) return document.binary.size();
    return std::nullopt;
  }
  const std::string_view uri = text_of(buffer, "uri");
  const std::string_view data = ";base64,";
  const std::size_t comma = uri.find(data);
  if (!uri.starts_with("data:") || comma == std::string::npos) return std::nullopt;
  const std::size_t end = std::min(uri.find('=', comma + data.size()), uri.size());
  return (end - comma - data.size()) * 3 / 4;
}

Result<Done> check_buffer(const Document& document, const Json& buffer, std::size_t number) {
  const std::optional<std::uint64_t> length = whole(buffer, "byteLength");
  if (!length) return error("has no length");
  const std::optional<std::uint64_t> there = bytes_there(document, buffer, number);
  if (there && *length > *there)
    return error(fmt::format("should have {} bytes, and has {}", *length, *there));
  return Done{};
}

Result<Done> check_view(const Document& document, const Json& view, std::size_t) {
  const Json* buffer = element(document.root(), "buffers", whole(view, "buffer"));
  if (buffer == nullptr) return error("is of no buffer");
  const auto offset = whole(view, "byteOffset", 0), length = whole(view, "byteLength");
  const std::uint64_t size = whole(*buffer, "byteLength").value_or(0);
  if (!offset || !length || *offset > size || *length > size - *offset)
    return error(fmt::format("lies outside its buffer of {} bytes", size));
  return Done{};
}

// Whether `count` elements of so many bytes lie in the view that an object names.
Result<Done> check_place(const Json& root, const Json& from, std::uint64_t count,
                         std::uint64_t size) {
  const Json* view = element(root, "bufferViews", whole(from, "bufferView"));
  if (view == nullptr) return error("is of no buffer view");
  const auto offset = whole(from, "byteOffset", 0);
  const std::uint64_t length = whole(*view, "byteLength").value_or(0);
  const auto stride = whole(*view, "byteStride", size);
  const bool fits = offset && stride && *stride > 0 && *offset <= length &&
                    (count == 0 || (size <= length - *offset &&
                                    count - 1 <= (length - *offset - size) / *stride));
  if (!fits) return error("reaches beyond its buffer view");
  return Done{};
}

Result<Done> check_sparse(const Json& root, const Json& sparse, std::uint64_t count,
                          std::uint64_t size) {
  if (!sparse.is_object()) return error("lacks its count, indices or values");
  const Json *indices = part(sparse, "indices"), *values = part(sparse, "values");
  const auto others = whole(sparse, "count");
  if (!others || indices == nullptr || values == nullptr)
    return error("lacks its count, indices or values");
  if (*others == 0 || *others > count) return error("has a count that is not possible");
  const std::uint64_t type = whole(*indices, "componentType", 0).value_or(0);
  if (type != 5121 && type != 5123 && type != 5125) return error("has indices of no known type");
  if (Result<Done> done = check_place(root, *indices, *others, bytes_of_component(type)); !done)
    return done;
  return check_place(root, *values, *others, size);
}

Result<Done> check_accessor(const Document& document, const Json& accessor, std::size_t) {
  const std::string_view type = text_of(accessor, "type");
  const std::uint64_t components = components_of(type);
  if (components == 0)
    return error(fmt::format("is of the type '{}', which there is not", type.substr(0, 20)));
  const std::uint64_t width = bytes_of_component(whole(accessor, "componentType", 0).value_or(0));
  if (width == 0) return error("has components of no known type");
  const auto count = whole(accessor, "count"), offset = whole(accessor, "byteOffset", 0);
  if (!count || !offset) return error("has no count");
  if (accessor.contains("bufferView")) {
    const Result<Done> done = check_place(document.root(), accessor, *count, components * width);
    if (!done) return done;
  }
  if (!accessor.contains("sparse")) return Done{};
  const Result<Done> done =
      check_sparse(document.root(), accessor["sparse"], *count, components * width);
  if (!done) return blamed("in its sparse part ", done);
  return Done{};
}

// What stands at a vertex under a name, and the types it may have; a name with _ in front is somebody's
// own.
bool may_be(std::string_view name, std::string_view type) {
  if (name.starts_with('_')) return true;
  const auto begins = [name](const char* with) { return name.starts_with(with); };
  if (name == "POSITION" || name == "NORMAL") return type == "VEC3";
  if (begins("TEXCOORD_")) return type == "VEC2";
  if (begins("COLOR_")) return type == "VEC3" || type == "VEC4";
  return (name == "TANGENT" || begins("JOINTS_") || begins("WEIGHTS_")) && type == "VEC4";
}

// Attributes have a value for every vertex of their primitive, of which there are as many as positions,
// or as the first of them; those of morph targets too.
Result<Done> check_attributes(const Json& root, const Json& attributes,
                              std::optional<std::uint64_t>& vertices, bool morph) {
  if (!attributes.is_object()) return error("has attributes that are no object");
  for (const auto& item : attributes.items()) {
    const std::string& name = item.key();
    const Json* accessor = element(root, "accessors", whole(attributes, name.c_str()));
    if (accessor == nullptr) return error(fmt::format("has its {} in no accessor", shown(name)));
    const bool turned = morph && name == "TANGENT";  // those of targets have no handedness
    if (!may_be(turned ? "NORMAL" : std::string_view(name), text_of(*accessor, "type")))
      return error(fmt::format("has {} of another type than it may have", shown(name)));
    const std::uint64_t count = whole(*accessor, "count").value_or(0);
    if (!vertices) vertices = count;
    if (count != *vertices)
      return error(fmt::format("has {} for {} of {} vertices", shown(name), count, *vertices));
  }
  return Done{};
}

Result<Done> check_primitive(const Json& root, const Json& primitive) {
  if (!primitive.is_object()) return error("has a primitive that is no object");
  const Json* attributes = part(primitive, "attributes");
  if (attributes == nullptr) return error("has no attributes");
  std::optional<std::uint64_t> vertices;
  if (const Json* positions = element(root, "accessors", whole(*attributes, "POSITION")))
    vertices = whole(*positions, "count");
  if (Result<Done> done = check_attributes(root, *attributes, vertices, false); !done) return done;
  if (primitive.contains("indices")) {
    const Json* indices = element(root, "accessors", whole(primitive, "indices"));
    if (indices == nullptr || text_of(*indices, "type") != "SCALAR")
      return error("has indices that are no accessor of single numbers");
  }
  if (!primitive.contains("targets")) return Done{};
  const Json* targets = list(primitive, "targets");
  if (targets == nullptr) return error("has morph targets that are no list");
  for (const Json& target : *targets) {
    if (Result<Done> done = check_attributes(root, target, vertices, true); !done) return done;
  }
  return Done{};
}

Result<Done> check_mesh(const Document& document, const Json& mesh, std::size_t) {
  const Json* primitives = list(mesh, "primitives");
  if (primitives == nullptr || primitives->empty()) return error("has no primitives");
  for (const Json& primitive : *primitives) {
    if (Result<Done> done = check_primitive(document.root(), primitive); !done) return done;
  }
  return Done{};
}

Result<Done> check_node(const Document& document, const Json& node, std::size_t) {
  for (const char* key : {"translation", "rotation", "scale"}) {
    if (node.contains("matrix") && node.contains(key))
      return error(fmt::format("has both a matrix and a {}", key));
  }
  for (const auto& [key, lists] : {std::pair{"mesh", "meshes"}, {"skin", "skins"}}) {
    if (node.contains(key) && element(document.root(), lists, whole(node, key)) == nullptr)
      return error(fmt::format("has a {} that is not there", key));
  }
  return Done{};
}

// Whether a list under a key names nodes, each once.
Result<Done> check_nodes(const Json& root, const Json& of, const char* key) {
  const Json* named = list(of, key);
  if (named == nullptr) return error(fmt::format("has {} that are no list", key));
  const Json* nodes = list(root, "nodes");
  const std::size_t count = nodes != nullptr ? nodes->size() : 0;
  std::vector<Index> numbers;
  for (const Json& one : *named) {
    const std::optional<Index> node = reference(one, count);
    if (!node) return error(fmt::format("names a node among its {} that is not there", key));
    numbers.push_back(*node);
  }
  std::sort(numbers.begin(), numbers.end());
  const auto twice = std::adjacent_find(numbers.begin(), numbers.end());
  if (twice == numbers.end()) return Done{};
  return error(fmt::format("names node {} twice among its {}", *twice, key));
}

Result<Done> check_scene(const Document& document, const Json& scene, std::size_t) {
  if (!scene.contains("nodes")) return Done{};
  return check_nodes(document.root(), scene, "nodes");
}

Result<Done> check_skin(const Document& document, const Json& skin, std::size_t) {
  if (Result<Done> done = check_nodes(document.root(), skin, "joints"); !done) return done;
  if (!skin.contains("inverseBindMatrices")) return Done{};
  const Json* matrices = element(document.root(), "accessors", whole(skin, "inverseBindMatrices"));
  if (matrices == nullptr) return error("has bind matrices in no accessor");
  if (text_of(*matrices, "type") != "MAT4" ||
      whole(*matrices, "count").value_or(0) < list(skin, "joints")->size())
    return error("has no bind matrix for every joint");
  return Done{};
}

}  // namespace

std::uint64_t bytes_of_component(std::uint64_t type) {
  switch (type) {
    case 5120:
    case 5121:
      return 1;
    case 5122:
    case 5123:
      return 2;
    case 5125:
    case 5126:
      return 4;
    default:
      return 0;
  }
}

Result<Done> check_document(const Document& document) {
  if (Result<Done> done = check_version(document.root()); !done) return done;
  using Check = Result<Done> (*)(const Document&, const Json&, std::size_t);
  struct Kind {
    const char *key, *name;
    Check check;
  };
  constexpr Kind kinds[] = {{"buffers", "buffer", check_buffer},
                            {"bufferViews", "buffer view", check_view},
                            {"accessors", "accessor", check_accessor},
                            {"meshes", "mesh", check_mesh},
                            {"nodes", "node", check_node},
                            {"skins", "skin", check_skin},
                            {"scenes", "scene", check_scene}};
  for (const auto& [key, name, check] : kinds) {
    const Json* all = list(document.root(), key);
    for (std::size_t i = 0; all != nullptr && i < all->size(); ++i) {
      if (!(*all)[i].is_object())
        return error(fmt::format("an element of its {} is no object", key));
      if (const Result<Done> done = check(document, (*all)[i], i); !done)
        return blamed(fmt::format("{} {} ", name, i), done);
    }
  }
  const Json& root = document.root();
  if (root.contains("scene") && element(root, "scenes", whole(root, "scene")) == nullptr)
    return error("it shows a scene that is not there");
  return Done{};
}

}  // namespace thigmo::gltf
