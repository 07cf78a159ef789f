#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "base/result.h"
#include "io/text/bytes.h"

namespace thigmo {

using OrderedJson = nlohmann::ordered_json;

// Writes the bytes of a buffer view.
using Filler = std::function<void(Bytes&)>;

// Collects the JSON, and for each buffer view the function that writes its bytes.
class GlbDocument {
 public:
  GlbDocument() {
    json_ = {{"asset", {{"version", "2.0"}, {"generator", "thigmo"}}},
             {"scene", 0},
             {"scenes", OrderedJson::array({{{"nodes", OrderedJson::array()}}})}};
    for (const char* key : {"nodes", "meshes", "materials", "skins", "accessors", "bufferViews"}) {
      json_[key] = OrderedJson::array();
    }
  }

  OrderedJson& list(const char* key) { return json_[key]; }
  std::size_t count(const char* key) { return json_[key].size(); }
  std::size_t append(const char* key, OrderedJson value) {
    json_[key].push_back(std::move(value));
    return json_[key].size() - 1;
  }

  std::size_t add_view(std::uint64_t length, std::optional<int> target, Filler fill) {
    fillers_.push_back({length, std::move(fill)});
    return list_view(length, target);
  }

  // As many views of the same length, a multiple of 4, whose bytes come from one filler; the number
  // of the first.
  std::size_t add_views(std::size_t number, std::uint64_t length, Filler fill) {
    THIGMO_ASSERT(length % 4 == 0);
    fillers_.push_back({number * length, std::move(fill)});
    const std::size_t first = count("bufferViews");
    for (std::size_t i = 0; i < number; ++i) list_view(length, {});
    return first;
  }

  std::size_t add_accessor(std::size_t view, int component, const char* type, std::size_t length,
                           std::uint64_t offset = 0) {
    OrderedJson accessor{
        {"bufferView", view}, {"componentType", component}, {"count", length}, {"type", type}};
    if (offset > 0) accessor["byteOffset"] = offset;
    return append("accessors", std::move(accessor));
  }

  Result<Done> write(const ByteSink& sink) {
    json_["buffers"] = OrderedJson::array({{{"byteLength", size_}}});
    for (const char* key : {"materials", "skins", "meshes", "nodes", "accessors", "bufferViews"}) {
      if (json_[key].empty()) json_.erase(key);
    }
    if (size_ == 0) json_.erase("buffers");
    // A name with bytes that are no UTF-8 must not stop the export.
    std::string text = json_.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
    text.append(padded(text.size()) - text.size(), ' ');
    const std::uint64_t binary = size_ > 0 ? 8 + size_ : 0;
    const std::uint64_t total = 12 + 8 + text.size() + binary;
    if (total > 0xffff'ffffu) {
      return error(
          fmt::format("the glTF file would have {} bytes; the format's limit is 4 GiB", total),
          "export fewer frames or fewer joints");
    }
    Bytes out;
    put_header(out, static_cast<std::uint32_t>(total), static_cast<std::uint32_t>(text.size()));
    if (Result<Done> done = sink(out.text()); !done) return done;
    if (Result<Done> done = sink(text); !done) return done;
    if (size_ == 0) return Done{};
    out.clear();
    out.put(static_cast<std::uint32_t>(size_));
    out.put(0x004E4942u);  // "BIN"
    if (Result<Done> done = sink(out.text()); !done) return done;
    for (const auto& [length, fill] : fillers_) {
      out.clear();
      fill(out);
      THIGMO_ASSERT(out.text().size() == length);
      while (out.text().size() < padded(length)) out.put(char{0});
      if (Result<Done> done = sink(out.text()); !done) return done;
    }
    return Done{};
  }

 private:
  std::size_t list_view(std::uint64_t length, std::optional<int> target) {
    OrderedJson view{{"buffer", 0}, {"byteOffset", size_}, {"byteLength", length}};
    if (target) view["target"] = *target;
    size_ += padded(length);
    return append("bufferViews", std::move(view));
  }

  static std::uint64_t padded(std::uint64_t length) { return (length + 3) / 4 * 4; }

  static void put_header(Bytes& out, std::uint32_t total, std::uint32_t json_length) {
    out.put(0x46546C67u);  // "glTF"
    out.put(std::uint32_t{2});
    out.put(total);
    out.put(json_length);
    out.put(0x4E4F534Au);  // "JSON"
  }

  OrderedJson json_;
  std::uint64_t size_ = 0;
  std::vector<std::pair<std::uint64_t, Filler>> fillers_;
};

}  // namespace thigmo
