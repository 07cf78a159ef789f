#include "io/geo/obj.h"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <span>

#include "base/assert.h"
#include "base/budget.h"
#include "io/text/scanner.h"
#include "mesh/organ.h"

namespace thigmo {
namespace {

constexpr std::string_view blanks = " \t\r";

std::string_view next_word(std::string_view& line) {
  const std::size_t start = std::min(line.find_first_not_of(blanks), line.size());
  line.remove_prefix(start);
  const std::size_t end = std::min(line.find_first_of(blanks), line.size());
  const std::string_view word = line.substr(0, end);
  line.remove_prefix(end);
  return word;
}

// 1-based, or counted from the end when negative. None when it leads nowhere.
std::optional<Index> element_index(std::string_view word, std::size_t count) {
  const std::optional<double> number = number_from_text(word);
  if (!number || *number != std::floor(*number) || std::abs(*number) > 2e9) return std::nullopt;
  const double index = *number > 0 ? *number - 1 : static_cast<double>(count) + *number;
  if (*number == 0 || index < 0 || index >= static_cast<double>(count)) return std::nullopt;
  return static_cast<Index>(index);
}

std::optional<Vec3> three_numbers(std::string_view& line) {
  Vec3 v;
  for (double* part : {&v.x, &v.y, &v.z}) {
    const std::optional<double> number = number_from_text(next_word(line));
    if (!number) return std::nullopt;
    *part = *number;
  }
  return v;
}

// Calls work(keyword, rest of the line) for each line; stops at the first that is refused, and says where
// it is.
template <class Work>
Result<Done> for_each_line(std::string_view text, std::string_view file, const Work& work) {
  Scanner scanner(file, text);
  while (!scanner.at_end()) {
    const std::size_t offset = scanner.position();
    std::string_view line = scanner.rest_of_line();
    const std::string_view keyword = next_word(line);
    if (keyword.empty() || keyword[0] == '#') continue;
    if (const Result<Done> done = work(keyword, line); !done)
      return scanner.failure_at(offset, done.diagnostics().front().message);
  }
  return Done{};
}

}  // namespace

Result<LineGeometry> lines_from_obj(std::string_view text, std::string_view file) {
  LineGeometry lines;
  Budget budget{.file = std::string(file)};
  const auto ask = [&](double bytes) -> Result<Done> {
    if (spend(budget, 1, bytes, "")) return Done{};
    return error(fmt::format("{} vertices and {} lines are more than one file may have in memory",
                             lines.points.size(), lines.edges.size()));
  };
  const auto work = [&](std::string_view keyword, std::string_view line) -> Result<Done> {
    if (keyword == "v") {
      const std::optional<Vec3> p = three_numbers(line);
      if (!p) return error("a vertex needs three finite numbers");
      if (Result<Done> done = ask(bytes_of_piece); !done) return done;
      lines.points.push_back(*p);
    } else if (keyword == "l") {
      Index before = no_index;
      for (std::string_view word = next_word(line); !word.empty(); word = next_word(line)) {
        const std::optional<Index> point =
            element_index(word.substr(0, word.find('/')), lines.points.size());
        if (!point)
          return error(fmt::format("'{}' is no vertex given before this line", shown(word)));
        if (before != no_index) {
          if (Result<Done> done = ask(bytes_of_edge); !done) return done;
          lines.edges.push_back({before, *point});
        }
        before = *point;
      }
    }
    return Done{};
  };
  if (const Result<Done> done = for_each_line(text, file, work); !done) return done.diagnostics();
  return lines;
}

std::string obj_from_lines(const LineGeometry& lines) {
  std::string text = "# lines of a plant, metres, y up\n";
  const auto out = std::back_inserter(text);
  for (const Vec3& p : lines.points) fmt::format_to(out, "v {} {} {}\n", p.x, p.y, p.z);
  for (const auto& [a, b] : lines.edges) fmt::format_to(out, "l {} {}\n", a + 1, b + 1);
  return text;
}

namespace {

// Reads the faces of an OBJ line by line.
class FaceReader {
 public:
  explicit FaceReader(std::string_view file)
      : budget_{.file = std::string(file), .bytes = most_organ_bytes} {}

  Result<Done> add_line(std::string_view keyword, std::string_view line) {
    if (keyword.starts_with("v")) {
      if (Result<Done> done = ask(bytes_of_given); !done) return done;
    }
    if (keyword == "v" || keyword == "vn") return add_vector(keyword, line);
    if (keyword == "vt") return add_texture(line);
    return keyword == "f" ? add_face(line) : Done{};
  }
  OrganSurface take() { return std::move(surface_); }

 private:
  // What is given, a corner of its own (position, normal, tangent, texture and its key), a triangle.
  static constexpr double bytes_of_given = 36, bytes_of_corner = 200, bytes_of_triangle = 24;

  Result<Done> ask(double bytes) {
    if (spend(budget_, 1, bytes, "")) return Done{};
    return error(
        fmt::format("{} corners and {} triangles are more than one file may have in memory",
                    surface_.positions.size(), surface_.indices.size() / 3));
  }

  Result<Done> add_vector(std::string_view keyword, std::string_view line) {
    const std::optional<Vec3> p = three_numbers(line);
    if (!p) return error(fmt::format("{} needs three finite numbers", keyword));
    if (keyword == "v" &&
        std::max({std::abs(p->x), std::abs(p->y), std::abs(p->z)}) > farthest_vertex)
      return error(fmt::format("a vertex lies farther than {:g} from the origin", farthest_vertex));
    (keyword == "v" ? positions_ : normals_).push_back(*p);
    return Done{};
  }

  Result<Done> add_texture(std::string_view line) {
    const std::optional<double> u = number_from_text(next_word(line));
    const std::string_view second = next_word(line);
    const std::optional<double> v = second.empty() ? 0.0 : number_from_text(second);
    if (!u || !v) return error("vt needs one or two finite numbers");
    if (std::max(std::abs(*u), std::abs(*v)) > farthest_vertex)
      return error(fmt::format("vt lies beyond {:g}", farthest_vertex));
    textures_.push_back({*u, *v, 0});
    return Done{};
  }

  Result<Done> add_face(std::string_view line) {
    std::vector<std::uint32_t> face;
    for (std::string_view word = next_word(line); !word.empty(); word = next_word(line)) {
      const std::size_t before = surface_.positions.size();
      const std::optional<std::uint32_t> corner = corner_of(word);
      if (!corner)
        return error(fmt::format("'{}' is no corner given before this line", shown(word)));
      const bool is_new = surface_.positions.size() > before;
      if (Result<Done> done = ask(bytes_of_triangle + (is_new ? bytes_of_corner : 0)); !done)
        return done;
      face.push_back(*corner);
    }
    if (face.size() < 3) return error("a face needs three corners");
    for (std::size_t k = 2; k < face.size(); ++k) {
      surface_.indices.insert(surface_.indices.end(), {face[0], face[k - 1], face[k]});
    }
    return Done{};
  }

  // The vertex of "position/texture/normal", a new one where none has all three; none where one of them
  // is not there.
  std::optional<std::uint32_t> corner_of(std::string_view word) {
    std::array<Index, 3> key{no_index, no_index, no_index};
    const std::array<std::size_t, 3> counts{positions_.size(), textures_.size(), normals_.size()};
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t slash = std::min(word.find('/'), word.size());
      const std::string_view part = word.substr(0, slash);
      word.remove_prefix(std::min(slash + 1, word.size()));
      if (part.empty() && k > 0) continue;
      const std::optional<Index> index = element_index(part, counts[k]);
      if (!index) return std::nullopt;
      key[k] = *index;
    }
    const auto [place, is_new] =
        corners_.try_emplace(key, static_cast<std::uint32_t>(surface_.positions.size()));
    if (is_new) {
      surface_.positions.push_back(at(positions_, key[0]));
      const Vec3 uv = key[1] == no_index ? Vec3{} : at(textures_, key[1]);
      surface_.uvs.push_back({static_cast<float>(uv.x), static_cast<float>(uv.y)});
      surface_.normals.push_back(key[2] == no_index ? Vec3{} : normalized(at(normals_, key[2])));
    }
    return place->second;
  }

  Budget budget_;
  std::vector<Vec3> positions_, normals_, textures_;
  std::map<std::array<Index, 3>, std::uint32_t> corners_;  // by position, texture, normal
  OrganSurface surface_;
};

}  // namespace

Result<OrganSurface> surface_from_obj(std::string_view text, std::string_view file) {
  FaceReader reader(file);
  const Result<Done> done =
      for_each_line(text, file, [&](std::string_view keyword, std::string_view line) {
        return reader.add_line(keyword, line);
      });
  if (!done) return done.diagnostics();
  OrganSurface surface = reader.take();
  if (surface.indices.empty()) {
    return Diagnostic{.message = "there is no face in it", .file = std::string(file)};
  }
  const bool complete = std::none_of(surface.normals.begin(), surface.normals.end(),
                                     [](const Vec3& n) { return n == Vec3{}; });
  if (!complete) compute_normals(surface);
  compute_tangents(surface);
  return surface;
}

namespace {

// Names of plants without what would end them, numbered where there are several.
std::vector<std::string> object_names(const MovingSurface& surface) {
  std::vector<std::string> names;
  for (const MovingPlant& plant : surface.plants) {
    std::string name = name_of(plant).empty() ? "plant" : name_of(plant);
    std::replace_if(
        name.begin(), name.end(), [](unsigned char c) { return c <= ' '; }, '_');
    if (surface.plants.size() > 1) name += fmt::format("_{}", names.size());
    names.push_back(std::move(name));
  }
  return names;
}

// Objects, if any, begin at these parts of the mesh.
Result<Done> write_surface(const SkinnedMesh& mesh, const Deformed* shape,
                           std::span<const std::string> objects,
                           std::span<const std::size_t> first_part, const ByteSink& sink) {
  const std::vector<Vec3f>& positions = shape != nullptr ? shape->positions : mesh.positions;
  const std::vector<Vec3f>& normals = shape != nullptr ? shape->normals : mesh.normals;
  fmt::memory_buffer text;
  const auto out = fmt::appender(text);
  Result<Done> done = Done{};
  // Whether to go on.
  const auto hand_over = [&](std::size_t least) {
    if (text.size() >= least) {
      done = sink({text.data(), text.size()});
      text.clear();
    }
    return static_cast<bool>(done);
  };
  constexpr std::size_t piece = 1u << 20;
  fmt::format_to(out, "# surface of a plant, metres, y up\n");
  for (const Vec3f& p : positions) {
    fmt::format_to(out, FMT_COMPILE("v {} {} {}\n"), p.x, p.y, p.z);
    if (!hand_over(piece)) return done;
  }
  for (const Vec2f& t : mesh.uvs) {
    fmt::format_to(out, FMT_COMPILE("vt {} {}\n"), t.x, t.y);
    if (!hand_over(piece)) return done;
  }
  for (const Vec3f& n : normals) {
    fmt::format_to(out, FMT_COMPILE("vn {} {} {}\n"), n.x, n.y, n.z);
    if (!hand_over(piece)) return done;
  }
  for (std::size_t p = 0; p < mesh.parts.size(); ++p) {
    const MeshPart& part = mesh.parts[p];
    // A plant without a surface shares the place with the next.
    for (std::size_t i = objects.size(); i-- > 0;) {
      if (first_part[i] != p) continue;
      fmt::format_to(out, "o {}\n", objects[i]);
      break;
    }
    fmt::format_to(out, "g {}\nusemtl {}\n", surface_name(part.surface),
                   surface_name(part.surface));
    for (std::size_t i = part.first_index; i < part.first_index + part.index_count; i += 3) {
      const auto a = mesh.indices[i] + 1, b = mesh.indices[i + 1] + 1, c = mesh.indices[i + 2] + 1;
      fmt::format_to(out, FMT_COMPILE("f {}/{}/{} {}/{}/{} {}/{}/{}\n"), a, a, a, b, b, b, c, c, c);
      if (!hand_over(piece)) return done;
    }
  }
  hand_over(0);
  return done;
}

}  // namespace

Result<Done> write_obj(const MovingSurface& surface, const Deformed* shape, const ByteSink& sink) {
  return write_surface(surface.mesh, shape, object_names(surface), surface.first_part, sink);
}

}  // namespace thigmo
