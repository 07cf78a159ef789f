#include "thigmo/convert.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "app/common.h"
#include "app/formats.h"
#include "app/outputs.h"
#include "app/recorder.h"
#include "app/surface.h"
#include "app/view.h"
#include "io/disk/file.h"
#include "io/read_plant.h"
#include "io/textures/png.h"
#include "mesh/build.h"
#include "render/picture.h"
#include "render/wireframe.h"
#include "simulation/add_plant.h"
#include "simulation/advance.h"

namespace thigmo {
namespace {

using Clock = std::chrono::steady_clock;

bool cancelled(const ConvertRequest& request) { return request.cancel && request.cancel->load(); }

// What a file holds: plants, how they move, and columns that came with them.
struct Input {
  // A plant, which equal ones share, its name, and where it stands.
  struct Item {
    std::shared_ptr<const Plant> plant;
    std::string name;
    PlantFrame stands = {};
  };
  std::vector<Item> plants;
  std::optional<Film> film = {};  // of a scenario, instead of these
  std::vector<std::shared_ptr<const PlantColumns>> columns = {};
  Diagnostics notes;
  std::vector<OrganMesh> organs;
  std::optional<Recorder> recorder;  // that the film is read from
};

Result<Input> read_grammar(const ConvertRequest& request, Inputs& inputs) {
  const Result<std::map<std::string, double>> parameters = parameters_of(request.overrides);
  if (!parameters) return parameters.diagnostics();
  Input input;
  Result<Plant> plant = grow_from_file({.file = request.input, .parameters = *parameters},
                                       inputs.reader(), input.notes);
  if (!plant) return plant.diagnostics();
  input.plants.push_back({std::make_shared<const Plant>(std::move(*plant)), {}});
  return input;
}

Result<Input> read_foreign(const ConvertRequest& request) {
  const FileFormat* format = find_format(request.input);
  if (format == nullptr || !reads_plants(*format)) {
    return error(
        fmt::format("no format is known for '{}'", request.input),
        "plants are read from " + format_endings([](const FileFormat& f) { return f.reads; }));
  }
  if (const auto material = material_of(request.species); !material) return material.diagnostics();
  const Result<std::string> bytes = read_file(request.input);
  if (!bytes) return bytes.diagnostics();
  Result<ImportedPlant> imported = read_plant(format->format, *bytes, request.input,
                                              {.scale = request.scale, .species = request.species});
  if (!imported) return imported.diagnostics();
  Input input;
  for (const std::string& words : imported->notes)
    input.notes.push_back(note(words, request.input));
  input.columns.push_back(std::make_shared<const PlantColumns>(
      PlantColumns{std::move(imported->attributes), std::move(imported->start_attributes)}));
  input.plants.push_back({std::make_shared<const Plant>(std::move(imported->plant)), {}});
  return input;
}

// Whether all files of so many frames can be written, and neither what is read nor the comparison is one
// of them.
Result<Done> check_places(const ConvertRequest& request, std::size_t frames, const Inputs& inputs) {
  const char* hint = "give the output another name";
  const std::string compare = request.compare.empty() ? "" : plain_path(request.compare);
  for (const std::string& path :
       plant_file_paths(request.output, *written_format(request.output), frames)) {
    if (Result<Done> done = check_place(path); !done) return done;
    if (Result<Done> done = inputs.spare(path, "the output", hint); !done) return done;
    if (!compare.empty() && plain_path(path) == compare) {
      return error(fmt::format("'{}' would be written twice: as frame and as comparison", path),
                   "give the comparison another name");
    }
  }
  if (request.compare.empty()) return Done{};
  return inputs.spare(request.compare, "the comparison", "give the comparison another name");
}

// Simulates a scenario and keeps the poses at the frames of the rate.
Result<Input> read_scenario(const ConvertRequest& request, Inputs& inputs) {
  const Result<std::string> text = read_file(request.input);
  if (!text) return text.diagnostics();
  Result<Scenario> scenario = parse_scenario(request.input, *text, request.overrides);
  if (!scenario) return scenario.diagnostics();
  if (!(request.rate > 0 && request.rate <= 1000)) {
    return error(fmt::format("{} frames a second are not possible", request.rate),
                 "above 0, and 1000 at most");
  }
  // Only the motion is asked for: the recorder keeps what one output at this rate needs.
  scenario->outputs = {OutputSource{.file = request.output,
                                    .kind = OutputKind::plants,
                                    .rate = request.rate,
                                    .lines = request.lines}};
  const std::size_t frames = frames_at_rate(scenario->duration, request.rate);
  if (const Result<Done> done = check_frame_files(*written_format(request.output), frames); !done)
    return done.diagnostics();
  inputs.add(files_named(*scenario));
  TreeColumns columns;
  Result<Simulation> simulation =
      make_simulation(*scenario, inputs.reader(), read_tree_keeping(columns));
  if (!simulation) return simulation.diagnostics();
  // Only now it is known which files the grammars include.
  if (const Result<Done> done = check_places(request, frames, inputs); !done)
    return done.diagnostics();
  Result<Recorder> recorder =
      Recorder::open(*scenario, *simulation, containing_folder(request.output));
  if (!recorder) return recorder.diagnostics();
  Course course{.step = scenario->step,
                .end_step = step_count(scenario->duration, scenario->step),
                .threads = request.threads,
                .cancel = request.cancel};
  if (request.on_progress) {
    course.on_progress = [&](double done) { request.on_progress({"simulating", done}); };
  }
  const auto kept = columns_of(*scenario, *simulation, std::move(columns));
  recorder->attend(*simulation, course);
  if (const Result<CourseReport> report = advance(course, *simulation); !report)
    return report.diagnostics();
  if (!simulation->finite) return why_stopped(*simulation);
  Input input{.notes = simulation->notes};
  for (Diagnostic& said : notes_on_motion(*simulation)) input.notes.push_back(std::move(said));
  input.organs = scenario->organs;
  recorder->end(*simulation);
  input.recorder.emplace(std::move(*recorder));
  input.film = input.recorder->film_at_rate(request.rate, kept);
  input.columns = input.film->columns;
  return input;
}

// All joints and the few that are left, side by side, at the frame where they differ most.
Result<Done> write_comparison(const ConvertRequest& request, const MovingPlant& moving,
                              const JointReduction& reduction, const MeshOptions& surface) {
  const Plant& plant = *moving.plant;
  const std::size_t frame = reduction.worst_frame;
  Pose scratch;
  const Pose& all = pose_at(*moving.motion, frame, scratch);
  const Pose few = reduced_pose(plant, reduction, all);
  const Motion both{.times = {0, 1}, .poses = {all, few}};
  const MovingPlant reached{.plant = &plant, .motion = &both};
  const Result<Camera> camera = camera_of({}, {&reached, 1}, 1.0);
  if (!camera) return camera.diagnostics();
  const auto draw = [&](const Pose& pose) {
    const PosedPlant posed{.plant = &plant, .pose = &pose};
    return render_picture({&posed, 1}, *camera,
                          {.width = request.compare_size,
                           .height = request.compare_size,
                           .samples = 24,
                           .threads = request.threads,
                           .surface = surface,
                           .cancel = request.cancel});
  };
  std::vector<SheetTile> tiles;
  tiles.push_back({draw(all), fmt::format("{} joints", plant.segments.size())});
  tiles.push_back(
      {draw(few), fmt::format("{} joints: tips off by {:.2g} m at most, {:.2g} m in the mean",
                              reduction.kept.size(), reduction.error_max, reduction.error_mean)});
  if (cancelled(request)) return Done{};
  return write_file(request.compare, png_bytes(contact_sheet(tiles, 2)));
}

// How many side branches became one surface with their parents.
void note_welds(std::span<const MovingPlant> plants, MeshOptions surface, Converted& converted) {
  surface.organs = false;
  for (const MovingPlant& moving : plants) {
    const SkinnedMesh mesh = build_mesh(*moving.plant, surface);
    converted.notes.push_back(note(fmt::format(
        "{}{} of {} side branches are welded to their parents, the others stand in them",
        name_before(*moving.plant), mesh.welded, mesh.welded + mesh.standing)));
  }
}

Result<Done> check(const ConvertRequest& request, const Inputs& inputs) {
  if (!request.compare.empty() &&
      (!has_format(request.compare, Format::png) || !has_format(request.output, Format::glb) ||
       !has_kind(request.input, FormatKind::scenario))) {
    return error("a comparison is a .png, of a scenario's motion written as .glb",
                 "for example convert gust.toml tree.glb --max-joints 256 --compare both.png");
  }

  if (!written_format(request.output)) {
    return error(fmt::format("no format is known for '{}'", request.output),
                 "formats: " + format_endings(writes_plants));
  }
  if (request.compare_size < 16 || request.compare_size > 4096) {
    return error(fmt::format("pictures of {} pixels are not possible", request.compare_size),
                 "16 to 4096 are");
  }
  if (request.max_joints < 1 || request.max_joints > 65'535) {
    return error(fmt::format("a skeleton of {} joints is not possible", request.max_joints),
                 "1 to 65535 are");
  }
  if (const Result<MeshOptions> surface = mesh_options(request.surface); !surface)
    return surface.diagnostics();
  if (!request.compare.empty()) {
    if (Result<Done> done = check_writable(request.compare); !done) return done;
  }
  // The name itself may stand for others (tree.vat: tree_offsets.png, …); a temporary file tells of the
  // folder they will be in.
  const std::vector<std::string> paths =
      plant_file_paths(request.output, *written_format(request.output), 1);
  if (Result<Done> done = check_writable(paths.front()); !done) return done;
  return check_places(request, 1, inputs);
}

Result<Converted> convert_file(const ConvertRequest& request) {
  Inputs inputs;
  inputs.add(request.input);
  for (const OrganMesh& organ : request.surface.organs) inputs.add(organ.file);
  if (const Result<Done> done = check(request, inputs); !done) return done.diagnostics();
  const Result<Input> input =
      has_kind(request.input, FormatKind::scenario)  ? read_scenario(request, inputs)
      : has_kind(request.input, FormatKind::grammar) ? read_grammar(request, inputs)
                                                     : read_foreign(request);
  if (!input) return input.diagnostics();
  if (!input->film) {
    if (const Result<Done> done = check_places(request, 1, inputs); !done)
      return done.diagnostics();
  }
  SurfaceDetail detail = request.surface;
  detail.organs.insert(detail.organs.end(), input->organs.begin(), input->organs.end());
  const Result<MeshOptions> surface = mesh_options(detail);
  if (!surface) return surface.diagnostics();

  std::vector<MovingPlant> plants;
  if (input->film) plants = input->film->plants;
  for (const auto& [shared, name, stands] : input->plants) {
    plants.push_back({.plant = shared.get(), .stands = stands, .name = name});
  }
  Converted converted{.notes = input->notes};
  for (const MovingPlant& moving : plants) {
    converted.segments += moving.plant->segments.size();
    converted.organs += moving.plant->organs.size();
    if (moving.motion) converted.frames = moving.motion->times.size();
  }
  Result<WrittenFiles> written = WrittenFiles{};
  const Clock::time_point start = Clock::now();
  if (!cancelled(request)) {
    if (request.on_progress) request.on_progress({"writing", 0});
    written = write_plants(request.output, *written_format(request.output), plants,
                           {.max_joints = request.max_joints,
                            .lines = request.lines,
                            .style = request.style,
                            .surface = *surface,
                            .columns = input->columns,
                            .inputs = &inputs,
                            .source = input->recorder ? input->recorder->source() : nullptr,
                            .cancel = request.cancel});
  }
  converted.write_seconds = std::chrono::duration<double>(Clock::now() - start).count();
  converted.cancelled = cancelled(request);
  if (converted.cancelled) return converted;
  if (!written) return written.diagnostics();
  if (request.on_progress) request.on_progress({"writing", 1});
  converted.files = written->paths;
  if (!request.compare.empty()) {
    const JointReduction& reduction = written->reductions.front();
    if (reduction.kept.size() == plants.front().plant->segments.size()) {
      return error("nothing was merged, so there is nothing to compare",
                   fmt::format("--max-joints below {} merges", converted.segments));
    }
    const Result<Done> done = write_comparison(request, plants.front(), reduction, *surface);
    if (!done) return done.diagnostics();
    converted.files.push_back(request.compare);
  }
  converted.notes.insert(converted.notes.end(), written->notes.begin(), written->notes.end());
  if (surface->weld) note_welds(plants, *surface, converted);
  return converted;
}

}  // namespace

Outcome<Converted> convert(const ConvertRequest& request) {
  return attempt([&] { return convert_file(request); });
}

}  // namespace thigmo
