#include "io/read_plant.h"

#include <fmt/format.h>

#include "io/geo/geo.h"
#include "io/geo/obj.h"
#include "io/gltf/gltf_skeleton.h"
#include "io/tables/tree_table.h"
#include "io/text/scanner.h"

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

Result<SegmentTable> read_table(Format format, std::string_view bytes, std::string_view file,
                                bool& z_up) {
  switch (format) {
    case Format::obj:
      return as_table(lines_from_obj(bytes, file));
    case Format::geo:
      return as_table(lines_from_geo(bytes, file));
    case Format::geo_json: {
      // Houdini's JSON is a list, a cylinder model an object.
      const std::size_t first = bytes.find_first_not_of(" \t\r\n");
      if (first != std::string_view::npos && bytes[first] == '[') {
        return as_table(lines_from_geo(bytes, file));
      }
      z_up = true;
      return table_from_qsm_json(bytes, file);
    }
    case Format::csv:
      return table_from_csv(bytes, file, z_up);
    case Format::glb:
    case Format::gltf:
      return table_from_gltf(bytes, file);
    default:
      return error(fmt::format("no plant can be read from '{}'", file),
                   "plants are read from " + format_endings(reads_plants));
  }
}

}  // namespace

Result<ImportedPlant> read_plant(Format format, std::string_view bytes, std::string_view file,
                                 ImportOptions options) {
  bool z_up = false;
  Result<SegmentTable> table = read_table(format, without_byte_order_mark(bytes), file, z_up);
  if (!table) return table.diagnostics();
  if (table->name.empty()) table->name = stem_of(file);
  if (!options.up) options.up = z_up ? UpAxis::z : UpAxis::y;
  return plant_from_table(*table, options, file);
}

}  // namespace thigmo
