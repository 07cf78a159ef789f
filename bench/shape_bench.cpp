#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <stdexcept>

#include "bench/bench.h"
#include "thigmo/thigmo.h"

namespace thigmo::bench {
namespace {

// A folder that goes away with what is in it.
class Scratch {
 public:
  Scratch() : folder_(std::filesystem::temp_directory_path() / "thigmo_bench_shape") {
    std::filesystem::create_directories(folder_);
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  std::string path(const char* name) const { return (folder_ / name).string(); }

 private:
  std::filesystem::path folder_;
};

// The surface of an oak, once around: milliseconds for a million vertices on one core.
double skin_ms_per_million(const std::string& gallery) {
  World world;
  const Outcome<PlantId> oak = world.add({.file = gallery + "/plants/oak.lsys"});
  if (!oak) throw std::runtime_error(oak.error());
  Outcome<PlantSurface> surface = world.surface(*oak);
  if (!surface) throw std::runtime_error(surface.error());
  const std::vector<Transform> transforms = world.transforms(*oak);
  const std::size_t vertices = surface->follow(transforms).vertices;
  const double seconds = best_seconds(10, [&] { surface->follow(transforms); });
  return 1e3 * seconds * 1e6 / static_cast<double>(vertices);
}

// 16,383 joints in 240 frames.
double glb_seconds(const std::string& gallery, const Scratch& scratch) {
  const std::string scenario = scratch.path("tree.toml");
  std::ofstream(scenario) << "duration = 7.9667\n[wind]\nkind = \"uniform\"\nmean = [3, 0, 0]\n"
                             "[[plant]]\ngrammar = \""
                          << std::filesystem::absolute(gallery).string()
                          << "/../bench/models/forked.lsys\"\nsteps = 14\nspecies = \"oak\"\n";
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 2; ++i) {
    const Outcome<Converted> written =
        convert({.input = scenario, .output = scratch.path("tree.glb")});
    if (!written) throw std::runtime_error(written.error());
    if (written->segments < 10'000 || written->frames < 240)
      throw std::runtime_error("the tree of the GLB case is smaller than it should be");
    best = std::min(best, written->write_seconds);
  }
  return best;
}

// 960 x 540 at four light paths a pixel, as videos have them.
double picture_seconds(const std::string& gallery, const Scratch& scratch) {
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 3; ++i) {
    const Outcome<RenderSummary> drawn = render({.file = gallery + "/plants/oak.lsys",
                                                 .out_file = scratch.path("oak.png"),
                                                 .overrides = {"TWIG=0.0098"},
                                                 .width = 960,
                                                 .height = 540,
                                                 .samples = 4});
    if (!drawn) throw std::runtime_error(drawn.error());
    if (drawn->segments < 10'000)
      throw std::runtime_error("the oak of the picture case is smaller than it should be");
    best = std::min(best, drawn->draw_seconds);
  }
  return best;
}

}  // namespace

void bench_shape(const std::string& gallery, Report& report) {
  const Scratch scratch;
  report.figures.push_back({.name = "skin: a million vertices, one core",
                            .value = skin_ms_per_million(gallery),
                            .unit = "ms",
                            .target = 10,
                            .higher_is_better = false});
  report.figures.push_back({.name = "glb: 16,383 joints in 240 frames",
                            .value = glb_seconds(gallery, scratch),
                            .unit = "s",
                            .target = 3,
                            .higher_is_better = false});
  report.figures.push_back({.name = "picture: oak of 10,000 segments, 960 x 540",
                            .value = picture_seconds(gallery, scratch),
                            .unit = "s",
                            .target = 1,
                            .higher_is_better = false});
}

}  // namespace thigmo::bench
