#include <fmt/format.h>

#include <memory>

#include "cli/commands.h"
#include "cli/json.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "thigmo/thigmo.h"

namespace thigmo::cli {
namespace {

int list_plants(const std::string& folder, bool json) {
  const auto plants = gallery(folder);
  if (!plants) return fail(plants.diagnostics(), json, exit_failed);
  if (json) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const auto& [file, shows] : *plants) list.push_back({{"file", file}, {"shows", shows}});
    print_json({{"plants", list}});
    return 0;
  }
  for (const auto& [file, shows] : *plants) print("{:<36} {}\n", file, shows);
  return 0;
}

int draw_sheet(SheetRequest& request, bool json) {
  request.cancel = &interrupted();
  ProgressDisplay display;
  request.on_progress = [&display](const Progress& progress) { display.show(progress); };
  const Outcome<SheetSummary> summary = contact_sheet(request);
  if (const std::optional<int> ended = end_of_picture(summary, json)) return *ended;
  print("{} plants\nwritten to {}\n", summary->plants.size(), request.out_file);
  return 0;
}

}  // namespace

void add_gallery(CLI::App& app, int& exit_code) {
  auto request = std::make_shared<SheetRequest>();
  auto json = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand("gallery", "List the gallery's plants, or draw them all");
  command->add_option("FOLDER", request->folder, "Of grammars")->capture_default_str();
  CLI::Option* sheet = command
                           ->add_option("--sheet", request->out_file,
                                        "Draw all of them into one picture (gallery.png)")
                           ->expected(0, 1);
  command->add_option("--columns", request->columns, "Pictures side by side")
      ->capture_default_str();
  command->add_option("--tile", request->tile, "Pixels across one picture")->capture_default_str();
  command->add_option("--samples", request->samples, "Light paths a pixel")->capture_default_str();
  command->add_option("--threads", request->threads, "Threads to use (0: all)")
      ->check(not_negative());
  command->add_flag("--json", *json, "Print the list or the summary as JSON");
  command->footer("Example: thigmo gallery --sheet plants.png --columns 7");
  command->callback([request, json, sheet, &exit_code] {
    if (request->out_file.empty()) request->out_file = "gallery.png";
    exit_code =
        sheet->count() == 0 ? list_plants(request->folder, *json) : draw_sheet(*request, *json);
  });
}

}  // namespace thigmo::cli
