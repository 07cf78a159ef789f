#include "thigmo/gallery.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "app/common.h"
#include "io/textures/png.h"
#include "mesh/mesh_size.h"
#include "plant/sizes.h"
#include "render/picture.h"
#include "render/wireframe.h"
#include "simulation/add_plant.h"

namespace thigmo {
namespace {

namespace fs = std::filesystem;

// The grammar files of a folder, by name.
Result<std::vector<fs::path>> grammars_in(const std::string& folder) {
  std::vector<fs::path> paths;
  std::error_code code;
  for (fs::directory_iterator entry(folder, code), end; !code && entry != end;
       entry.increment(code)) {
    if (has_kind(entry->path().string(), FormatKind::grammar)) paths.push_back(entry->path());
  }
  if (code) return error(fmt::format("the folder '{}' cannot be read: {}", folder, code.message()));
  if (paths.empty()) {
    return error(fmt::format("there is no grammar in '{}'", folder),
                 "grammars end in " + format_endings([](const FileFormat& f) {
                   return f.kind == FormatKind::grammar;
                 }));
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

// The text of the first /* comment */, in one line.
std::string first_comment(const std::string& text) {
  const std::size_t open = text.find("/*"), close = text.find("*/", open);
  if (close == std::string::npos) return {};
  std::string line;
  for (std::size_t i = open + 2; i < close; ++i) {
    const bool blank = std::isspace(static_cast<unsigned char>(text[i])) != 0;
    if (!blank) {
      line += text[i];
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

Result<Image> draw_tile(const fs::path& path, const SheetRequest& request, Inputs& inputs,
                        Diagnostics& notes) {
  const Result<Plant> plant = grow_from_file({.file = path.string()}, inputs.reader(), notes);
  if (!plant) return plant.diagnostics();
  const PosedPlant posed{.plant = &*plant};
  const MovingPlant still{.plant = &*plant};
  if (const Result<Done> done = check_sizes({&still, 1}, Precision::single); !done)
    return done.diagnostics();
  if (const Result<Done> done = check_mesh({&still, 1}, {}, MeshUse::picture); !done)
    return done.diagnostics();
  return render_picture({&posed, 1}, frame_camera({&still, 1}, 1.0),
                        {.width = request.tile,
                         .height = request.tile,
                         .samples = request.samples,
                         .threads = request.threads,
                         .cancel = request.cancel});
}

Result<SheetSummary> draw_sheet(const SheetRequest& request) {
  if (!has_format(request.out_file, Format::png)) {
    return error(fmt::format("no picture format is known for '{}'", request.out_file),
                 "formats: .png");
  }
  if (request.tile < 16 || request.tile > 2048 || request.columns < 1 || request.columns > 64 ||
      request.samples < 1 || request.samples > 65536) {
    return error(
        "a sheet has 1 to 64 columns of pictures 16 to 2048 pixels wide, with 1 to 65536 "
        "samples");
  }
  if (const Result<Done> done = check_writable(request.out_file); !done) return done.diagnostics();
  const Result<std::vector<fs::path>> paths = grammars_in(request.folder);
  if (!paths) return paths.diagnostics();
  SheetSummary summary;
  Inputs inputs;
  std::vector<SheetTile> tiles;
  for (const fs::path& path : *paths) {
    if (request.on_progress) {
      request.on_progress(
          {"drawing", static_cast<double>(tiles.size()) / static_cast<double>(paths->size())});
    }
    Result<Image> image = draw_tile(path, request, inputs, summary.notes);
    if (!image) return image.diagnostics();
    summary.cancelled = request.cancel && request.cancel->load();
    if (summary.cancelled) return summary;
    summary.plants.push_back(path.stem().string());
    tiles.push_back({.picture = std::move(*image), .label = path.stem().string()});
  }
  if (request.on_progress) request.on_progress({"drawing", 1});
  const Result<Done> spared =
      inputs.spare(request.out_file, "the sheet", "give the picture another name");
  if (!spared) return spared.diagnostics();
  const Result<Done> written =
      write_file(request.out_file, png_bytes(contact_sheet(tiles, request.columns)));
  if (!written) return written.diagnostics();
  return summary;
}

Result<std::vector<std::pair<std::string, std::string>>> list_gallery(const std::string& folder) {
  const Result<std::vector<fs::path>> paths = grammars_in(folder);
  if (!paths) return paths.diagnostics();
  std::vector<std::pair<std::string, std::string>> plants;
  for (const fs::path& path : *paths) {
    const Result<std::string> text = read_file(path.string());
    if (!text) return text.diagnostics();
    plants.emplace_back(path.string(), first_comment(*text));
  }
  return plants;
}

}  // namespace

Outcome<SheetSummary> contact_sheet(const SheetRequest& request) {
  return attempt([&] { return draw_sheet(request); });
}

Outcome<std::vector<std::pair<std::string, std::string>>> gallery(const std::string& folder) {
  return attempt([&] { return list_gallery(folder); });
}

}  // namespace thigmo
