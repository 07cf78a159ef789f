#include "api/common.h"

#include <fmt/format.h>

#include "api/formats.h"
#include "io/file.h"
#include "io/read_plant.h"
#include "thigmo/thigmo.h"

namespace thigmo {
namespace {

bool is_grammar(std::string_view path) {
  return path.ends_with(".lsys") || path.ends_with(".abs") || path.ends_with(".sbt");
}

Result<ImportedPlant> read_input(const ConvertRequest& request) {
  if (is_grammar(request.input)) {
    Result<Plant> plant = grow_from_file({.file = request.input}, read_any);
    if (!plant) return plant.diagnostics();
    return ImportedPlant{.plant = std::move(*plant)};
  }
  const std::optional<PlantFormat> format = plant_format(request.input);
  if (!format) {
    return error(fmt::format("no format is known for '{}'", request.input),
                 "trees are read from .lsys .abs .sbt .obj .geo .json .csv .txt .swc .glb .gltf");
  }
  if (const auto material = material_of(request.species); !material) return material.diagnostics();
  const Result<std::string> bytes = read_file(request.input);
  if (!bytes) return bytes.diagnostics();
  return read_plant(*format, *bytes, request.input,
                    {.scale = request.scale, .species = request.species});
}

Result<Converted> convert_file(const ConvertRequest& request) {
  const std::optional<PlantFile> format = plant_file(request.output);
  if (!format) {
    return error(fmt::format("no format is known for '{}'", request.output),
                 "formats: " + plant_file_endings());
  }
  const Result<ImportedPlant> imported = read_input(request);
  if (!imported) return imported.diagnostics();
  const MovingPlant still{.plant = &imported->plant};
  const Result<WrittenFiles> written =
      write_plants(request.output, *format, {&still, 1}, {.lines = request.lines});
  if (!written) return written.diagnostics();
  Converted converted{.segments = imported->plant.segments.size(),
                      .organs = imported->plant.organs.size(),
                      .files = written->paths,
                      .notes = imported->notes};
  converted.notes.insert(converted.notes.end(), written->notes.begin(), written->notes.end());
  return converted;
}

}  // namespace

Outcome<Converted> convert(const ConvertRequest& request) {
  Result<Converted> converted = convert_file(request);
  if (!converted) return failure_from(converted.diagnostics());
  return std::move(*converted);
}

}  // namespace thigmo
