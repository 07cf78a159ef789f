#include <fmt/format.h>

#include <memory>

#include "cli/commands.h"
#include "cli/progress.h"
#include "thigmo/thigmo.h"

namespace thigmo::cli {
namespace {

int list_plants(const std::string& folder) {
  const auto plants = gallery(folder);
  if (!plants) {
    fmt::print(stderr, "{}\n", plants.error());
    return exit_failed;
  }
  for (const auto& [file, shows] : *plants) fmt::print("{:<36} {}\n", file, shows);
  return 0;
}

int draw_sheet(SheetRequest& request) {
  request.cancel = &interrupted();
  ProgressDisplay display;
  request.on_progress = [&display](const Progress& progress) { display.show(progress); };
  const Outcome<SheetSummary> summary = contact_sheet(request);
  if (!summary) {
    fmt::print(stderr, "{}\n", summary.error());
    return exit_failed;
  }
  if (summary->cancelled) {
    fmt::print(stderr, "interrupted: no picture was written\n");
    return exit_interrupted;
  }
  fmt::print("{} plants\nwritten to {}\n", summary->plants.size(), request.out_file);
  return 0;
}

}  // namespace

void add_gallery(CLI::App& app, int& exit_code) {
  auto request = std::make_shared<SheetRequest>();
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
  command->footer("Example: thigmo gallery --sheet plants.png --columns 7");
  command->callback([request, sheet, &exit_code] {
    if (request->out_file.empty()) request->out_file = "gallery.png";
    exit_code = sheet->count() == 0 ? list_plants(request->folder) : draw_sheet(*request);
  });
}

}  // namespace thigmo::cli
