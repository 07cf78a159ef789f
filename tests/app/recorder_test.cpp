#include "app/recorder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <random>

#include "app/formats.h"
#include "io/gltf/glb.h"
#include "mesh/build.h"
#include "mesh/deform.h"
#include "scenario/make_simulation.h"
#include "simulation/edit.h"
#include "simulation/edit_places.h"
#include "support/gallery.h"
#include "support/glb_reader.h"
#include "support/scratch.h"

namespace thigmo::recorder_test {
namespace {

using support::GlbReader;

constexpr double step_length = 1.0 / 96, rate = 24;

using AtStep = std::function<void(std::int64_t steps, Simulation& simulation)>;

// Sums over all wood that do not depend on how it is divided into segments: ∫ds, ∫x ds, ∫|x|² ds.
struct Wood {
  double length = 0;
  Vec3 moment;
  double square = 0;
  std::size_t organs = 0;
};

void add_wood(const Plant& plant, const Pose& pose, Wood& wood) {
  for (Index i = 0; i < segment_count(plant); ++i) {
    const Vec3 a = point_on_segment(plant, pose, i, 0), b = point_on_segment(plant, pose, i, 1);
    const double l = length(b - a);
    wood.length += l;
    wood.moment += (a + b) * (0.5 * l);
    wood.square += l * (dot(a, a) + dot(a, b) + dot(b, b)) / 3;
  }
  wood.organs += plant.organs.size();
}

void expect_same_wood(const Wood& a, const Wood& b, const std::string& where) {
  EXPECT_NEAR(a.length, b.length, 1e-9 * b.length) << where;
  EXPECT_LT(length(a.moment - b.moment), 1e-9 * (b.length + b.square)) << where;
  EXPECT_NEAR(a.square, b.square, 1e-9 * (b.length + b.square)) << where;
  EXPECT_EQ(a.organs, b.organs) << where;
}

// A plant of the gallery in wind, recorded while it is edited.
class Recording {
 public:
  Recording(const std::string& folder, const std::string& plant, const AtStep& at_step,
            double duration = 1, const std::string& output = "a.glb", double output_rate = rate) {
    std::string text = fmt::format(
        "duration = {}\nstep = {}\n[wind]\nkind = \"uniform\"\nmean = [7, 0, 2]\n[[plant]]\n"
        "name = \"tree\"\ngrammar = \"{}\"\n[[output]]\nfile = \"{}\"\nrate = {}\n",
        duration, step_length, (support::gallery_folder() / "plants" / plant).string(), output,
        output_rate);
    const auto settings = support::small_settings(plant);
    if (!settings.empty()) {
      std::string constants;
      for (const auto& [name, value] : settings)
        constants += fmt::format("{}{} = {}", constants.empty() ? "" : ", ", name, value);
      text.insert(text.find("[[output]]"), "parameters = { " + constants + " }\n");
    }
    Result<Scenario> parsed = parse_scenario("test.toml", text);
    EXPECT_TRUE(parsed) << to_string(parsed.diagnostics());
    scenario = std::move(*parsed);
    Result<Simulation> made = make_simulation(
        scenario, support::read_text,
        [](const TreeSource&, Diagnostics&) -> Result<Plant> { return error("there is no tree"); });
    EXPECT_TRUE(made) << to_string(made.diagnostics());
    simulation = std::move(*made);
    Result<Recorder> opened = Recorder::open(scenario, simulation, folder);
    EXPECT_TRUE(opened) << to_string(opened.diagnostics());
    recorder.emplace(std::move(*opened));
    Course course{.step = step_length, .end_step = step_count(duration, step_length), .threads = 1};
    recorder->attend(simulation, course);
    const auto keep = course.at_frame;
    course.at_frame = [&](double time, const std::vector<Pose>& poses) -> Result<Done> {
      Wood& wood = truth.emplace_back();
      auto& frame = bases.emplace_back();
      for (std::size_t p = 0; p < poses.size(); ++p) {
        const SimulatedPlant& grown = simulation.plants[p];
        add_wood(grown.model->plant, poses[p], wood);
        for (Index i = 0; i < segment_count(grown.model->plant); ++i) {
          frame[segment_id(grown, i)] = {at(poses[p].base_world, i),
                                         at(poses[p].world_from_segment, i)};
        }
      }
      return keep(time, poses);
    };
    course.after_step = [&]() -> Result<Done> {
      at_step(simulation.steps, simulation);
      return Done{};
    };
    const Result<CourseReport> report = advance(course, simulation);
    if (!report) {
      failure = to_string(report.diagnostics());
      return;
    }
    recorder->end(simulation);
    film = recorder->film_at_rate(output_rate, {});
  }

  // What a frame shows is what there was.
  void expect_true() const {
    ASSERT_EQ(failure, "");
    ASSERT_EQ(film.frames.size(), truth.size());
    Pose scratch;
    for (std::size_t f = 0; f < truth.size(); ++f) {
      Wood shown;
      for (const MovingPlant& moving : film.plants) {
        if (is_there(moving, f))
          add_wood(*moving.plant, pose_at(*moving.motion, f, scratch), shown);
      }
      expect_same_wood(shown, truth[f], fmt::format("frame {}", f));
    }
    for (const MovingPlant& moving : film.plants) {
      const Result<Done> sound = check_structure(*moving.plant);
      EXPECT_TRUE(sound) << to_string(sound.diagnostics());
    }
  }

  Scenario scenario;
  Simulation simulation;
  std::optional<Recorder> recorder;
  Film film;
  std::vector<Wood> truth;                                        // of each frame
  std::vector<std::map<SegmentId, std::pair<Vec3, Quat>>> bases;  // of each segment in each frame
  std::string failure;
};

void edit(const Edit& edit, Simulation& simulation) {
  const Result<EditResult> done = apply_edit(edit, simulation);
  EXPECT_TRUE(done) << to_string(done.diagnostics());
}

SegmentId trunk(const Simulation& simulation, Index segment) {
  return segment_id(simulation.plants[0], segment);
}

double surface_area(const std::vector<Vec3f>& points, const std::vector<std::uint32_t>& indices) {
  const auto wide = [&](std::uint32_t i) { return Vec3{points[i].x, points[i].y, points[i].z}; };
  double area = 0;
  for (std::size_t i = 0; i < indices.size(); i += 3) {
    const Vec3 a = wide(indices[i]);
    area += 0.5 * length(cross(wide(indices[i + 1]) - a, wide(indices[i + 2]) - a));
  }
  return area;
}

class RecordedEdits : public Scratch {
 protected:
  std::string folder() const { return path(""); }
};

constexpr const char* young_tree = "young_tree.lsys";

AtStep cut_trunk(Index segment, double along, std::int64_t when = 48) {
  return [=](std::int64_t steps, Simulation& simulation) {
    if (steps == when) edit(Cut{trunk(simulation, segment), along}, simulation);
  };
}

TEST_F(RecordedEdits, WithoutThemPlantsAreAsTheyWere) {
  const Recording recording(folder(), young_tree, [](std::int64_t, Simulation&) {});
  recording.expect_true();
  ASSERT_EQ(recording.film.plants.size(), 1u);
  EXPECT_EQ(recording.film.plants[0].plant, &recording.simulation.plants[0].model->plant);
  EXPECT_TRUE(stays(recording.film.plants[0]));
}

TEST_F(RecordedEdits, ACutPlantIsInItsPartsFromTheBegin) {
  const Recording recording(folder(), young_tree, cut_trunk(2, 0.4));
  recording.expect_true();
  const Film& film = recording.film;
  ASSERT_EQ(film.plants.size(), 2u);
  EXPECT_EQ(film.plants[0].name, "tree");
  EXPECT_EQ(film.plants[1].name, "tree/1");
  for (std::size_t p = 0; p < 2; ++p) {
    EXPECT_TRUE(stays(film.plants[p]));
    const Plant& end = recording.simulation.plants[p].model->plant;
    EXPECT_EQ(segment_count(*film.plants[p].plant), segment_count(end));
    EXPECT_EQ(film.plants[p].plant->organs.size(), end.organs.size());
  }
  EXPECT_TRUE(film.plants[0].plant->segments[2].cut_tip);
  EXPECT_TRUE(film.plants[1].plant->segments[0].cut_base);
}

// A point of a track goes no farther in a frame than what moves fastest around it, the cut or no cut: the
// fastest segment of the frames before and after, and the fall.
TEST_F(RecordedEdits, NothingJumpsAtACut) {
  const Recording recording(folder(), young_tree, cut_trunk(2, 0.4));
  ASSERT_EQ(recording.failure, "");
  const std::size_t frames = recording.truth.size();
  const std::size_t cut = 12;  // 48 steps of 1/96 s, 24 frames a second
  std::vector<double> farthest(frames, 0);
  for (const MovingPlant& moving : recording.film.plants) {
    const SkinnedMesh mesh = build_mesh(*moving.plant, {}, moving.stands);
    Deformed before, now;
    Pose scratch;
    for (std::size_t f = 0; f < frames; ++f) {
      deform(mesh, pose_at(*moving.motion, f, scratch), now);
      for (std::size_t v = 0; f > 0 && v < now.positions.size(); ++v) {
        const Vec3f &a = before.positions[v], &b = now.positions[v];
        farthest[f] = std::max(
            farthest[f], length(Vec3{double{b.x} - a.x, double{b.y} - a.y, double{b.z} - a.z}));
      }
      before = now;
    }
  }
  const double fall = 9.81 / (rate * rate);
  EXPECT_GT(farthest[frames - 1], 0.1);  // it does fall
  for (std::size_t f = 2; f < frames; ++f) {
    EXPECT_LT(farthest[f], 2 * farthest[f - 1] + 2 * fall) << f;
  }
  EXPECT_LT(farthest[cut], 1.5 * farthest[cut - 1] + 1e-3);
  EXPECT_LT(farthest[cut + 1], farthest[cut] + 2 * fall);
}

// Before the cut both surfaces together are that of the whole plant, and two faces.
TEST_F(RecordedEdits, PartsMeetUntilTheyPart) {
  const AtStep nothing = [](std::int64_t, Simulation&) {};
  const Recording whole(folder(), young_tree, nothing),
      parted(folder(), young_tree, cut_trunk(2, 0.4));
  const MeshOptions stems{.organs = false};
  const auto area = [&](const Film& film, std::size_t frame) {
    double sum = 0;
    Deformed shape;
    Pose scratch;
    for (const MovingPlant& moving : film.plants) {
      const SkinnedMesh mesh = build_mesh(*moving.plant, stems, moving.stands);
      deform(mesh, pose_at(*moving.motion, frame, scratch), shape);
      sum += surface_area(shape.positions, mesh.indices);
    }
    return sum;
  };
  const Segment& stump = parted.film.plants[0].plant->segments[2];
  const double faces = 2 * std::numbers::pi * stump.radius_tip * stump.radius_tip;
  for (const std::size_t frame : {std::size_t{0}, std::size_t{11}}) {
    const double before = area(whole.film, frame);
    // Twelve sides are 0.955 of a circle. The thickest stem of a plant has most sides, and those of a piece are
    // counted anew: ten sides have 0.5 % less surface.
    EXPECT_NEAR(area(parted.film, frame), before + 0.955 * faces, 8e-3 * before);
  }
  // Both ends are closed where they were cut: a disc of wood of the same size at the same place.
  std::vector<std::vector<Vec3f>> wood;
  for (const MovingPlant& moving : parted.film.plants) {
    const SkinnedMesh mesh = build_mesh(*moving.plant, stems, moving.stands);
    const Vec3f colour{0.56f, 0.40f, 0.22f};
    auto& points = wood.emplace_back();
    Deformed shape;
    Pose scratch;
    deform(mesh, pose_at(*moving.motion, 11, scratch), shape);
    for (std::size_t v = 0; v < mesh.colours.size(); ++v) {
      if (mesh.colours[v] == colour) points.push_back(shape.positions[v]);
    }
  }
  ASSERT_GT(wood[0].size(), 5u);
  ASSERT_EQ(wood[0].size(), wood[1].size());
  for (const Vec3f& p : wood[0]) {
    double nearest = 1;
    for (const Vec3f& q : wood[1]) {
      nearest =
          std::min(nearest, length(Vec3{double{p.x} - q.x, double{p.y} - q.y, double{p.z} - q.z}));
    }
    EXPECT_LT(nearest, 0.3 * stump.radius_tip);  // each has its own seam
  }
}

// What the file says of the joints is where the simulation's segments were: float rotations of a dozen joints
// and some metres.
TEST_F(RecordedEdits, GlbShowsPiecesWhereTheyWere) {
  const Recording recording(folder(), young_tree, cut_trunk(2, 0.4));
  ASSERT_EQ(recording.failure, "");
  const Result<std::string> bytes = glb_bytes(recording.film.plants);
  ASSERT_TRUE(bytes);
  const GlbReader reader(*bytes);
  const auto& first = recording.bases.front();
  for (std::size_t f = 0; f < recording.bases.size(); ++f) {
    const auto world = reader.world_matrices(f);
    for (std::size_t p = 0; p < 2; ++p) {
      const SimulatedPlant& plant = recording.simulation.plants[p];
      for (Index i = 0; i < segment_count(plant.model->plant); ++i) {
        const auto& joint = world[reader.root["skins"][p]["joints"][as_size(i)].get<std::size_t>()];
        const auto found = recording.bases[f].find(segment_id(plant, i));
        Vec3 expected;
        if (found != recording.bases[f].end()) {
          expected = found->second.first;
        } else {  // the upper part, before the cut
          ASSERT_EQ(p, 1u);
          ASSERT_EQ(i, 0);
          const auto& [base, turn] = recording.bases[f].at(trunk(recording.simulation, 2));
          const double l = segment_at(recording.simulation.plants[0].model->plant, 2).length;
          expected = base + rotate(turn, Vec3{0, l, 0});
        }
        ASSERT_NEAR(length(Vec3{joint.m[0][3], joint.m[1][3], joint.m[2][3]} - expected), 0, 2e-5)
            << "frame " << f << ", plant " << p << ", segment " << i;
      }
    }
  }
  EXPECT_EQ(first.size() + 1, recording.bases.back().size());
}

TEST_F(RecordedEdits, GraftsAndJoinsKeepTheirParts) {
  const AtStep there_and_back = [](std::int64_t steps, Simulation& simulation) {
    if (steps == 20) edit(Cut{trunk(simulation, 2), 0.4}, simulation);
    if (steps == 50) {
      edit(Graft{.scion = plant_id(simulation, 1),
                 .onto = trunk(simulation, 2),
                 .along = 1,
                 .carry = true},
           simulation);
    }
    if (steps == 70) edit(Cut{trunk(simulation, 1), 0}, simulation);
  };
  const Recording recording(folder(), young_tree, there_and_back);
  recording.expect_true();
  EXPECT_EQ(recording.film.plants.size(), 3u);
  for (const MovingPlant& moving : recording.film.plants) EXPECT_TRUE(stays(moving));
}

TEST_F(RecordedEdits, WhatGoesOrChangesHasALife) {
  const AtStep edits = [](std::int64_t steps, Simulation& simulation) {
    if (steps == 24) edit(Cut{trunk(simulation, 2), 0.4}, simulation);
    if (steps == 48) edit(RemovePlant{plant_id(simulation, 1)}, simulation);
    if (steps == 72) edit(Thicken{{trunk(simulation, 0)}, 1.5}, simulation);
  };
  const Recording recording(folder(), young_tree, edits);
  recording.expect_true();
  const std::vector<MovingPlant>& plants = recording.film.plants;
  ASSERT_EQ(plants.size(), 3u);  // stump, piece, thicker stump
  EXPECT_EQ(plants[0].life.until, 18u);
  EXPECT_EQ(plants[1].life.until, 12u);
  EXPECT_EQ(plants[2].life.from, 18u);
  // In glTF it shrinks to a point, between two frames.
  const Result<std::string> bytes = glb_bytes(plants);
  ASSERT_TRUE(bytes);
  const GlbReader reader(*bytes);
  const auto extent = [&](std::size_t plant, std::size_t frame) {
    double farthest = 0;
    const std::vector<Vec3> points = reader.skinned_positions(frame, plant);
    for (const Vec3& p : points) farthest = std::max(farthest, length(p - points[0]));
    return farthest;
  };
  for (std::size_t p = 0; p < 3; ++p) {
    for (const std::size_t frame : {0u, 11u, 12u, 17u, 18u, 24u}) {
      EXPECT_EQ(extent(p, frame) > 0, is_there(plants[p], frame)) << p << " at " << frame;
    }
  }
  // Files a frame leave it out.
  const auto write = [&](const char* name, bool lines) {
    const Result<WrittenFiles> written =
        write_plants(path(name), *written_format(name), plants, {.lines = lines});
    EXPECT_TRUE(written) << to_string(written.diagnostics());
    return written ? written->paths.size() : 0;
  };
  EXPECT_EQ(write("a.obj", true), 25u);
  EXPECT_EQ(write("a.ply", false), 25u);
  EXPECT_EQ(write("a.csv", false), 25u);
  const auto lines_of = [&](const std::string& name) {
    const std::string text = read(name);
    std::size_t count = 0;
    for (std::size_t i = 0; i + 1 < text.size(); ++i)
      count += text[i] == '\n' && text[i + 1] == 'l';
    return count;
  };
  const std::size_t stump = plants[0].plant->segments.size();
  EXPECT_EQ(lines_of("a.0011.obj"), stump + plants[1].plant->segments.size());
  EXPECT_EQ(lines_of("a.0012.obj"), stump);
  EXPECT_EQ(lines_of("a.0024.obj"), stump);
  EXPECT_LT(read("a.0012.ply").size(), read("a.0011.ply").size());
  EXPECT_NE(read("a.0024.csv").find(",3\n"), std::string::npos);
  EXPECT_EQ(read("a.0024.csv").find(",1\n"), std::string::npos);
  // One list of vertices cannot.
  for (const char* name : {"a.pc2", "a.mdd", "a.vat"}) {
    const Result<WrittenFiles> refused = write_plants(path(name), *written_format(name), plants);
    ASSERT_FALSE(refused) << name;
    EXPECT_NE(to_string(refused.diagnostics()).find(".usda"), std::string::npos);
  }
}

// A file with fixed vertices holds parts that fall, and stops a run as soon as something goes.
TEST_F(RecordedEdits, PointCachesHoldPiecesAndRefuseWhatGoes) {
  const Recording cut(folder(), young_tree, cut_trunk(2, 0.4), 1, "a.pc2");
  cut.expect_true();
  const Result<WrittenFiles> written =
      write_plants(path("a.pc2"), *written_format("a.pc2"), cut.film.plants);
  EXPECT_TRUE(written) << to_string(written.diagnostics());
  const Recording gone(
      folder(), young_tree,
      [](std::int64_t steps, Simulation& simulation) {
        if (steps == 48) edit(RemoveSegment{trunk(simulation, 3)}, simulation);
      },
      1, "a.pc2");
  EXPECT_NE(gone.failure.find("'a.pc2' has the same vertices in every frame"), std::string::npos)
      << gone.failure;
  EXPECT_EQ(gone.truth.size(), 13u);
}

// Frames between steps are given out before that step's edits.
TEST_F(RecordedEdits, FramesBetweenStepsAreOfThePlantsThatTheyMoved) {
  const Recording recording(folder(), young_tree, cut_trunk(2, 0.4), 1, "a.glb", 50);
  recording.expect_true();
  EXPECT_EQ(recording.film.plants.size(), 2u);
}

class RandomRecordedEdits : public RecordedEdits, public ::testing::WithParamInterface<int> {};

// Whatever is cut, grafted, removed and changed, each frame shows all that there was and nothing else.
TEST_P(RandomRecordedEdits, ShowWhatThereWas) {
  std::mt19937 random(static_cast<unsigned>(GetParam()));
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  const AtStep edits = [&](std::int64_t steps, Simulation& simulation) {
    if (steps % 7 != 0) return;
    for (std::size_t k = below(3); k < 3; ++k) {
      const std::size_t plant = below(simulation.plants.size());
      const auto any = [&](std::size_t p) {
        const SimulatedPlant& chosen = simulation.plants[p];
        return segment_id(chosen, static_cast<Index>(below(chosen.model->plant.segments.size())));
      };
      const SegmentId segment = any(plant);
      const double along[] = {0, 0.3, 0.7, 0.5};
      // Some are refused, which changes nothing.
      switch (below(7)) {
        case 0:
        case 1:
        case 2:
          (void)apply_edit(Cut{segment, along[below(4)]}, simulation);
          break;
        case 3: {
          const std::size_t last = simulation.plants.size() - 1;
          const auto& stub = simulation.plants[last].stub;
          const SegmentId onto = stub ? stub->parent : segment;
          (void)apply_edit(Graft{.scion = plant_id(simulation, last), .onto = onto, .carry = true},
                           simulation);
          break;
        }
        case 4:
          if (segment != segment_id(simulation.plants[0], 0))
            (void)apply_edit(RemoveSegment{segment}, simulation);
          break;
        case 5:
          (void)apply_edit(Thicken{{segment}, 1.1}, simulation);
          break;
        default:
          (void)apply_edit(Change{.segments = {segment}, .stiffness = 0.9}, simulation);
          break;
      }
    }
  };
  const Recording recording(folder(), "rose.lsys", edits, 0.6);
  recording.expect_true();
  EXPECT_GT(recording.film.plants.size(), 1u);
}
INSTANTIATE_TEST_SUITE_P(Seeds, RandomRecordedEdits, ::testing::Range(0, 20));

// Other programs take what parts, and what comes and goes.
TEST_F(RecordedEdits, OtherProgramsReadThem) {
  const std::string modules = std::string(THIGMO_SOURCE_DIR) + "/node_modules/";
  for (const char* package : {"gltf-validator", "tinyusdz"}) {
    ASSERT_TRUE(std::filesystem::exists(modules + package)) << "run tools/bootstrap";
  }
  const AtStep edits = [](std::int64_t steps, Simulation& simulation) {
    if (steps == 24) edit(Cut{trunk(simulation, 2), 0.4}, simulation);
    if (steps == 48) edit(RemovePlant{plant_id(simulation, 1)}, simulation);
    if (steps == 72) edit(Thicken{{trunk(simulation, 0)}, 1.5}, simulation);
  };
  const Recording recording(folder(), young_tree, edits);
  ASSERT_EQ(recording.failure, "");
  const auto node = [&](const char* script, const std::string& files) {
    return std::system(fmt::format("node '{}/tests/interop/{}' {} > '{}' 2>&1", THIGMO_SOURCE_DIR,
                                   script, files, path("log"))
                           .c_str());
  };
  ASSERT_TRUE(write_plants(path("a.glb"), *written_format("a.glb"), recording.film.plants));
  EXPECT_EQ(node("validate_gltf.mjs", "'" + path("a.glb") + "'"), 0) << read("log");
  std::string files;
  for (const auto& [name, style] : {std::pair{"skeleton.usda", UsdStyle::skeleton},
                                    {"points.usda", UsdStyle::points},
                                    {"curves.usda", UsdStyle::curves}}) {
    ASSERT_TRUE(
        write_plants(path(name), *written_format(name), recording.film.plants, {.style = style}));
    files += "'" + path(name) + "' ";
    const std::string text = read(name);
    EXPECT_NE(text.find("token visibility.timeSamples"), std::string::npos);
    EXPECT_NE(text.find("18: \"invisible\""), std::string::npos);
    EXPECT_NE(text.find("18: \"inherited\""), std::string::npos);
  }
  EXPECT_EQ(node("read_usd.mjs", files), 0) << read("log");
}

}  // namespace
}  // namespace thigmo::recorder_test
