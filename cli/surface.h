#pragma once

#include <CLI/CLI.hpp>

#include "thigmo/thigmo.h"

namespace thigmo::cli {

// Options of commands that make surfaces. `detail` must outlive the command.
void add_surface_options(CLI::App& command, SurfaceDetail& detail);

}  // namespace thigmo::cli
