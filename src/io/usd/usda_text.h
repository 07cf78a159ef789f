#pragma once

#include <fmt/compile.h>
#include <fmt/format.h>

#include <iterator>
#include <string>
#include <string_view>

#include "io/text/bytes.h"
#include "math/rotation.h"

namespace thigmo {

// Text in pieces of about a megabyte, so that no list of numbers stands in memory whole. After the sink
// has refused one nothing more is made.
class UsdaWriter {
 public:
  explicit UsdaWriter(const ByteSink& sink) : sink_(sink) {}

  template <class... Args>
  void line(fmt::format_string<Args...> text, Args&&... args) {
    buffer_.append(2 * depth_, ' ');
    fmt::format_to(std::back_inserter(buffer_), text, std::forward<Args>(args)...);
    buffer_.push_back('\n');
    if (buffer_.size() > (1u << 20)) flush();
  }
  template <class... Args>
  void open(fmt::format_string<Args...> text, Args&&... args) {
    line(text, std::forward<Args>(args)...);
    line("{{");
    ++depth_;
  }
  void close() {
    --depth_;
    line("}}");
  }

  // head = [a, b, …] (metadata), each element written by put(element, text).
  template <class List, class Put>
  void list(std::string_view head, const List& elements, const Put& put,
            std::string_view metadata = {}) {
    buffer_.append(2 * depth_, ' ');
    buffer_.append(head);
    put_list(elements, put);
    if (!metadata.empty()) buffer_.append(" (").append(metadata).append(")");
    buffer_.push_back('\n');
    if (buffer_.size() > (1u << 20)) flush();
  }

  // head.timeSamples = { 0: [...], 1: [...] }: the elements of a frame come from frame_list(f).
  template <class FrameList, class Put>
  void samples(std::string_view head, std::size_t frames, const FrameList& frame_list,
               const Put& put) {
    line("{}.timeSamples = {{", head);
    for (std::size_t f = 0; f < frames && result_; ++f) {
      fmt::format_to(std::back_inserter(buffer_), "{}: ", f);
      put_list(frame_list(f), put);
      buffer_.append(",\n");
      flush();
    }
    line("}}");
  }

  void flush() {
    if (result_) result_ = sink_(buffer_);
    buffer_.clear();
  }
  Result<Done> finish() {
    flush();
    return result_;
  }

 private:
  template <class List, class Put>
  void put_list(const List& elements, const Put& put) {
    buffer_.push_back('[');
    bool first = true;
    for (const auto& element : elements) {
      if (!first) buffer_.append(", ");
      first = false;
      put(element, buffer_);
      if (buffer_.size() > (1u << 20)) flush();
      if (!result_) return;
    }
    buffer_.push_back(']');
  }

  const ByteSink& sink_;
  std::string buffer_;
  std::size_t depth_ = 0;
  Result<Done> result_ = Done{};
};

inline void put_vec3f(const Vec3f& v, std::string& text) {
  fmt::format_to(std::back_inserter(text), FMT_COMPILE("({}, {}, {})"), v.x, v.y, v.z);
}
inline void put_vec3(const Vec3& v, std::string& text) {
  put_vec3f({static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)}, text);
}
inline void put_vec2f(const Vec2f& v, std::string& text) {
  fmt::format_to(std::back_inserter(text), FMT_COMPILE("({}, {})"), v.x, v.y);
}
inline void put_quat(const Quat& q, std::string& text) {
  fmt::format_to(std::back_inserter(text), FMT_COMPILE("({}, {}, {}, {})"), static_cast<float>(q.w),
                 static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z));
}
inline constexpr auto put_number = [](auto v, std::string& text) {
  fmt::format_to(std::back_inserter(text), FMT_COMPILE("{}"), v);
};
inline void put_text(const std::string& v, std::string& text) {
  fmt::format_to(std::back_inserter(text), "\"{}\"", v);
}

// A rigid transform as USD writes matrices: for row vectors, so the translation is the last row.
struct UsdTransform {
  Quat rotation;
  Vec3 position;
};
inline void put_matrix(const UsdTransform& p, std::string& text) {
  const Mat3 rows = transposed(matrix(p.rotation));
  const auto row = [&text](const Vec3& r, const char* last) {
    fmt::format_to(std::back_inserter(text), "({}, {}, {}, {})", r.x, r.y, r.z, last);
  };
  text += '(';
  row(rows.row_x, "0");
  text += ", ";
  row(rows.row_y, "0");
  text += ", ";
  row(rows.row_z, "0");
  text += ", ";
  row(p.position, "1");
  text += ')';
}

}  // namespace thigmo
