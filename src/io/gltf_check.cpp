#include "io/gltf_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

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
    each("skins", &Checker::check_skin);
    return wrong;
  }

 private:
  const Json* element(const char* key, std::optional<std::uint64_t> number) const {
    return gltf::element(root_, key, number);
  }

  std::string check_version() const {
    const auto asset = root_.find("asset");
    if (asset == root_.end() || !asset->is_object()) return {};
    const std::string version = text_of(*asset, "version");
    if (version.empty() || version == "2" || version.starts_with("2.")) return {};
    return fmt::format("it is glTF {}; only 2.x is understood", version.substr(0, 20));
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

  std::string check_skin(const Json& skin, std::size_t i) const {
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
