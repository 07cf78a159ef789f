#include "io/read_plant.h"

#include <algorithm>
#include <cctype>

#include "io/geo.h"
#include "io/gltf_reader.h"
#include "io/obj.h"
#include "io/scanner.h"
#include "io/tree_table.h"

namespace thigmo {
namespace {

std::string stem_of(std::string_view file) {
  const std::size_t slash = file.find_last_of("/\\");
  if (slash != std::string_view::npos) file.remove_prefix(slash + 1);
  return std::string(file.substr(0, file.find_last_of('.')));
}

Result<SegmentTable> as_table(Result<LineGeometry> lines) {
  if (!lines) return lines.diagnostics();
  return table_from_lines(*lines);
}

Result<SegmentTable> read_table(PlantFormat format, std::string_view bytes, std::string_view file,
                                bool& z_up) {
  switch (format) {
    case PlantFormat::obj:
      return as_table(lines_from_obj(bytes, file));
    case PlantFormat::geo:
      return as_table(lines_from_geo(bytes, file));
    case PlantFormat::json: {
      // Houdini's JSON is a list, a cylinder model an object.
      const std::size_t first = bytes.find_first_not_of(" \t\r\n");
      if (first != std::string_view::npos && bytes[first] == '[') {
        return as_table(lines_from_geo(bytes, file));
      }
      z_up = true;
      return table_from_qsm_json(bytes, file);
    }
    case PlantFormat::csv:
      return table_from_csv(bytes, file, z_up);
    case PlantFormat::gltf:
      return table_from_gltf(bytes, file);
  }
  return error("no such format");
}

}  // namespace

std::optional<PlantFormat> plant_format(std::string_view path) {
  const std::size_t dot = path.find_last_of('.');
  if (dot == std::string_view::npos) return std::nullopt;
  std::string ending(path.substr(dot + 1));
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (ending == "obj") return PlantFormat::obj;
  if (ending == "geo" || ending == "hclassic") return PlantFormat::geo;
  if (ending == "json") return PlantFormat::json;
  if (ending == "csv" || ending == "txt" || ending == "swc") return PlantFormat::csv;
  if (ending == "glb" || ending == "gltf") return PlantFormat::gltf;
  return std::nullopt;
}

std::string plant_format_endings() {
  return ".obj, .geo, .hclassic, .json, .csv, .txt, .swc, .glb, .gltf";
}

Result<ImportedPlant> read_plant(PlantFormat format, std::string_view bytes, std::string_view file,
                                 ImportOptions options) {
  bool z_up = false;
  Result<SegmentTable> table = read_table(format, without_byte_order_mark(bytes), file, z_up);
  if (!table) return table.diagnostics();
  if (table->name.empty()) table->name = stem_of(file);
  if (!options.up) options.up = z_up ? UpAxis::z : UpAxis::y;
  return plant_from_table(*table, options, file);
}

}  // namespace thigmo
