#pragma once

// Every file format, once: help texts, messages, readers, writers and scenarios all look it up here.

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace thigmo {

enum class Format {
  lsys,
  abs,
  sbt,
  toml,
  glb,
  gltf,
  usda,
  obj,
  ply,
  geo,
  geo_json,
  csv,
  pc2,
  mdd,
  vat,
  pivots,
  png,
  mp4,
};

// What a file of a format is.
enum class FormatKind { grammar, scenario, plant, picture, video };

// Whether plants move in it: not at all, all frames in one file, or a file for each frame.
enum class FramesIn { none, one_file, numbered_files };

// The numbers that a file or picture holds: 53 bits as in tables, 24 as in meshes and pictures, 11 as in
// pivot textures.
enum class Precision { full, single, half };

struct FileFormat {
  std::string_view ending;
  Format format = Format::lsys;
  FormatKind kind = FormatKind::plant;
  std::string_view name;  // for people
  bool reads = false;     // a grammar, a scenario or a plant can be read from it
  bool writes = false;    // plants, pictures or videos can be written to it
  FramesIn frames = FramesIn::none;
  Precision precision = Precision::single;  // of what is written; an .obj of lines holds full ones
  bool organs = false;                      // meshes for organs can be read from it
};

inline constexpr std::array file_formats{
    FileFormat{".lsys", Format::lsys, FormatKind::grammar, "L-system grammar", true},
    FileFormat{".abs", Format::abs, FormatKind::grammar, "articulated-body string", true},
    FileFormat{".sbt", Format::sbt, FormatKind::grammar, "soft-body tree", true},
    FileFormat{".toml", Format::toml, FormatKind::scenario, "scenario", true},
    FileFormat{".glb", Format::glb, FormatKind::plant, "binary glTF: skinned mesh or skeleton",
               true, true, FramesIn::one_file, Precision::single, true},
    FileFormat{".gltf", Format::gltf, FormatKind::plant, "glTF: skeleton", true, false,
               FramesIn::none, Precision::single, true},
    FileFormat{".usda", Format::usda, FormatKind::plant, "USD: skinned mesh, points or curves",
               false, true, FramesIn::one_file},
    FileFormat{".obj", Format::obj, FormatKind::plant, "Wavefront OBJ: lines or mesh", true, true,
               FramesIn::numbered_files, Precision::single, true},
    FileFormat{".ply", Format::ply, FormatKind::plant, "Stanford PLY: mesh", false, true,
               FramesIn::numbered_files},
    FileFormat{".geo", Format::geo, FormatKind::plant, "Houdini lines, classic or JSON", true, true,
               FramesIn::numbered_files, Precision::full},
    FileFormat{".hclassic", Format::geo, FormatKind::plant, "Houdini lines, classic", true},
    FileFormat{".json", Format::geo_json, FormatKind::plant,
               "Houdini lines, JSON; read: cylinder models too", true, true,
               FramesIn::numbered_files, Precision::full},
    FileFormat{".csv", Format::csv, FormatKind::plant, "table, a row a segment", true, true,
               FramesIn::numbered_files, Precision::full},
    FileFormat{".txt", Format::csv, FormatKind::plant, "the same", true},
    FileFormat{".swc", Format::csv, FormatKind::plant, "SWC table", true},
    FileFormat{".pc2", Format::pc2, FormatKind::plant, "point cache", false, true,
               FramesIn::one_file},
    FileFormat{".mdd", Format::mdd, FormatKind::plant, "point cache", false, true,
               FramesIn::one_file},
    FileFormat{".vat", Format::vat, FormatKind::plant,
               "vertex animation textures: two PNGs and a JSON", false, true, FramesIn::one_file},
    FileFormat{".pp2", Format::pivots, FormatKind::plant, "Pivot Painter 2 textures: two EXRs",
               false, true, FramesIn::none, Precision::half},
    FileFormat{".png", Format::png, FormatKind::picture, "picture or plot", false, true},
    FileFormat{".mp4", Format::mp4, FormatKind::video, "video", false, true, FramesIn::one_file}};

// What a plant is in a .usda file.
enum class UsdStyle {
  skeleton,  // UsdSkel: a skinned mesh, joints and their animation
  points,    // a mesh with time-sampled points: plays everywhere, large
  curves,    // stems as curves with widths, organs as instances: light, for further work
};
// What users call them, in the order of the enum.
inline constexpr std::array<std::string_view, 3> usd_styles{"skeleton", "points", "curves"};
inline std::optional<UsdStyle> find_usd_style(std::string_view name) {
  const auto* found = std::find(usd_styles.begin(), usd_styles.end(), name);
  if (found == usd_styles.end()) return {};
  return static_cast<UsdStyle>(found - usd_styles.begin());
}

// By the ending of a path, in capitals or not; null where it is none of ours.
inline const FileFormat* find_format(std::string_view path) {
  const std::size_t dot = path.find_last_of('.');
  if (dot == std::string_view::npos) return nullptr;
  std::string ending(path.substr(dot));
  for (char& c : ending) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  const auto* found = std::find_if(file_formats.begin(), file_formats.end(),
                                   [&](const FileFormat& f) { return f.ending == ending; });
  return found == file_formats.end() ? nullptr : found;
}
inline bool has_format(std::string_view path, Format format) {
  const FileFormat* found = find_format(path);
  return found != nullptr && found->format == format;
}
inline bool has_kind(std::string_view path, FormatKind kind) {
  const FileFormat* found = find_format(path);
  return found != nullptr && found->kind == kind;
}

// What a plant can be read from, beside grammars, and what it can be written to.
inline bool reads_plants(const FileFormat& f) { return f.kind == FormatKind::plant && f.reads; }
inline bool writes_plants(const FileFormat& f) { return f.kind == FormatKind::plant && f.writes; }

// ".glb, .usda, …": the endings of those formats, in the order of the table.
template <class Which>
std::string format_endings(const Which& which) {
  std::string text;
  for (const FileFormat& f : file_formats) {
    if (which(f)) text += (text.empty() ? "" : ", ") + std::string(f.ending);
  }
  return text;
}

}  // namespace thigmo
