#include <fmt/format.h>

#include <memory>

#include "cli/commands.h"
#include "cli/output.h"
#include "thigmo/thigmo.h"

namespace thigmo::cli {
namespace {

struct ModesOptions {
  ModesRequest request;
  bool json = false;
};

int modes_and_print(const ModesOptions& options) {
  const Outcome<ModesSummary> summary = modes(options.request);
  if (!summary) return fail(summary.diagnostics(), options.json, exit_failed);
  say(summary->notes);
  if (options.json) {
    print("{}\n", to_json(*summary));
    return 0;
  }
  print("{}: {} segments, modes about {}, {:.3g} m from its modelled shape, {:.3g} ms\n",
        summary->plant, summary->segments, summary->about, summary->sag, summary->wall_ms);
  for (std::size_t i = 0; i < summary->frequencies_hz.size(); ++i) {
    print("mode {:<4} {:.6g} Hz, damping ratio {:.3g}, moves {:.2g} % of the mass\n", i + 1,
          summary->frequencies_hz[i], summary->damping_ratios[i], 100 * summary->mass_share[i]);
  }
  for (const std::string& file : summary->files) print("written {}\n", file);
  return 0;
}

}  // namespace

void add_modes(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ModesOptions>();
  ModesRequest& request = options->request;
  CLI::App* command = app.add_subcommand("modes", "Find the natural frequencies of a plant");
  command
      ->add_option("FILE", request.file,
                   "Scenario (.toml), or a tree (.json, .obj, .geo, .csv, .glb, .gltf)")
      ->required();
  command->add_option("--count", request.count, "How many modes")->capture_default_str();
  command
      ->add_option("--about", request.about,
                   "equilibrium: as it settles; modelled: as it is drawn, standing under its "
                   "weight; rest: without any load")
      ->capture_default_str();
  command->add_option("--plant", request.plant, "Which plant of the scenario (default: the first)");
  command->add_option("--species", request.species, "Wood of a tree")->capture_default_str();
  command->add_option("--young", request.young, "Young's modulus of a tree's wood [Pa]");
  command->add_option("--density", request.density, "Density of a tree's wood [kg/m^3]");
  command->add_option("--poisson", request.poisson, "Poisson's ratio of a tree's wood");
  command->add_option("--shear", request.shear, "Shear modulus of a tree's wood [Pa]");
  command->add_option("--shear-ratio", request.shear_ratio,
                      "Shear modulus over Young's of a tree's wood");
  command->add_option("--pieces", request.pieces,
                      "Pieces that each segment of a tree is cut into (default: as many as make "
                      "five joints between forks)");
  command->add_option("--out", request.out_folder,
                      "Folder for every mode as animation (.glb) and picture (.png)");
  command->add_option("--set", request.overrides, "Change a key of the scenario")
      ->allow_extra_args(false);
  command->add_flag("--json", options->json, "Print the result as JSON");
  command->footer("Example: thigmo modes gallery/scenarios/cantilever.toml --count 6 --json");
  command->callback([options, &exit_code] { exit_code = modes_and_print(*options); });
}

}  // namespace thigmo::cli
