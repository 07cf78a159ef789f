#include "io/disk/video.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace thigmo::video_test {
namespace {

std::string output_of(const std::string& command) {
  std::string text;
  FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return text;
  char buffer[256];
  while (std::fgets(buffer, sizeof buffer, pipe) != nullptr) text += buffer;
  ::pclose(pipe);
  return text;
}

class VideoTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (output_of("ffmpeg -version 2>/dev/null").empty())
      FAIL() << "needs ffmpeg: run tools/bootstrap";
    folder_ = std::filesystem::path(::testing::TempDir()) /
              ::testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path folder_;
};

TEST_F(VideoTest, HoldsEveryFrame) {
  const std::string path = (folder_ / "x.mp4").string();
  Result<VideoWriter> video =
      VideoWriter::open(path, {.width = 64, .height = 48, .frames_per_second = 24, .threads = 1});
  ASSERT_TRUE(video);
  for (int f = 0; f < 17; ++f) {
    ASSERT_TRUE(video->add(make_image(64, 48, {static_cast<std::uint8_t>(10 * f), 80, 90})));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
  ASSERT_TRUE(video->finish());
  const std::string probe = output_of(
      "ffprobe -v error -count_frames -show_entries "
      "stream=nb_read_frames,pix_fmt,codec_name,width -of csv=p=0 '" +
      path + "'");
  EXPECT_EQ(probe, "h264,64,yuv420p,17\n");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
}

TEST_F(VideoTest, UnfinishedLeavesNothing) {
  {
    Result<VideoWriter> video =
        VideoWriter::open((folder_ / "x.mp4").string(), {.width = 64, .height = 48});
    ASSERT_TRUE(video);
    ASSERT_TRUE(video->add(make_image(64, 48, {1, 2, 3})));
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

TEST_F(VideoTest, MissingProgramOddSizeAndFolderAreExplained) {
  const Result<VideoWriter> odd =
      VideoWriter::open((folder_ / "x.mp4").string(), {.width = 63, .height = 48});
  ASSERT_FALSE(odd);
  EXPECT_NE(to_string(odd.diagnostics()).find("even"), std::string::npos);
  const Result<VideoWriter> nowhere =
      VideoWriter::open((folder_ / "no/x.mp4").string(), {.width = 64, .height = 48});
  ASSERT_FALSE(nowhere);
  EXPECT_NE(to_string(nowhere.diagnostics()).find("cannot write"), std::string::npos);
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", folder_.c_str(), 1);
  const Result<VideoWriter> missing =
      VideoWriter::open((folder_ / "x.mp4").string(), {.width = 64, .height = 48});
  ::setenv("PATH", path.c_str(), 1);
  ASSERT_FALSE(missing);
  EXPECT_NE(to_string(missing.diagnostics()).find("ffmpeg"), std::string::npos);
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

}  // namespace
}  // namespace thigmo::video_test
