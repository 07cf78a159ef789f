#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "thigmo/thigmo.h"

namespace thigmo::render_test {
namespace {

namespace fs = std::filesystem;

class Render : public ::testing::Test {
 protected:
  // A folder for each test: ctest runs them side by side.
  Render()
      : folder_(fs::path(::testing::TempDir()) /
                (std::string("thigmo_render_") +
                 ::testing::UnitTest::GetInstance()->current_test_info()->name())) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~Render() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name)) << text;
    return path(name);
  }
  std::string bytes(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    std::stringstream content;
    content << file.rdbuf();
    return content.str();
  }
  // A mast with a flag of one leaf, HIGH metres high.
  std::string mast() const {
    return write("mast.lsys", "#define HIGH 2\nwidth: 0.02\nAxiom: F(HIGH/2)F(HIGH/2)~l(0.3)\n");
  }
  std::string scenario() const {
    mast();
    return write("mast.toml",
                 "duration = 1\nstep = 0.01\n[wind]\nkind = \"uniform\"\nmean = [20, 0, 0]\n"
                 "[[plant]]\ngrammar = \"mast.lsys\"\n");
  }
  RenderRequest request(const std::string& file, const std::string& out) const {
    return {.file = file, .out_file = path(out), .width = 64, .height = 48, .samples = 1};
  }

  fs::path folder_;
};

TEST_F(Render, DrawsAGrammarAtRestInTheSizeAskedFor) {
  const auto summary = render(request(mast(), "mast.png"));
  ASSERT_TRUE(summary) << summary.error();
  EXPECT_EQ(summary->plants, 1u);
  EXPECT_EQ(summary->segments, 2u);
  EXPECT_EQ(summary->organs, 1u);
  EXPECT_NEAR(summary->bbox_max[1], 2.0, 1e-12);
  const std::string png = bytes("mast.png");
  ASSERT_GT(png.size(), 24u);
  // The header chunk of PNG: width and height as big-endian numbers at bytes 16 and 20.
  EXPECT_EQ(png.substr(16, 8), std::string("\0\0\0\x40\0\0\0\x30", 8));
}

TEST_F(Render, ReplacesConstantsOfTheGrammar) {
  RenderRequest higher = request(mast(), "mast.png");
  higher.overrides = {"HIGH=3.5"};
  const auto summary = render(higher);
  ASSERT_TRUE(summary) << summary.error();
  EXPECT_NEAR(summary->bbox_max[1], 3.5, 1e-12);
}

TEST_F(Render, TheWindBendsWhatAScenarioShowsLater) {
  RenderRequest early = request(scenario(), "early.png"), late = request(scenario(), "late.png");
  late.time = 0.5;
  const auto start = render(early), bent = render(late);
  ASSERT_TRUE(start) << start.error();
  ASSERT_TRUE(bent) << bent.error();
  EXPECT_EQ(start->bbox_max[0], 0.0);
  EXPECT_GT(bent->bbox_max[0], 0.0);
  EXPECT_NE(bytes("early.png"), bytes("late.png"));
}

TEST_F(Render, SaysWhatIsWrongAndLeavesNoFile) {
  const auto complaint = [&](auto change) {
    RenderRequest bad = request(mast(), "bad.png");
    change(bad);
    const auto summary = render(bad);
    EXPECT_FALSE(summary);
    EXPECT_FALSE(fs::exists(path("bad.png")));
    return summary ? std::string() : summary.error();
  };
  const auto has = [](const std::string& text, const char* part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  has(complaint([&](RenderRequest& r) { r.file = path("none.lsys"); }), "none.lsys");
  has(complaint([&](RenderRequest& r) { r.out_file = path("bad.jpg"); }), "formats: .png");
  has(complaint([](RenderRequest& r) { r.time = 1.0; }), "scenario");
  has(complaint([](RenderRequest& r) { r.species = "sugar_mapel"; }), "sugar_maple");
  has(complaint([](RenderRequest& r) { r.overrides = {"HIGH"}; }), "NAME=number");
  has(complaint([](RenderRequest& r) { r.overrides = {"HEIGHT=3"}; }), "HEIGHT");
  has(complaint([](RenderRequest& r) { r.width = 0; }), "0 x 48");
  has(complaint([](RenderRequest& r) { r.samples = 0; }), "0 samples");
  has(complaint([&](RenderRequest& r) { r.file = scenario(), r.time = 2.0; }), "0 to 1 s");
  has(complaint([&](RenderRequest& r) { r.file = scenario(), r.seed = 2; }), "plant.0.seed");
}

}  // namespace
}  // namespace thigmo::render_test
