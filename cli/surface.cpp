#include "cli/surface.h"

#include "cli/commands.h"

namespace thigmo::cli {

void add_surface_options(CLI::App& command, SurfaceDetail& detail) {
  command.add_option("--sides", detail.sides, "Sides of the thickest stem")->capture_default_str();
  command
      .add_option("--min-radius", detail.min_radius, "Leave out stems thinner than this, in metres")
      ->check(not_negative());
  command.add_option("--leaf-share", detail.leaf_share,
                     "Part of the leaves to keep, each larger so that their area stays");
  command
      .add_option("--root-flare", detail.root_flare,
                  "How much wider the foot of a stem is: 0.5 is half more")
      ->check(not_negative());
  command.add_flag("--weld", detail.weld,
                   "Make branches and their parents one closed surface, as for 3-D prints");
  command.add_flag("--tangents", detail.tangents, "Write tangents into GLB, for normal maps");
  command
      .add_option_function<std::vector<std::string>>(
          "--organ",
          [&detail](const std::vector<std::string>& words) {
            for (const std::string& word : words) {
              const std::size_t equals = word.find('=');
              if (equals == std::string::npos)
                throw CLI::ValidationError("--organ", "write KIND=FILE, for example leaf=leaf.obj");
              detail.organs.push_back({word.substr(0, equals), word.substr(equals + 1)});
            }
          },
          "Mesh for a kind of organ: leaf=leaf.obj, flower=rose.glb, petal=…, fruit=…, bud=…")
      ->allow_extra_args(false);
}

}  // namespace thigmo::cli
