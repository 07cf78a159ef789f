#pragma once

// The public C++ interface of thigmo: grow plants, move them, read where they are, run scenarios.

// Plants that move (thigmo_core):
#include "thigmo/base.h"
#include "thigmo/replay.h"
#include "thigmo/surface.h"
#include "thigmo/world.h"
// What reads scenarios and writes files (thigmo_app):
#include "thigmo/convert.h"
#include "thigmo/derive.h"
#include "thigmo/formats.h"
#include "thigmo/gallery.h"
#include "thigmo/json.h"
#include "thigmo/load_world.h"
#include "thigmo/modes.h"
#include "thigmo/plot.h"
#include "thigmo/pose.h"
#include "thigmo/progress.h"
#include "thigmo/render.h"
#include "thigmo/run.h"
