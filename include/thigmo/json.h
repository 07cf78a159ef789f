#pragma once

// What the commands print with --json. Every text has three lists, "errors", "warnings" and "notes", each
// entry with severity, file, line, column, message and hint; null where there is none: docs/scenario.md.

#include <string>

#include "thigmo/convert.h"
#include "thigmo/derive.h"
#include "thigmo/gallery.h"
#include "thigmo/modes.h"
#include "thigmo/pose.h"
#include "thigmo/render.h"
#include "thigmo/replay.h"
#include "thigmo/run.h"

namespace thigmo {

// What a command prints when it fails.
std::string to_json(const Diagnostics& diagnostics);

std::string to_json(const Checked& checked);
std::string to_json(const Converted& converted);
std::string to_json(const Derived& derived);
std::string to_json(const ModesSummary& summary);
std::string to_json(const PoseSummary& summary);
std::string to_json(const RenderSummary& summary);
std::string to_json(const Replay& replay);
std::string to_json(const RunSummary& summary);
std::string to_json(const SheetSummary& summary);

}  // namespace thigmo
