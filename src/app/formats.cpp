#include "app/formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <unordered_map>

#include "io/caches/point_cache.h"
#include "io/disk/file.h"
#include "io/geo/geo.h"
#include "io/geo/lines.h"
#include "io/geo/obj.h"
#include "io/geo/plant_lines.h"
#include "io/gltf/glb.h"
#include "io/tables/csv_writer.h"
#include "io/tables/tree_table.h"
#include "io/textures/pivot_textures.h"
#include "io/textures/vertex_textures.h"
#include "io/usd/usda.h"
#include "mesh/mesh_size.h"

namespace thigmo {
namespace {

std::size_t frame_count(std::span<const MovingPlant> plants) {
  std::size_t frames = 1;
  for (const MovingPlant& plant : plants) {
    if (plant.motion) frames = std::max(frames, plant.motion->times.size());
  }
  return frames;
}

// The pose of a plant at a frame; plants with fewer frames than others stay at their last.
Pose pose_at(const MovingPlant& moving, std::size_t frame) {
  if (!moves(moving)) return rest_pose(moving);
  Pose scratch;
  return pose_at(*moving.motion, std::min(frame, moving.motion->times.size() - 1), scratch);
}

// "a/tree.0007.obj"
std::string frame_path(const std::string& path, std::size_t frame) {
  const std::size_t dot = path.rfind('.');
  return fmt::format("{}.{:04}{}", path.substr(0, dot), frame, path.substr(dot));
}

std::string without_ending(const std::string& path) { return path.substr(0, path.rfind('.')); }

bool cancelled(const PlantFileOptions& options) {
  return options.cancel != nullptr && options.cancel->load();
}

// Whether all poses that were written could be read.
Result<Done> check_source(const PlantFileOptions& options) {
  if (options.source == nullptr) return Done{};
  if (const std::optional<Diagnostic> failure = options.source->failure()) return *failure;
  return Done{};
}

// A file whose bytes come in pieces. Nothing is left of one that is cancelled.
Result<Done> stream(const std::string& path, const PlantFileOptions& options,
                    const std::function<Result<Done>(const ByteSink& sink)>& write) {
  Result<FileWriter> writer = FileWriter::open(path);
  if (!writer) return writer.diagnostics();
  const Result<Done> done = write([&](std::string_view bytes) -> Result<Done> {
    if (cancelled(options)) return error("interrupted");
    return writer->append(bytes);
  });
  if (!done) return done;
  if (const Result<Done> sound = check_source(options); !sound) return sound;
  return writer->commit();
}

// Whether the elements of two columns can stand below each other.
bool agree(const Attribute& a, const Attribute& b) {
  const auto word = Attribute::Type::word;
  return a.size == b.size && (a.type == word) == (b.type == word);
}

// Adds a column's elements to those of another plant; words are looked up again, since every plant has its
// own table of them.
void append_column(const Attribute& more, Attribute& all) {
  if (all.type == Attribute::Type::integer && more.type != all.type) all.type = more.type;
  if (all.type != Attribute::Type::word) {
    all.values.insert(all.values.end(), more.values.begin(), more.values.end());
    return;
  }
  std::unordered_map<std::string, std::size_t> number;
  for (std::size_t w = 0; w < all.words.size(); ++w) number.try_emplace(all.words[w], w);
  std::vector<double> number_of;  // of each of its words
  for (const std::string& word : more.words) {
    const auto found = number.find(word);
    number_of.push_back(
        static_cast<double>(found != number.end() ? found->second : all.words.size()));
    if (found != number.end()) continue;
    all.words.push_back(word);
    number.try_emplace(word, all.words.size() - 1);
  }
  for (const double value : more.values) {
    const bool has = value >= 0 && value < static_cast<double>(number_of.size());
    all.values.push_back(has ? number_of[static_cast<std::size_t>(value)] : -1);
  }
}

// Adds columns of `added` further elements to those of the `before` that were there: by their names, and
// under another name where columns of one name do not agree.
void append_columns(const std::vector<Attribute>& more, std::size_t before, std::size_t added,
                    std::vector<Attribute>& all) {
  std::unordered_map<std::string, std::size_t> column_of;
  for (std::size_t i = 0; i < all.size(); ++i) column_of.try_emplace(all[i].name, i);
  for (const Attribute& column : more) {
    std::string name = column.name;
    auto found = column_of.find(name);
    for (int k = 2; found != column_of.end() && !agree(all[found->second], column); ++k) {
      name = fmt::format("{}_{}", column.name, k);
      found = column_of.find(name);
    }
    if (found == column_of.end()) {
      found = column_of.emplace(name, all.size()).first;
      all.push_back(column);
      all.back().name = name;
      all.back().values.assign(before * as_size(column.size), nothing_of(column));
    }
    append_column(column, all[found->second]);
  }
  for (Attribute& column : all)
    column.values.resize((before + added) * as_size(column.size), nothing_of(column));
}

void append_lines(const LineGeometry& more, LineGeometry& all) {
  const auto first = static_cast<Index>(all.points.size());
  append_columns(more.point_attributes, all.points.size(), more.points.size(),
                 all.point_attributes);
  append_columns(more.edge_attributes, all.edges.size(), more.edges.size(), all.edge_attributes);
  all.points.insert(all.points.end(), more.points.begin(), more.points.end());
  for (const auto& [from, to] : more.edges) all.edges.push_back({from + first, to + first});
}

// The columns that came with a plant.
const PlantColumns& columns_of_plant(const PlantFileOptions& options, std::size_t plant) {
  static const PlantColumns none;
  if (plant >= options.columns.size() || !options.columns[plant]) return none;
  return *options.columns[plant];
}

// All plants of a frame as one set of lines.
LineGeometry all_lines(std::span<const MovingPlant> plants, std::size_t frame,
                       const PlantFileOptions& options) {
  LineGeometry all;
  // All plants have the same columns of our own.
  const bool aside = std::any_of(plants.begin(), plants.end(), [](const MovingPlant& moving) {
    return starts_aside(*moving.plant);
  });
  for (std::size_t p = 0; p < plants.size(); ++p) {
    const MovingPlant& moving = plants[p];
    if (!is_there(moving, frame)) continue;
    const PlantColumns& own = columns_of_plant(options, p);
    const Pose pose = pose_at(moving, frame);
    const Pose before = frame > 0 ? pose_at(moving, frame - 1) : pose;
    LineColumns columns{.moved = moves(moving),
                        .base_offset = aside,
                        .attributes = own.attributes,
                        .start_attributes = own.start_attributes};
    if (frame > moving.life.from && moving.motion && frame < moving.motion->times.size()) {
      columns.before = &before;
      columns.interval = moving.motion->times[frame] - moving.motion->times[frame - 1];
    }
    LineGeometry lines = lines_from_plant(*moving.plant, pose, columns);
    if (all.points.empty()) {
      all = std::move(lines);
    } else {
      append_lines(lines, all);
    }
  }
  return all;
}

// A whole file, unless what it was made of could not be read.
Result<Done> write_sound(const std::string& path, const PlantFileOptions& options,
                         std::string_view bytes) {
  if (Result<Done> sound = check_source(options); !sound) return sound;
  return write_file(path, bytes);
}

Result<Done> write_frame(const std::string& path, const FileFormat& format,
                         std::span<const MovingPlant> plants, const MovingSurface* surface,
                         std::size_t frame, const PlantFileOptions& options) {
  switch (format.format) {
    case Format::geo:
      return write_sound(path, options, geo_classic_from_lines(all_lines(plants, frame, options)));
    case Format::geo_json:
      return write_sound(path, options, geo_json_from_lines(all_lines(plants, frame, options)));
    case Format::csv: {
      std::vector<Pose> poses;
      for (const MovingPlant& moving : plants) poses.push_back(pose_at(moving, frame));
      std::vector<PosedPlant> posed;
      std::vector<std::span<const Attribute>> columns;
      for (std::size_t p = 0; p < plants.size(); ++p) {
        // One that is not there keeps its number.
        static const Plant none;
        posed.push_back({is_there(plants[p], frame) ? plants[p].plant : &none, &poses[p]});
        columns.emplace_back(columns_of_plant(options, p).attributes);
      }
      return write_sound(path, options, csv_from_plants(posed, columns));
    }
    case Format::obj:
      if (options.lines)
        return write_sound(path, options, obj_from_lines(all_lines(plants, frame, options)));
      break;
    default:
      break;
  }
  // At rest the mesh is as it was built.
  const bool still = std::none_of(plants.begin(), plants.end(), moves);
  Deformed shape;
  if (!still) shape_at(*surface, frame, shape);
  const Deformed* posed = still ? nullptr : &shape;
  return stream(path, options, [&](const ByteSink& sink) {
    return format.format == Format::obj ? write_obj(*surface, posed, sink)
                                        : write_ply(surface->mesh, posed, sink);
  });
}

// Frames that a longer run left under the same name would be played after ours: those that follow on the
// last one without a gap are removed, and that is said. What is read, and what comes after a gap, stays.
void remove_later_frames(const std::string& path, std::size_t next, const Inputs* inputs,
                         Diagnostics& notes) {
  const std::size_t first = next;
  for (;; ++next) {
    const std::string name = frame_path(path, next);
    if ((inputs && inputs->has(name)) || !remove_file(name)) break;
  }
  if (next == first) return;
  const std::string last =
      next - first == 1 ? "" : fmt::format(" to '{}'", frame_path(path, next - 1));
  notes.push_back(
      note(fmt::format("{} {} of an earlier run removed: '{}'{}", next - first,
                       next - first == 1 ? "frame" : "frames", frame_path(path, first), last)));
}

// The surface of the plants that are there, made anew where others are.
void show_present(std::span<const MovingPlant> plants, std::size_t frame,
                  const MeshOptions& options, std::vector<char>& shown,
                  std::optional<MovingSurface>& surface) {
  std::vector<char> present;
  std::vector<MovingPlant> there;
  for (const MovingPlant& moving : plants) {
    present.push_back(is_there(moving, frame));
    if (present.back() != 0) there.push_back(moving);
  }
  if (surface && present == shown) return;
  shown = std::move(present);
  surface.reset();
  surface = make_moving_surface(there, options);
}

Result<WrittenFiles> write_frames(const std::string& path, const FileFormat& format,
                                  std::span<const MovingPlant> plants,
                                  const PlantFileOptions& options) {
  WrittenFiles written;
  std::optional<MovingSurface> surface;
  std::vector<char> shown;  // which plants that has
  const bool mesh =
      format.format == Format::ply || (format.format == Format::obj && !options.lines);
  const std::vector<std::string> names =
      plant_file_paths(path, format, frame_count(plants), options.first_frame);
  for (std::size_t frame = 0; frame < names.size() && !cancelled(options); ++frame) {
    const std::string& name = names[frame];
    if (mesh) show_present(plants, frame, options.surface, shown, surface);
    const Result<Done> done =
        write_frame(name, format, plants, surface ? &*surface : nullptr, frame, options);
    if (!done) return done.diagnostics();
    written.paths.push_back(name);
  }
  if (names.size() > 1 && !cancelled(options)) {
    remove_later_frames(path, options.first_frame + names.size(), options.inputs, written.notes);
  }
  return written;
}

Result<WrittenFiles> write_skeleton(const std::string& path, const FileFormat& format,
                                    std::span<const MovingPlant> plants,
                                    const PlantFileOptions& options) {
  WrittenFiles written{.paths = {path}};
  std::vector<JointReduction> reductions;
  const Result<Done> done = stream(path, options, [&](const ByteSink& sink) {
    if (format.format == Format::glb) {
      return write_glb(
          plants,
          {.mesh = options.surface, .max_joints = options.max_joints, .reductions = &reductions},
          sink);
    }
    return write_usda(
        plants, {.style = options.style, .mesh = options.surface, .max_joints = options.max_joints},
        sink);
  });
  if (!done) return done.diagnostics();
  for (std::size_t i = 0; i < reductions.size(); ++i) {
    const std::size_t segments = plants[i].plant->segments.size();
    if (reductions[i].kept.size() >= segments) continue;
    written.notes.push_back(note(fmt::format(
        "{}{} segments on {} joints; tips stray by at most {:.3g} m, {:.3g} m on average",
        name_before(*plants[i].plant), segments, reductions[i].kept.size(), reductions[i].error_max,
        reductions[i].error_mean)));
  }
  written.reductions = std::move(reductions);
  return written;
}

// Both textures and their JSON, or nothing.
Result<WrittenFiles> write_vertex_textures(const std::string& path,
                                           std::span<const MovingPlant> plants,
                                           const PlantFileOptions& options) {
  const WrittenFiles written{
      .paths = plant_file_paths(path, *find_format(".vat"), frame_count(plants)),
      .notes = {note(
          "the textures move the vertices of the mesh in the order of .obj and .ply; that mesh, "
          "and the texture coordinates that look them up, are not in these files: write the "
          "same plant as .ply, and look vertex i up by its number (the JSON says how)")}};
  std::vector<FileWriter> writers;
  for (const std::string& name : written.paths) {
    Result<FileWriter> writer = FileWriter::open(name);
    if (!writer) return writer.diagnostics();
    writers.push_back(std::move(*writer));
  }
  const auto into = [&](FileWriter& writer) {
    return [&](std::string_view bytes) -> Result<Done> {
      if (cancelled(options)) return error("interrupted");
      return writer.append(bytes);
    };
  };
  const Result<std::string> json = write_vertex_textures(
      make_moving_surface(plants, options.surface), into(writers[0]), into(writers[1]));
  if (!json) return json.diagnostics();
  if (const Result<Done> sound = check_source(options); !sound) return sound.diagnostics();
  if (const Result<Done> done = writers[2].append(*json); !done) return done.diagnostics();
  for (FileWriter& writer : writers) {
    if (const Result<Done> done = writer.commit(); !done) return done.diagnostics();
  }
  return written;
}

Result<WrittenFiles> write_pivot_textures(const std::string& path,
                                          std::span<const MovingPlant> plants,
                                          const PlantFileOptions& options) {
  if (plants.size() != 1) {
    return error("Pivot Painter textures hold one plant",
                 fmt::format("write one plant at a time instead of {}", plants.size()));
  }
  Result<PivotTextures> textures = pivot_textures(*plants[0].plant, {}, plants[0].stands);
  if (!textures) return textures.diagnostics();
  const WrittenFiles written{
      .paths = plant_file_paths(path, *find_format(".pp2"), 1),
      .notes = {note("the textures have a pixel for each segment; the mesh whose second texture "
                     "coordinates point at these pixels is not written yet")}};
  const std::array<const std::string*, 2> bytes{&textures->pivots_exr, &textures->axes_exr};
  std::vector<FileWriter> writers;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    Result<FileWriter> writer = FileWriter::open(written.paths[i]);
    if (!writer) return writer.diagnostics();
    if (const Result<Done> done = writer->append(*bytes[i]); !done) return done.diagnostics();
    writers.push_back(std::move(*writer));
  }
  if (cancelled(options)) return WrittenFiles{};
  for (FileWriter& writer : writers) {
    if (const Result<Done> done = writer.commit(); !done) return done.diagnostics();
  }
  return written;
}

}  // namespace

std::string name_before(const Plant& plant) {
  return plant.name.empty() ? std::string() : plant.name + ": ";
}

const FileFormat* written_format(std::string_view path) {
  const FileFormat* format = find_format(path);
  return format != nullptr && writes_plants(*format) ? format : nullptr;
}

Precision precision_of(const FileFormat& format, bool lines) {
  return format.format == Format::obj && lines ? Precision::full : format.precision;
}

bool has_fixed_vertices(const FileFormat& format) {
  return format.format == Format::pc2 || format.format == Format::mdd ||
         format.format == Format::vat;
}

Diagnostic comes_or_goes(const std::string& plant, const std::string& path) {
  return error(
      fmt::format("'{}' has the same vertices in every frame, but '{}' is not there in all "
                  "of them",
                  path, plant),
      "write .glb, .usda, or a file a frame (.ply, .obj, .geo), which leave out what is "
      "not there");
}

std::vector<std::string> plant_file_paths(const std::string& path, const FileFormat& format,
                                          std::size_t frames, std::size_t first_frame) {
  const std::string stem = without_ending(path);
  if (format.format == Format::vat)
    return {stem + "_offsets.png", stem + "_normals.png", stem + ".json"};
  if (format.format == Format::pivots) return {stem + "_pivots.exr", stem + "_axes.exr"};
  if (format.frames != FramesIn::numbered_files || first_frame + frames <= 1) return {path};
  std::vector<std::string> paths;
  for (std::size_t frame = 0; frame < frames; ++frame) {
    paths.push_back(frame_path(path, first_frame + frame));
  }
  return paths;
}

Result<WrittenFiles> write_plants(const std::string& path, const FileFormat& format,
                                  std::span<const MovingPlant> plants,
                                  const PlantFileOptions& options) {
  if (has_fixed_vertices(format)) {
    const auto passing = std::find_if_not(plants.begin(), plants.end(), stays);
    if (passing != plants.end()) return comes_or_goes(name_of(*passing), path);
  }
  const Precision precision = precision_of(format, options.lines);
  if (const Result<Done> done = check_sizes(plants, precision); !done) return done.diagnostics();
  // Lines and tables have no surface.
  if (precision != Precision::full) {
    if (const Result<Done> done = check_mesh(plants, options.surface); !done)
      return done.diagnostics();
  }
  switch (format.format) {
    case Format::glb:
    case Format::usda:
      return write_skeleton(path, format, plants, options);
    case Format::pc2:
    case Format::mdd: {
      const MovingSurface surface = make_moving_surface(plants, options.surface);
      const Result<Done> done = stream(path, options, [&](const ByteSink& sink) {
        return format.format == Format::pc2 ? write_pc2(surface, sink) : write_mdd(surface, sink);
      });
      if (!done) return done.diagnostics();
      return WrittenFiles{.paths = {path}};
    }
    case Format::vat:
      return write_vertex_textures(path, plants, options);
    case Format::pivots:
      return write_pivot_textures(path, plants, options);
    default:
      return write_frames(path, format, plants, options);
  }
}

}  // namespace thigmo
