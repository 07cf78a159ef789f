#include "io/geo/geo.h"

namespace thigmo {

Result<LineGeometry> lines_from_geo(std::string_view text, std::string_view file) {
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  const bool json = start != std::string_view::npos && (text[start] == '[' || text[start] == '{');
  return json ? lines_from_geo_json(text, file) : lines_from_geo_classic(text, file);
}

}  // namespace thigmo
