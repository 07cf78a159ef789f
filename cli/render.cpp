#include <fmt/format.h>

#include <memory>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/surface.h"
#include "thigmo/thigmo.h"

namespace thigmo::cli {
namespace {

int render_and_print(RenderRequest& request, bool json) {
  request.cancel = &interrupted();
  const Outcome<RenderSummary> summary = render(request);
  if (const std::optional<int> ended = end_of_picture(summary, json)) return *ended;
  const Numbers3 &low = summary->bbox_min, &high = summary->bbox_max;
  print("{} segments, {} organs, {:.3g} x {:.3g} x {:.3g} m\n", summary->segments, summary->organs,
        high[0] - low[0], high[1] - low[1], high[2] - low[2]);
  if (!request.view.colour.empty()) {
    print("{} from {:.4g} to {:.4g}\n", request.view.colour, summary->value_min,
          summary->value_max);
  }
  print("written to {}\n", request.out_file);
  return 0;
}

// Three numbers, or none where the option is not given.
void add_place(CLI::App& command, const std::string& name, std::optional<Numbers3>& place,
               const std::string& description) {
  command
      .add_option_function<std::vector<double>>(
          name,
          [&place](const std::vector<double>& v) {
            place = Numbers3{v[0], v[1], v[2]};
          },
          description)
      ->expected(3)
      ->check(finite_number());
}

void add_view_options(CLI::App& command, View& view) {
  std::string names;
  for (const auto& [name, title] : colour_values()) names += (names.empty() ? "" : ", ") + name;
  command.add_option("--colour,--color", view.colour, "Colour segments by " + names);
  command.add_flag("--wireframe", view.wireframe, "Segments as lines, joints as dots");
  command
      .add_option("--azimuth", view.azimuth, "Look from here: 0 from +z, 90 from +x, in degrees")
      ->capture_default_str();
  command
      .add_option("--elevation", view.elevation, "And from so far above the horizon, in degrees")
      ->capture_default_str();
  command.add_option("--zoom", view.zoom, "2: everything twice as large")->check(positive());
  add_place(command, "--eye", view.eye, "Where the camera stands, x y z in metres");
  add_place(command, "--target", view.target, "What it looks at, x y z in metres");
  command.add_option("--field-of-view", view.field_of_view, "From bottom to top, in degrees")
      ->capture_default_str();
  command.add_option("--aperture", view.aperture, "Diameter of the lens in metres, for blur")
      ->check(not_negative());
  command.add_option("--focus", view.focus, "Distance that is sharp, in metres")->check(positive());
  command.add_flag("!--no-ground", view.ground, "Hang the plants in the sky");
}

}  // namespace

void add_render(CLI::App& app, int& exit_code) {
  auto request = std::make_shared<RenderRequest>();
  auto json = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand("render", "Draw a plant or a moment of a scenario");
  command
      ->add_option("FILE", request->file,
                   "Grammar, scenario or tree: " +
                       format_endings([](const FileFormat& f) { return f.reads; }))
      ->required();
  command->add_option("-o,--out", request->out_file, "Picture to write (.png)")->required();
  command->add_option("--frame", request->time, "Time of a scenario in seconds")
      ->check(not_negative());
  command
      ->add_option("--frames", request->times,
                   "Times in seconds, for pictures side by side: --frames 0,0.5,1")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(not_negative());
  command->add_option("--steps", request->steps, "Derivation steps instead of the grammar's")
      ->check(not_negative());
  command->add_option("--seed", request->seed, "Seed of the grammar's random choices");
  command
      ->add_option("--set", request->overrides,
                   "A constant of a grammar (HEIGHT=12) or a key of a scenario (wind.seed=3)")
      ->allow_extra_args(false);
  command->add_option("--species", request->species, "Wood instead of the grammar's");
  command->add_option("--width", request->width, "Pixels across each picture")
      ->capture_default_str();
  command->add_option("--height", request->height, "Pixels down each picture")
      ->capture_default_str();
  command->add_option("--samples", request->samples, "Light paths a pixel")->capture_default_str();
  command->add_option("--threads", request->threads, "Threads to use (0: all)")
      ->check(not_negative());
  add_view_options(*command, request->view);
  add_surface_options(*command, request->view.surface);
  command->add_flag("--json", *json, "Print the summary as JSON");
  command->footer("Example: thigmo render gallery/plants/young_tree.lsys --seed 3 -o tree.png");
  command->callback([request, json, &exit_code] { exit_code = render_and_print(*request, *json); });
}

}  // namespace thigmo::cli
