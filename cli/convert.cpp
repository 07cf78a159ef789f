#include <fmt/format.h>

#include <memory>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/surface.h"
#include "thigmo/thigmo.h"

namespace thigmo::cli {
namespace {

int convert_and_print(ConvertRequest& request, const std::string& style, bool json) {
  const std::optional<UsdStyle> known = find_usd_style(style);
  if (!known) {
    const Diagnostic wrong{.message = fmt::format("there is no style '{}'", style),
                           .hint = fmt::format("styles of .usda: {}", fmt::join(usd_styles, ", "))};
    return fail(Diagnostics{wrong}, json, exit_failed);
  }
  request.style = *known;
  request.cancel = &interrupted();
  ProgressDisplay display;
  request.on_progress = [&display](const Progress& progress) { display.show(progress); };
  const Outcome<Converted> converted = convert(request);
  if (!converted) return fail(converted.diagnostics(), json, exit_failed);
  if (converted->cancelled) {
    return fail("interrupted: files that were complete are kept, no other is left", json,
                exit_interrupted);
  }
  if (json) {
    say(converted->notes);
    print("{}\n", to_json(*converted));
    return 0;
  }
  print("{} segments, {} organs{}\n", converted->segments, converted->organs,
        converted->frames > 1 ? fmt::format(", {} frames", converted->frames) : "");
  print_notes(converted->notes);
  if (converted->files.size() > 3) {
    print("wrote {} to {}\n", converted->files.front(), converted->files.back());
    return 0;
  }
  for (const std::string& file : converted->files) print("wrote {}\n", file);
  return 0;
}

// Every format with what can be done with it.
std::string formats_text() {
  std::string text = "Formats:\n";
  for (const FileFormat& f : file_formats) {
    if (f.kind == FormatKind::picture || f.kind == FormatKind::video) continue;
    const char* moves = f.frames == FramesIn::one_file         ? ", with its motion"
                        : f.frames == FramesIn::numbered_files ? ", a file for each frame"
                                                               : "";
    const char* use = f.reads && f.writes ? "read, written" : f.reads ? "read" : "written";
    text += fmt::format("  {:<10}{:<50}{}{}\n", f.ending, f.name, use, moves);
  }
  return text;
}

}  // namespace

void add_convert(CLI::App& app, int& exit_code) {
  auto request = std::make_shared<ConvertRequest>();
  auto style = std::make_shared<std::string>(usd_styles[0]);
  auto json = std::make_shared<bool>(false);
  CLI::App* command =
      app.add_subcommand("convert", "Turn a grammar, a scenario or a tree into another format");
  command
      ->add_option("IN", request->input,
                   "Grammar, scenario or tree: " +
                       format_endings([](const FileFormat& f) { return f.reads; }))
      ->required();
  command
      ->add_option("OUT", request->output,
                   "Its ending says the format: " + format_endings(writes_plants))
      ->required();
  command->add_option("--species", request->species, "What an imported tree is made of")
      ->capture_default_str();
  command->add_option("--scale", request->scale, "Metres in the input's unit")
      ->check(positive())
      ->check(finite_number());
  command->add_flag("--lines", request->lines, "Write .obj as lines instead of a mesh");
  command->add_option("--max-joints", request->max_joints,
                      "Joints of a skeleton; more segments are merged, and the error is told");
  command->add_option("--compare", request->compare,
                      "Picture of all joints beside the few, where they differ most (.png)");
  command->add_option("--compare-size", request->compare_size, "Pixels across each of the two")
      ->capture_default_str();
  command->add_option("--style", *style, "Of .usda: skeleton, points or curves")
      ->capture_default_str();
  command->add_option("--rate", request->rate, "Frames a second of a scenario's motion")
      ->capture_default_str();
  command
      ->add_option("--set", request->overrides,
                   "A constant of a grammar (HEIGHT=12) or a key of a scenario (duration=3)")
      ->allow_extra_args(false);
  command->add_option("--threads", request->threads, "Threads to use (0: all)")
      ->check(not_negative());
  add_surface_options(*command, request->surface);
  command->add_flag("--json", *json, "Print the summary as JSON");
  command->footer(formats_text() +
                  "\nExample: thigmo convert gallery/plants/young_tree.lsys tree.glb");
  command->callback([request, style, json, &exit_code] {
    exit_code = convert_and_print(*request, *style, *json);
  });
}

}  // namespace thigmo::cli
