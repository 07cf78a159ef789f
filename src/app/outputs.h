#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "app/common.h"
#include "app/formats.h"
#include "app/recorder.h"
#include "thigmo/run.h"

namespace thigmo {

// What would stop an output, known before anything is simulated: names of values, meshes of organs, the
// program that encodes videos.
Result<Done> check_outputs(const Scenario& scenario);

// Refuses more frames than a folder should have files.
Result<Done> check_frame_files(const FileFormat& format, std::size_t frames);

// The frames that a run from `start` [s] on has of an animation: at least one, which may be its start.
struct FrameRange {
  std::size_t first = 0, count = 0;
};
FrameRange frames_from(const Scenario& scenario, double start, double rate);

// Every file that an output of a run from `start` [s] on writes, as a name inside the run's folder.
std::vector<std::string> output_files(const OutputSource& output, const Scenario& scenario,
                                      double start);

// Whether every file of the run can be written, and none twice, before any work is done for it. The
// folder must be there.
Result<Done> check_run_files(const Scenario& scenario, const RunRequest& request,
                             const Inputs& inputs, double start);

// Writes one output into the folder; nothing when the request is cancelled.
Result<WrittenFiles> write_output(const OutputSource& output, const Scenario& scenario,
                                  const Simulation& simulation, const Recorder& recorder,
                                  std::span<const std::shared_ptr<const PlantColumns>> columns,
                                  const Inputs& inputs, const RunRequest& request);

}  // namespace thigmo
