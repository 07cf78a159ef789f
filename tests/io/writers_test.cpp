#include <gtest/gtest.h>
#include <png.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "io/caches/point_cache.h"
#include "io/disk/file.h"
#include "io/geo/obj.h"
#include "io/textures/exr.h"
#include "io/textures/half.h"
#include "io/textures/pivot_textures.h"
#include "io/textures/vertex_textures.h"
#include "io/usd/usda.h"
#include "mesh/build.h"
#include "mesh/test_tree.h"
#include "support/surface_bytes.h"

namespace thigmo::writers_test {
namespace {

using testing::make_sway;
using testing::make_test_tree;

struct Scene {
  Plant plant = make_test_tree({.orders = 2});
  Motion motion = make_sway(plant, 6, 24, 0.05);
  std::array<MovingPlant, 1> plants{MovingPlant{&plant, &motion}};
  MovingSurface surface = make_moving_surface(plants);
};

template <class T>
T value_at(const std::string& bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

std::uint32_t big_word(const std::string& bytes, std::size_t offset) {
  std::uint32_t word = 0;
  for (std::size_t k = 0; k < 4; ++k)
    word = word << 8 | static_cast<unsigned char>(bytes[offset + k]);
  return word;
}

// "(x, y, z), (x, …" as points.
std::vector<Vec3> points_in(std::string text) {
  for (char& c : text) {
    if (c == '(' || c == ')' || c == ',') c = ' ';
  }
  std::istringstream numbers(text);
  std::vector<Vec3> points;
  for (Vec3 p; numbers >> p.x >> p.y >> p.z;) points.push_back(p);
  return points;
}

TEST(PointCache, HoldsThePositionsOfEveryFrame) {
  const Scene scene;
  const std::string pc2 =
      *bytes_from([&](const ByteSink& sink) { return write_pc2(scene.surface, sink); });
  const std::string mdd =
      *bytes_from([&](const ByteSink& sink) { return write_mdd(scene.surface, sink); });
  const std::size_t vertices = scene.surface.mesh.positions.size();
  EXPECT_EQ(pc2.substr(0, 12), std::string("POINTCACHE2\0", 12));
  EXPECT_EQ(value_at<std::int32_t>(pc2, 16), static_cast<std::int32_t>(vertices));
  EXPECT_EQ(value_at<std::int32_t>(pc2, 28), 6);
  ASSERT_EQ(pc2.size(), 32 + 12 * vertices * 6);
  EXPECT_EQ(big_word(mdd, 0), 6u);
  EXPECT_EQ(big_word(mdd, 4), vertices);
  ASSERT_EQ(mdd.size(), 8 + 4 * 6 + 12 * vertices * 6);
  Deformed shape;
  for (std::size_t f = 0; f < 6; ++f) {
    deform(build_mesh(scene.plant), scene.motion.poses[f], shape);
    for (std::size_t v = 0; v < vertices; v += 97) {
      const std::size_t place = 12 * (f * vertices + v);
      EXPECT_EQ(value_at<float>(pc2, 32 + place + 4), shape.positions[v].y);
      const std::uint32_t word = big_word(mdd, 8 + 24 + place + 4);
      float y;
      std::memcpy(&y, &word, 4);
      EXPECT_EQ(y, shape.positions[v].y);
    }
  }
}

// Several plants stand in one list, each with its own motion, the still ones at rest.
TEST(MovingSurface, PlantsKeepTheirOwnMotion) {
  const Scene scene;
  const Plant other = make_test_tree({.orders = 1, .seed = 3});
  const std::array plants{MovingPlant{&other, nullptr}, scene.plants[0]};
  const MovingSurface both = make_moving_surface(plants);
  Deformed all, one;
  shape_at(both, 4, all);
  shape_at(scene.surface, 4, one);
  const std::size_t first = build_mesh(other).positions.size();
  ASSERT_EQ(all.positions.size(), first + one.positions.size());
  for (std::size_t v = 0; v < one.positions.size(); ++v)
    ASSERT_EQ(all.positions[first + v], one.positions[v]);
}

TEST(Ply, HeaderCountsAndFirstVertexAreRight) {
  const Scene scene;
  const std::string ply = support::ply_bytes(scene.surface);
  const std::size_t end = ply.find("end_header\n") + 11;
  const std::size_t vertices = scene.surface.mesh.positions.size(),
                    faces = scene.surface.mesh.indices.size() / 3;
  EXPECT_EQ(ply.size(), end + vertices * 35 + faces * 13);
  EXPECT_EQ(value_at<float>(ply, end + 35), scene.surface.mesh.positions[1].x);
  EXPECT_EQ(value_at<std::uint32_t>(ply, end + vertices * 35 + 1), scene.surface.mesh.indices[0]);
}

TEST(Obj, MeshComesBackThroughItsReader) {
  const Scene scene;
  const Result<OrganSurface> back = surface_from_obj(support::obj_text(scene.surface), "x.obj");
  ASSERT_TRUE(back);
  ASSERT_EQ(back->indices.size(), scene.surface.mesh.indices.size());
  for (std::size_t i = 0; i < back->indices.size(); i += 31) {
    const Vec3 got = back->positions[back->indices[i]];
    const Vec3f& expected = scene.surface.mesh.positions[scene.surface.mesh.indices[i]];
    EXPECT_EQ(static_cast<float>(got.x), expected.x);
    EXPECT_EQ(static_cast<float>(got.y), expected.y);
  }
}

std::vector<std::uint16_t> decoded_png16(const std::string& bytes, std::size_t& width) {
  png_image reader{};
  reader.version = PNG_IMAGE_VERSION;
  EXPECT_NE(png_image_begin_read_from_memory(&reader, bytes.data(), bytes.size()), 0);
  reader.format = PNG_FORMAT_LINEAR_RGB;
  width = reader.width;
  std::vector<std::uint16_t> pixels(PNG_IMAGE_SIZE(reader) / 2);
  EXPECT_NE(png_image_finish_read(&reader, nullptr, pixels.data(), 0, nullptr), 0);
  return pixels;
}

// Read back as the JSON says, positions are right to half a step of the 16 bits.
TEST(VertexTextures, DecodeToThePositions) {
  const Scene scene;
  for (const int max_width : {8192, 1000}) {
    const VertexTextures textures = *vertex_textures(scene.surface, max_width);
    const auto json = nlohmann::json::parse(textures.json);
    std::size_t width = 0;
    const std::vector<std::uint16_t> offsets = decoded_png16(textures.offsets_png, width);
    const std::vector<std::uint16_t> normals = decoded_png16(textures.normals_png, width);
    EXPECT_EQ(width, json["width"].get<std::size_t>());
    const double low = json["min"], high = json["max"];
    const double step = (high - low) / 65535;
    const auto rows = json["rows_per_frame"].get<std::size_t>();
    Deformed shape;
    for (std::size_t f = 0; f < json["frames"]; ++f) {
      shape_at(scene.surface, f, shape);
      for (std::size_t v = 0; v < shape.positions.size(); ++v) {
        const std::size_t pixel = ((f * rows + v / width) * width + v % width) * 3;
        const Vec3f& rest = scene.surface.mesh.positions[v];
        ASSERT_NEAR(rest.x + low + step * offsets[pixel], shape.positions[v].x, 0.5 * step + 1e-6);
        ASSERT_NEAR(rest.z + low + step * offsets[pixel + 2], shape.positions[v].z,
                    0.5 * step + 1e-6);
        ASSERT_NEAR(2.0 * normals[pixel + 1] / 65535 - 1, shape.normals[v].y, 2e-5);
      }
    }
  }
}

// Halves are read back by what they mean: sign, exponent, fraction.
double value_of_half(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 31, fraction = bits & 1023;
  const double magnitude =
      exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

TEST(Half, IsTheNearestOne) {
  for (std::uint32_t bits = 0; bits < 0x7c00; ++bits) {
    const double value = value_of_half(static_cast<std::uint16_t>(bits));
    ASSERT_EQ(half_from_float(static_cast<float>(value)), bits);
    ASSERT_EQ(half_from_float(static_cast<float>(-value)), bits | 0x8000u);
    if (bits + 1 < 0x7c00) {
      const double next = value_of_half(static_cast<std::uint16_t>(bits + 1));
      const double nearer = value + 0.49 * (next - value), farther = value + 0.51 * (next - value);
      ASSERT_EQ(half_from_float(static_cast<float>(nearer)), bits);
      ASSERT_EQ(half_from_float(static_cast<float>(farther)), bits + 1);
    }
  }
  EXPECT_EQ(half_from_float(1e6f), 0x7c00);
}

// ffmpeg reads the EXR: an independent decoder. It gives planes of floats in the order G, B, R, A.
std::vector<float> decoded_exr(const std::string& bytes, std::size_t pixels) {
  const std::string folder = ::testing::TempDir() + "exr_test";
  std::filesystem::create_directories(folder);
  EXPECT_TRUE(write_file(folder + "/x.exr", bytes));
  const std::string command = "ffmpeg -v error -y -apply_trc linear -i '" + folder +
                              "/x.exr' -f rawvideo -pix_fmt gbrapf32le '" + folder + "/x.raw'";
  if (std::system(command.c_str()) != 0) return {};
  const std::string raw = *read_file(folder + "/x.raw");
  std::filesystem::remove_all(folder);
  std::vector<float> values(raw.size() / 4);
  std::memcpy(values.data(), raw.data(), raw.size());
  EXPECT_EQ(values.size(), 4 * pixels);
  return values;
}

TEST(PivotTextures, DecodeToPivotsParentsAndAxes) {
  if (std::system("ffmpeg -version > /dev/null 2>&1") != 0)
    FAIL() << "needs ffmpeg: run tools/bootstrap";
  const Plant plant = make_test_tree();
  const Result<PivotTextures> textures = pivot_textures(plant);
  ASSERT_TRUE(textures);
  const auto pixels = static_cast<std::size_t>(textures->width * textures->height);
  const std::vector<float> pivots = decoded_exr(textures->pivots_exr, pixels);
  const std::vector<float> axes = decoded_exr(textures->axes_exr, pixels);
  ASSERT_EQ(pivots.size(), 4 * pixels);
  const Pose rest = rest_pose(plant);
  // The last organ is the last element; its pivot is where it sits: (x, y, z) as (x, z, y) in cm.
  const Organ& organ = plant.organs.back();
  const auto s = static_cast<std::size_t>(organ.segment);
  const Vec3 base = rest.base_world[s] + rotate(rest.world_from_segment[s], base_in_segment(organ));
  const auto last = static_cast<std::size_t>(textures->elements - 1);
  const auto near = [](double value) {
    return std::abs(value) / 1024 + 1e-3;
  };  // a half's precision
  EXPECT_NEAR(pivots[2 * pixels + last], 100 * base.x, near(100 * base.x));
  EXPECT_NEAR(pivots[last], 100 * base.z, near(100 * base.z));
  EXPECT_NEAR(pivots[pixels + last], 100 * base.y, near(100 * base.y));
  EXPECT_NEAR(axes[3 * pixels + last], 100 * organ.length, near(100 * organ.length));
  const Vec3 along = rotate(rest.world_from_segment[s] * segment_from_organ(organ), {0, 1, 0});
  EXPECT_NEAR(2 * axes[2 * pixels + last] - 1, along.x, 2e-3);
  EXPECT_NEAR(2 * axes[pixels + last] - 1, along.y, 2e-3);
  // Parents by the bits of the alpha's half: every chain ends at a root within four levels.
  for (std::size_t e = 0; e < static_cast<std::size_t>(textures->elements); ++e) {
    std::size_t here = e;
    int levels = 1;
    for (; levels <= 4; ++levels) {
      const auto parent =
          static_cast<std::size_t>(half_from_float(pivots[3 * pixels + here]) - 1024);
      ASSERT_LT(parent, static_cast<std::size_t>(textures->elements));
      if (parent == here) break;
      here = parent;
    }
    ASSERT_LE(levels, 4);
  }
  EXPECT_EQ(textures->uvs.size(), build_mesh(plant).positions.size());
  // Vertices of a leaf point at the leaf's pixel, whose pivot is at most its length away.
  const SkinnedMesh mesh = build_mesh(plant);
  const Vec2f uv = textures->uvs.back();
  const auto x = static_cast<std::size_t>(uv.x * static_cast<float>(textures->width));
  const auto y = static_cast<std::size_t>(uv.y * static_cast<float>(textures->height));
  EXPECT_EQ(y * static_cast<std::size_t>(textures->width) + x, last);
}

TEST(PivotTextures, TooManyElementsAreRefused) {
  Plant plant = make_test_tree({.orders = 1});
  plant.organs.resize(30'001, plant.organs.front());
  EXPECT_FALSE(pivot_textures(plant));
}

// The numbers of a time sample are the engine's own.
TEST(Usda, PointsOfAFrameAreTheEngines) {
  const Scene scene;
  const std::string text = *bytes_from([&](const ByteSink& sink) {
    return write_usda(scene.plants, {.style = UsdStyle::points}, sink);
  });
  const std::size_t samples = text.find("point3f[] points.timeSamples");
  std::size_t place = text.find("\n3: [", samples);
  ASSERT_NE(place, std::string::npos);
  Deformed shape;
  shape_at(scene.surface, 3, shape);
  std::istringstream numbers(text.substr(place + 5, 200));
  for (std::size_t v = 0; v < 3; ++v) {
    char c;
    float x, y, z;
    numbers >> c >> x >> c >> y >> c >> z >> c >> c;
    EXPECT_EQ(x, shape.positions[v].x);
    EXPECT_EQ(y, shape.positions[v].y);
    EXPECT_EQ(z, shape.positions[v].z);
  }
  EXPECT_NE(text.find("timeCodesPerSecond = 24"), std::string::npos);
}

// The numbers of a list that follows a text, three a point.
std::vector<Vec3> points_after(const std::string& text, std::size_t place) {
  const std::size_t start = text.find('[', text.find('=', place)) + 1;
  return points_in(text.substr(start, text.find(']', start) - start));
}

void expect_box(const std::vector<Vec3>& box, const std::vector<Vec3>& points, double wider) {
  ASSERT_EQ(box.size(), 2u);
  ASSERT_FALSE(points.empty());
  for (const auto axis : {&Vec3::x, &Vec3::y, &Vec3::z}) {
    double low = points[0].*axis, high = low;
    for (const Vec3& p : points) {
      low = std::min(low, p.*axis);
      high = std::max(high, p.*axis);
    }
    // Written as floats of a few metres.
    EXPECT_NEAR(box[0].*axis, low - wider, 1e-6);
    EXPECT_NEAR(box[1].*axis, high + wider, 1e-6);
  }
}

// What is drawn says how large it is, at rest and in every frame, as the points that are written say.
TEST(Usda, ExtentsHoldThePoints) {
  const Scene scene;
  double thickest = 0;
  for (const Segment& s : scene.plant.segments) thickest = std::max(thickest, s.radius_base);
  for (const auto style : {UsdStyle::points, UsdStyle::curves}) {
    const std::string text = *bytes_from(
        [&](const ByteSink& sink) { return write_usda(scene.plants, {.style = style}, sink); });
    const double wider = style == UsdStyle::curves ? thickest : 0;
    expect_box(points_after(text, text.find("float3[] extent =")),
               points_after(text, text.find("point3f[] points =")), wider);
    const std::size_t boxes = text.find("float3[] extent.timeSamples");
    const std::size_t points = text.find("point3f[] points.timeSamples");
    ASSERT_NE(boxes, std::string::npos);
    for (const char* frame : {"\n0: [", "\n5: ["}) {
      const auto list = [&](std::size_t from) {
        const std::size_t start = text.find(frame, from) + 5;
        return points_in(text.substr(start, text.find(']', start) - start));
      };
      expect_box(list(boxes), list(points), wider);
    }
    // Every mesh and curve has one.
    std::size_t drawn = 0, sized = 0;
    for (std::size_t at = 0; (at = text.find("point3f[] points =", at)) != text.npos; ++at) ++drawn;
    for (std::size_t at = 0; (at = text.find("float3[] extent =", at)) != text.npos; ++at) ++sized;
    EXPECT_EQ(sized, drawn);
  }
}

// A skeleton's box is that of the mesh that the joints carry, also of the few that are left.
TEST(Usda, ExtentOfASkeletonFollowsTheMesh) {
  const Scene scene;
  for (const Index joints : {10'000, 20}) {
    const std::string text = *bytes_from([&](const ByteSink& sink) {
      return write_usda(scene.plants, {.max_joints = joints}, sink);
    });
    const std::size_t boxes = text.find("float3[] extent.timeSamples");
    ASSERT_NE(boxes, std::string::npos);
    const std::size_t start = text.find("\n3: [", boxes) + 5;
    const std::vector<Vec3> box = points_in(text.substr(start, text.find(']', start) - start));
    ASSERT_EQ(box.size(), 2u);
    Deformed shape;
    shape_at(scene.surface, 3, shape);
    std::vector<Vec3> points;
    for (const Vec3f& p : shape.positions) points.push_back({p.x, p.y, p.z});
    if (joints > 20) {
      expect_box(box, points, 0);
    } else {
      // Fewer joints are off by centimetres.
      EXPECT_NEAR(box[1].y,
                  std::max_element(points.begin(), points.end(),
                                   [](const Vec3& a, const Vec3& b) { return a.y < b.y; })
                      ->y,
                  0.1);
    }
  }
}

// Programs merge groups of one name: two plants are two objects, each with its groups.
TEST(Obj, EveryPlantIsAnObject) {
  Plant first = make_test_tree({.orders = 1}), second = make_test_tree({.orders = 1, .seed = 3});
  first.name = second.name = "young oak";
  const std::array<MovingPlant, 2> plants{MovingPlant{&first, nullptr}, {&second, nullptr}};
  const MovingSurface surface = make_moving_surface(plants);
  const std::string text = support::obj_text(surface);
  std::istringstream lines(text);
  std::string object;
  std::map<std::string, std::size_t> faces;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("o ")) object = line.substr(2);
    if (line.starts_with("f ")) ++faces[object];
  }
  const std::size_t of_first = build_mesh(first).indices.size() / 3;
  const std::size_t of_second = build_mesh(second).indices.size() / 3;
  EXPECT_EQ(faces, (std::map<std::string, std::size_t>{{"young_oak_0", of_first},
                                                       {"young_oak_1", of_second}}));
}

TEST(Usda, JointPathsHaveOneRootAndNoDuplicates) {
  const Scene scene;
  const std::string text = *bytes_from(
      [&](const ByteSink& sink) { return write_usda(scene.plants, {.max_depth = 10}, sink); });
  const std::size_t start = text.find("joints = [") + 10;
  std::istringstream list(text.substr(start, text.find(']', start) - start));
  std::set<std::string> names;
  std::string name;
  std::size_t count = 0;
  while (std::getline(list, name, ',')) {
    name.erase(0, name.find('"'));
    EXPECT_EQ(name.substr(0, 5), "\"root");
    EXPECT_LE(std::count(name.begin(), name.end(), '/'), 10);
    names.insert(name);
    ++count;
  }
  EXPECT_EQ(count, scene.plant.segments.size() + 1);
  EXPECT_EQ(names.size(), count);
}

}  // namespace
}  // namespace thigmo::writers_test
