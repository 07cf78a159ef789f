#include <fmt/format.h>

#include <memory>

#include "cli/commands.h"
#include "thigmo/thigmo.h"

namespace thigmo::cli {
namespace {

int convert_and_print(const ConvertRequest& request) {
  const Outcome<Converted> converted = convert(request);
  if (!converted) {
    fmt::print(stderr, "{}\n", converted.error());
    return exit_failed;
  }
  fmt::print("{} segments, {} organs\n", converted->segments, converted->organs);
  for (const std::string& note : converted->notes) fmt::print("{}\n", note);
  for (const std::string& file : converted->files) fmt::print("wrote {}\n", file);
  return 0;
}

}  // namespace

void add_convert(CLI::App& app, int& exit_code) {
  auto request = std::make_shared<ConvertRequest>();
  CLI::App* command =
      app.add_subcommand("convert", "Turn a grammar or a tree's file into another format");
  command->add_option("IN", request->input, "Grammar, or OBJ, GEO, QSM JSON, CSV or glTF skeleton")
      ->required();
  command
      ->add_option("OUT", request->output,
                   "Its ending says the format: .glb .usda .obj .ply .geo .json .csv .pp2 …")
      ->required();
  command->add_option("--species", request->species, "What an imported tree is made of")
      ->capture_default_str();
  command->add_option("--scale", request->scale, "Metres in the input's unit")
      ->check(positive())
      ->check(finite_number());
  command->add_flag("--lines", request->lines, "Write .obj as lines instead of a mesh");
  command->footer("Example: thigmo convert gallery/plants/young_tree.lsys tree.glb");
  command->callback([request, &exit_code] { exit_code = convert_and_print(*request); });
}

}  // namespace thigmo::cli
