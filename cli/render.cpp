#include <fmt/format.h>

#include <memory>

#include "cli/commands.h"
#include "thigmo/thigmo.h"

namespace thigmo::cli {
namespace {

int render_and_print(RenderRequest& request) {
  request.cancel = &interrupted();
  const Outcome<RenderSummary> summary = render(request);
  if (!summary) {
    fmt::print(stderr, "{}\n", summary.error());
    return exit_failed;
  }
  if (summary->cancelled) {
    fmt::print(stderr, "interrupted: no picture was written\n");
    return exit_interrupted;
  }
  const Numbers3 &low = summary->bbox_min, &high = summary->bbox_max;
  fmt::print("{} segments, {} organs, {:.3g} x {:.3g} x {:.3g} m\n", summary->segments,
             summary->organs, high[0] - low[0], high[1] - low[1], high[2] - low[2]);
  fmt::print("written to {}\n", request.out_file);
  return 0;
}

}  // namespace

void add_render(CLI::App& app, int& exit_code) {
  auto request = std::make_shared<RenderRequest>();
  CLI::App* command = app.add_subcommand("render", "Draw a plant or a moment of a scenario");
  command->add_option("FILE", request->file, "Grammar (.lsys) or scenario (.toml)")->required();
  command->add_option("-o,--out", request->out_file, "Picture to write (.png)")->required();
  command->add_option("--frame", request->time, "Time of a scenario in seconds")
      ->check(not_negative());
  command->add_option("--steps", request->steps, "Derivation steps instead of the grammar's")
      ->check(not_negative());
  command->add_option("--seed", request->seed, "Seed of the grammar's random choices");
  command
      ->add_option("--set", request->overrides,
                   "A constant of a grammar (HEIGHT=12) or a key of a scenario (wind.seed=3)")
      ->allow_extra_args(false);
  command->add_option("--species", request->species, "Wood instead of the grammar's");
  command->add_option("--width", request->width, "Pixels across")->capture_default_str();
  command->add_option("--height", request->height, "Pixels down")->capture_default_str();
  command->add_option("--samples", request->samples, "Light paths a pixel")->capture_default_str();
  command->add_option("--threads", request->threads, "Threads to use (0: all)")
      ->check(not_negative());
  command->footer("Example: thigmo render gallery/plants/young_tree.lsys --seed 3 -o tree.png");
  command->callback([request, &exit_code] { exit_code = render_and_print(*request); });
}

}  // namespace thigmo::cli
