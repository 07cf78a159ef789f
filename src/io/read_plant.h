#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/segment_table.h"

namespace thigmo {

// Formats that a plant can be read from.
enum class PlantFormat { obj, geo, json, csv, gltf };

// By the file's extension: .obj, .geo .hclassic, .json, .csv .txt .swc, .glb .gltf; none for others.
std::optional<PlantFormat> plant_format(std::string_view path);

// ".obj, .geo, …"
std::string plant_format_endings();

// A tree drawn or scanned elsewhere as a plant that can move. `file` is for messages.
Result<ImportedPlant> read_plant(PlantFormat format, std::string_view bytes, std::string_view file,
                                 ImportOptions options = {});

}  // namespace thigmo
