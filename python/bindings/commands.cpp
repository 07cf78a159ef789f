#include "commands.h"

#include <thigmo/json.h>
#include <thigmo/load_world.h>

#include "plants.h"

// The commands: what reads scenarios and writes files. Each returns what it prints with --json.

namespace thigmo::python {
namespace {

py::object run(const PathText& file, const PathText& out_folder, const py::dict& set, int threads,
               const PathText& restore_file, const PathText& save_file, const py::object& progress) {
  Watch watch(progress);
  const RunRequest request{.scenario_file = file.text,
                           .out_folder = out_folder.text,
                           .threads = threads,
                           .overrides = overrides_of(set),
                           .on_progress = watch.listener(),
                           .cancel = &watch.cancel,
                           .restore_file = restore_file.text,
                           .save_file = save_file.text};
  return dict_of(to_json(watched(watch, [&] { return thigmo::run(request); })));
}

UsdStyle style_of(const std::string& name) {
  const std::optional<UsdStyle> style = find_usd_style(name);
  if (!style) {
    refuse(Trouble::argument, "a USD file has no style '" + name + "'",
           "write 'skeleton', 'points' or 'curves'");
  }
  return *style;
}

py::object convert(const PathText& input, const PathText& output, const std::string& species,
                   double scale, bool lines, int max_joints, const std::string& style, double rate,
                   const py::dict& set, int threads, const py::object& progress) {
  Watch watch(progress);
  const ConvertRequest request{.input = input.text,
                               .output = output.text,
                               .species = species,
                               .scale = scale,
                               .lines = lines,
                               .max_joints = max_joints,
                               .style = style_of(style),
                               .rate = rate,
                               .overrides = overrides_of(set),
                               .threads = threads,
                               .on_progress = watch.listener(),
                               .cancel = &watch.cancel};
  return dict_of(to_json(watched(watch, [&] { return thigmo::convert(request); })));
}

py::object pose(const std::optional<PathText>& file, const std::string& text, const py::dict& set,
                const std::string& method, bool rest_from_pose,
                const std::optional<Numbers3>& branch, const PathText& out_folder) {
  const PoseRequest request{.scenario_file = file ? file->text : "",
                            .scenario_text = text,
                            .overrides = overrides_of(set),
                            .method = method,
                            .rest_from_pose = rest_from_pose,
                            .branch = branch,
                            .out_folder = out_folder.text};
  return dict_of(to_json(asked([&] { return thigmo::pose(request); })));
}

py::object modes(const std::optional<PathText>& file, const std::string& text, const py::dict& set,
                 const std::string& plant, int count, const std::string& about,
                 const std::string& species, std::optional<double> young,
                 std::optional<double> density, const PathText& out_folder) {
  const ModesRequest request{.file = file ? file->text : "",
                             .scenario_text = text,
                             .overrides = overrides_of(set),
                             .plant = plant,
                             .count = count,
                             .about = about,
                             .species = species,
                             .young = young,
                             .density = density,
                             .out_folder = out_folder.text};
  return dict_of(to_json(asked([&] { return thigmo::modes(request); })));
}

py::object derive(const PathText& file, std::optional<double> steps,
                  std::optional<std::uint64_t> seed, const std::map<std::string, double>& defines) {
  const DeriveRequest request{.file = file.text,
                              .steps = steps,
                              .seed = seed,
                              .defines = defines,
                              .want_text = true};
  const Derived derived = asked([&] { return thigmo::derive(request); });
  py::object result = dict_of(to_json(derived));
  result["text"] = derived.text;
  return result;
}

WorldPointer world_from(World&& world) {
  return std::make_shared<WorldObject>(WorldObject{.world = std::move(world)});
}

void bind_files(py::module_& module) {
  module.def(
      "load_world",
      [](const PathText& file, const py::dict& set) {
        const std::vector<std::string> overrides = overrides_of(set);
        return world_from(asked([&] { return load_world(file.text, overrides); }));
      },
      "file"_a, "overrides"_a = py::dict(),
      "A world from a scenario file; overrides: other values for its keys, such as "
      "{'plant.beam.segments': 500}.");
  module.def(
      "parse_world",
      [](const std::string& text, const PathText& folder, const py::dict& set) {
        const std::vector<std::string> overrides = overrides_of(set);
        return world_from(asked([&] { return parse_world(text, folder.text, overrides); }));
      },
      "text"_a, "folder"_a = ".", "overrides"_a = py::dict(),
      "A world from the text of a scenario; files it names are looked up in the folder.");
  module.def(
      "read_plant",
      [](const PathText& file, const std::string& species, double scale, std::optional<bool> z_up,
         std::optional<int> pieces) {
        GrownObject read;
        const PlantFile request{.file = file.text,
                                .species = species,
                                .scale = scale,
                                .z_up = z_up,
                                .pieces = pieces};
        read.plant = asked([&] { return read_plant(request, &read.notes); });
        return read;
      },
      "file"_a, "species"_a = "oak", "scale"_a = 1.0, "z_up"_a = py::none(),
      "pieces"_a = py::none(),
      "A tree that was drawn or scanned elsewhere (.json, .obj, .csv, .swc, .gltf …). scale: metres "
      "in the file's unit; z_up: else what the format says; pieces: of each of its segments, else as "
      "far as bending needs it.");
  module.def("convert", convert, "input"_a, "output"_a, py::kw_only(), "species"_a = "oak",
             "scale"_a = 1.0, "lines"_a = false, "max_joints"_a = 65'535, "style"_a = "skeleton",
             "rate"_a = 30.0, "overrides"_a = py::dict(), "threads"_a = 0,
             "progress"_a = py::none(),
             "Writes a grammar, a scenario or a tree from elsewhere to a file of another kind, by its "
             "ending. rate: frames per second of a scenario's motion.");
}

void bind_questions(py::module_& module) {
  module.def("run", run, "file"_a, "out_folder"_a = "", py::kw_only(),
             "overrides"_a = py::dict(), "threads"_a = 0, "restore_file"_a = "",
             "save_file"_a = "", "progress"_a = py::none(),
             "Runs a scenario and writes what it asks for; its summary. progress: called with the stage "
             "and how much of it is done, 0 to 1.");
  module.def("pose", pose, "file"_a = py::none(), py::kw_only(), "text"_a = "",
             "overrides"_a = py::dict(), "method"_a = "newton", "rest_from_pose"_a = false,
             "branch"_a = py::none(), "out_folder"_a = "",
             "Where the plant of a scenario, a file or a text, comes to rest.");
  module.def("modes", modes, "file"_a = py::none(), py::kw_only(), "text"_a = "",
             "overrides"_a = py::dict(), "plant"_a = "", "count"_a = 10,
             "about"_a = "equilibrium", "species"_a = "oak", "young"_a = py::none(),
             "density"_a = py::none(), "out_folder"_a = "",
             "The lowest vibrations of a plant. about: 'equilibrium', 'modelled' or 'rest'.");
  module.def("derive", derive, "file"_a, py::kw_only(), "steps"_a = py::none(),
             "seed"_a = py::none(), "parameters"_a = std::map<std::string, double>{},
             "What a grammar grows: its string under 'text', and counts of it.");
  module.def(
      "check",
      [](const PathText& file) {
        return dict_of(to_json(asked([&] { return thigmo::check(file.text); })));
      },
      "file"_a, "Everything that is wrong or suspicious about a grammar file.");
}

}  // namespace

void bind_commands(py::module_& module) {
  bind_files(module);
  bind_questions(module);
  bind_render(module);
  bind_validate(module);
}

}  // namespace thigmo::python
