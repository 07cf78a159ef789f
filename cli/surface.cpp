#include "cli/surface.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/commands.h"

namespace thigmo::cli {
namespace {

// leaf_share is --leaf-share here.
std::string option_name(std::string_view key) {
  std::string name = "--" + std::string(key);
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

}  // namespace

void add_surface_options(CLI::App& command, SurfaceDetail& detail) {
  for (const SurfaceKey& key : surface_keys) {
    const std::string name = option_name(key.name), help(key.help);
    if (const auto* whole = std::get_if<int SurfaceDetail::*>(&key.member)) {
      command.add_option(name, detail.*(*whole), help)->capture_default_str();
    } else if (const auto* number = std::get_if<double SurfaceDetail::*>(&key.member)) {
      CLI::Option* option = command.add_option(name, detail.*(*number), help);
      if (key.least == 0) option->check(not_negative());
    } else if (const auto* truth = std::get_if<bool SurfaceDetail::*>(&key.member)) {
      command.add_flag(name, detail.*(*truth), help);
    }
  }
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
          fmt::format("Mesh for a kind of organ, KIND=FILE: leaf=leaf.obj; kinds are {}",
                      fmt::join(organ_kind_names, ", ")))
      ->allow_extra_args(false);
}

}  // namespace thigmo::cli
