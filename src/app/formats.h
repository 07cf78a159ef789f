#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/common.h"
#include "base/result.h"
#include "io/disk/pose_file.h"
#include "io/rig/reduce.h"
#include "io/tables/attribute.h"
#include "mesh/mesh.h"
#include "mesh/mesh_options.h"
#include "plant/motion.h"
#include "plant/sizes.h"
#include "thigmo/formats.h"

namespace thigmo {

// The format that plants are written in at this path; null for an ending that is no such format.
const FileFormat* written_format(std::string_view path);

// What the format's numbers hold; an .obj may be of lines.
Precision precision_of(const FileFormat& format, bool lines);

struct PlantFileOptions {
  Index max_joints = 65'535;            // of a skeleton; more segments are merged
  bool lines = false;                   // .obj as lines instead of a mesh
  UsdStyle style = UsdStyle::skeleton;  // of .usda
  MeshOptions surface = {};
  // Columns of each plant, null where it has none; empty: none has any.
  std::span<const std::shared_ptr<const PlantColumns>> columns = {};
  std::size_t first_frame = 0;                // number of the motion's first
  const Inputs* inputs = nullptr;             // files that were read, to be spared
  const PoseFile* source = nullptr;           // where the motion is kept, if in a file
  const std::atomic<bool>* cancel = nullptr;  // when it turns true, no further file is begun
};

// Whether all frames of a file have the same vertices, so that no plant can come or go.
bool has_fixed_vertices(const FileFormat& format);
// Says so of a plant that does.
Diagnostic comes_or_goes(const std::string& plant, const std::string& path);

// Every file that `write_plants` writes for this many frames: numbered ones, textures and their JSON
// beside the name that was asked for.
std::vector<std::string> plant_file_paths(const std::string& path, const FileFormat& format,
                                          std::size_t frames, std::size_t first_frame = 0);

// What was written, and what had to be given up for it.
struct WrittenFiles {
  std::vector<std::string> paths;
  Diagnostics notes;
  std::vector<JointReduction> reductions = {};  // of a skeleton, by plant
};

// "NAME: ", to begin a note on a plant with, where it has one.
std::string name_before(const Plant& plant);

// Writes plants and their motion (at rest where it has no poses). Each file appears whole or not at
// all; formats with a file per frame number them: tree.0001.obj.
Result<WrittenFiles> write_plants(const std::string& path, const FileFormat& format,
                                  std::span<const MovingPlant> plants,
                                  const PlantFileOptions& options = {});

}  // namespace thigmo
