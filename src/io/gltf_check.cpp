#include "io/gltf_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "io/scanner.h"

namespace thigmo::gltf {

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

std::string text_of(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

class Checker {
 public:
  Checker(const Json& root, std::string_view binary) : root_(root), binary_(binary) {}

  std::string find_fault() const {
    std::string wrong = check_version();
    const auto each = [&](const char* key, auto check) {
      const Json* all = list(root_, key);
      for (std::size_t i = 0; all != nullptr && i < all->size() && wrong.empty(); ++i) {
        wrong = (*all)[i].is_object() ? (this->*check)((*all)[i], i)
                                      : fmt::format("an element of its {} is no object", key);
      }
    };
    each("buffers", &Checker::check_buffer);
    each("bufferViews", &Checker::check_view);
    each("accessors", &Checker::check_accessor);
    each("meshes", &Checker::check_mesh);
    each("nodes", &Checker::check_node);
    each("skins", &Checker::check_skin);
    each("scenes", &Checker::check_scene);
    if (wrong.empty() && root_.contains("scene") &&
        element("scenes", whole(root_, "scene")) == nullptr)
      wrong = "it shows a scene that is not there";
    return wrong;
  }

 private:
  const Json* element(const char* key, std::optional<std::uint64_t> number) const {
    return gltf::element(root_, key, number);
  }

  std::string check_version() const {
    const auto asset = root_.find("asset");
    const bool told = asset != root_.end() && asset->is_object();
    const std::string version = told ? text_of(*asset, "version") : "";
    if (version.empty()) return "it does not say which version of glTF it is";
    if (version != "2" && !version.starts_with("2."))
      return fmt::format("it is glTF {}; only 2.x is understood", version.substr(0, 20));
    if (!asset->contains("minVersion")) return {};
    const std::string needed = text_of(*asset, "minVersion");
    if (needed == "2" || needed == "2.0") return {};
    return fmt::format("it needs glTF {} or later; only 2.0 is understood", needed.substr(0, 20));
  }

  std::string check_buffer(const Json& buffer, std::size_t i) const {
    const std::optional<std::uint64_t> length = whole(buffer, "byteLength");
    if (!length) return fmt::format("buffer {} has no length", i);
    std::optional<std::uint64_t> there;
    const std::string_view data = ";base64,";
    const auto uri = buffer.find("uri");
    if (uri == buffer.end()) {
      if (i == 0 && !binary_.empty()) there = binary_.size();
    } else if (uri->is_string()) {
      const std::string& text = uri->get_ref<const std::string&>();
      const std::size_t comma = text.find(data);
      if (text.starts_with("data:") && comma != std::string::npos) {
        const std::size_t end = std::min(text.find('=', comma + data.size()), text.size());
        there = (end - comma - data.size()) * 3 / 4;
      }
    }
    if (there && *length > *there)
      return fmt::format("buffer {} should have {} bytes, and has {}", i, *length, *there);
    return {};
  }

  std::string check_view(const Json& view, std::size_t i) const {
    const Json* buffer = element("buffers", whole(view, "buffer"));
    if (buffer == nullptr) return fmt::format("buffer view {} is of no buffer", i);
    const auto offset = whole(view, "byteOffset", 0), length = whole(view, "byteLength");
    const std::uint64_t size = whole(*buffer, "byteLength").value_or(0);
    if (!offset || !length || *offset > size || *length > size - *offset)
      return fmt::format("buffer view {} lies outside its buffer of {} bytes", i, size);
    return {};
  }

  std::string check_accessor(const Json& accessor, std::size_t i) const {
    const std::string type = text_of(accessor, "type");
    const std::uint64_t components = components_of(type);
    if (components == 0)
      return fmt::format("accessor {} is of the type '{}', which there is not", i,
                         type.substr(0, 20));
    const std::uint64_t width = bytes_of_component(whole(accessor, "componentType", 0).value_or(0));
    if (width == 0) return fmt::format("accessor {} has components of no known type", i);
    const auto count = whole(accessor, "count"), offset = whole(accessor, "byteOffset", 0);
    if (!count || !offset) return fmt::format("accessor {} has no count", i);
    if (accessor.contains("bufferView")) {
      const std::string wrong = check_place(accessor, *count, components * width);
      if (!wrong.empty()) return fmt::format("accessor {} {}", i, wrong);
    }
    if (!accessor.contains("sparse")) return {};
    const std::string wrong = check_sparse(accessor["sparse"], *count, components * width);
    return wrong.empty() ? "" : fmt::format("the sparse part of accessor {} {}", i, wrong);
  }

  // Whether `count` elements of so many bytes lie in the view that an object names.
  std::string check_place(const Json& from, std::uint64_t count, std::uint64_t size) const {
    const Json* view = element("bufferViews", whole(from, "bufferView"));
    if (view == nullptr) return "is of no buffer view";
    const auto offset = whole(from, "byteOffset", 0);
    const std::uint64_t length = whole(*view, "byteLength").value_or(0);
    const auto stride = whole(*view, "byteStride", size);
    const bool fits = offset && stride && *stride > 0 && *offset <= length &&
                      (count == 0 || (size <= length - *offset &&
                                      count - 1 <= (length - *offset - size) / *stride));
    return fits ? "" : "reaches beyond its buffer view";
  }

  std::string check_sparse(const Json& sparse, std::uint64_t count, std::uint64_t size) const {
    const auto part = [&](const char* key) -> const Json* {
      const auto found = sparse.is_object() ? sparse.find(key) : sparse.end();
      return found != sparse.end() && found->is_object() ? &*found : nullptr;
    };
    const Json *indices = part("indices"), *values = part("values");
    const auto others = indices != nullptr ? whole(sparse, "count") : std::nullopt;
    if (!others || values == nullptr) return "lacks its count, indices or values";
    if (*others == 0 || *others > count) return "has a count that is not possible";
    const std::uint64_t type = whole(*indices, "componentType", 0).value_or(0);
    if (type != 5121 && type != 5123 && type != 5125) return "has indices of no known type";
    std::string wrong = check_place(*indices, *others, bytes_of_component(type));
    if (wrong.empty()) wrong = check_place(*values, *others, size);
    return wrong;
  }

  // What stands at a vertex under a name, and the types it may have; a name with _ in front is somebody's own.
  static bool may_be(std::string_view name, std::string_view type) {
    if (name.starts_with('_')) return true;
    const auto begins = [name](const char* with) { return name.starts_with(with); };
    if (name == "POSITION" || name == "NORMAL") return type == "VEC3";
    if (begins("TEXCOORD_")) return type == "VEC2";
    if (begins("COLOR_")) return type == "VEC3" || type == "VEC4";
    return (name == "TANGENT" || begins("JOINTS_") || begins("WEIGHTS_")) && type == "VEC4";
  }

  // Attributes have a value for every vertex of their primitive, of which there are as many as positions,
  // or as the first of them; those of morph targets too.
  std::string check_attributes(const Json& attributes, std::optional<std::uint64_t>& vertices,
                               bool morph) const {
    if (!attributes.is_object()) return "has attributes that are no object";
    for (const auto& item : attributes.items()) {
      const std::string& name = item.key();
      const Json* accessor = element("accessors", whole(attributes, name.c_str()));
      if (accessor == nullptr) return fmt::format("has its {} in no accessor", shown(name));
      const bool turned = morph && name == "TANGENT";  // those of targets have no handedness
      if (!may_be(turned ? "NORMAL" : std::string_view(name), text_of(*accessor, "type")))
        return fmt::format("has {} of another type than it may have", shown(name));
      const std::uint64_t count = whole(*accessor, "count").value_or(0);
      if (!vertices) vertices = count;
      if (count != *vertices)
        return fmt::format("has {} for {} of {} vertices", shown(name), count, *vertices);
    }
    return {};
  }

  std::string check_primitive(const Json& primitive) const {
    if (!primitive.is_object()) return "has a primitive that is no object";
    const auto attributes = primitive.find("attributes");
    if (attributes == primitive.end() || !attributes->is_object()) return "has no attributes";
    std::optional<std::uint64_t> vertices;
    if (const Json* positions = element("accessors", whole(*attributes, "POSITION")))
      vertices = whole(*positions, "count");
    if (std::string wrong = check_attributes(*attributes, vertices, false); !wrong.empty())
      return wrong;
    if (primitive.contains("indices")) {
      const Json* indices = element("accessors", whole(primitive, "indices"));
      if (indices == nullptr || text_of(*indices, "type") != "SCALAR")
        return "has indices that are no accessor of single numbers";
    }
    if (!primitive.contains("targets")) return {};
    const Json* targets = list(primitive, "targets");
    if (targets == nullptr) return "has morph targets that are no list";
    for (const Json& target : *targets) {
      if (std::string wrong = check_attributes(target, vertices, true); !wrong.empty())
        return wrong;
    }
    return {};
  }

  std::string check_mesh(const Json& mesh, std::size_t i) const {
    const Json* primitives = list(mesh, "primitives");
    if (primitives == nullptr || primitives->empty())
      return fmt::format("mesh {} has no primitives", i);
    for (const Json& primitive : *primitives) {
      if (std::string wrong = check_primitive(primitive); !wrong.empty())
        return fmt::format("mesh {} {}", i, wrong);
    }
    return {};
  }

  std::string check_node(const Json& node, std::size_t i) const {
    for (const char* part : {"translation", "rotation", "scale"}) {
      if (node.contains("matrix") && node.contains(part))
        return fmt::format("node {} has both a matrix and a {}", i, part);
    }
    for (const auto& [key, lists] : {std::pair{"mesh", "meshes"}, {"skin", "skins"}}) {
      if (node.contains(key) && element(lists, whole(node, key)) == nullptr)
        return fmt::format("node {} has a {} that is not there", i, key);
    }
    return {};
  }

  // Whether a list under a key names nodes, each once.
  std::string check_nodes(const Json& of, const char* key) const {
    const Json* named = list(of, key);
    if (named == nullptr) return fmt::format("has {} that are no list", key);
    const Json* nodes = list(root_, "nodes");
    const std::size_t count = nodes != nullptr ? nodes->size() : 0;
    std::vector<Index> numbers;
    for (const Json& one : *named) {
      const std::optional<Index> node = reference(one, count);
      if (!node) return fmt::format("names a node among its {} that is not there", key);
      numbers.push_back(*node);
    }
    std::sort(numbers.begin(), numbers.end());
    const auto twice = std::adjacent_find(numbers.begin(), numbers.end());
    return twice == numbers.end() ? ""
                                  : fmt::format("names node {} twice among its {}", *twice, key);
  }

  std::string check_scene(const Json& scene, std::size_t i) const {
    if (!scene.contains("nodes")) return {};
    const std::string wrong = check_nodes(scene, "nodes");
    return wrong.empty() ? "" : fmt::format("scene {} {}", i, wrong);
  }

  std::string check_skin(const Json& skin, std::size_t i) const {
    if (const std::string wrong = check_nodes(skin, "joints"); !wrong.empty())
      return fmt::format("skin {} {}", i, wrong);
    if (!skin.contains("inverseBindMatrices")) return {};
    const Json* matrices = element("accessors", whole(skin, "inverseBindMatrices"));
    if (matrices == nullptr) return fmt::format("skin {} has bind matrices in no accessor", i);
    const auto joints = skin.find("joints");
    const std::size_t needed = joints != skin.end() && joints->is_array() ? joints->size() : 0;
    if (text_of(*matrices, "type") != "MAT4" || whole(*matrices, "count").value_or(0) < needed)
      return fmt::format("skin {} has no bind matrix for every joint", i);
    return {};
  }

  const Json& root_;
  std::string_view binary_;
};

}  // namespace

std::string find_fault(const Json& root, std::string_view binary) {
  return Checker(root, binary).find_fault();
}

std::string_view binary_chunk(std::string_view bytes) {
  if (bytes.substr(0, 4) != "glTF" || bytes.size() < 20) return {};
  std::uint32_t json_length = 0, length = 0;
  std::memcpy(&json_length, bytes.data() + 12, 4);
  const std::size_t head = std::size_t{20} + json_length;
  if (head + 8 > bytes.size() || bytes.substr(head + 4, 4) != std::string_view("BIN\0", 4))
    return {};
  std::memcpy(&length, bytes.data() + head, 4);
  return bytes.substr(head + 8, length);
}

}  // namespace thigmo::gltf
