#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>

#include "support/allocations.h"
#include "thigmo/thigmo.h"

#ifndef __SANITIZE_ADDRESS__

namespace thigmo::memory_test {
namespace {

namespace fs = std::filesystem;

class MemoryTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) /
              ::testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "out");
    std::ofstream(path("a.lsys")) << "Axiom: !(0.2)F\nF --> F[+F]F\nderivation length: 3\n";
    std::ofstream(path("a.toml")) << "duration = 0.05\nenergy = true\n[[plant]]\ngrammar = "
                                     "\"a.lsys\"\n[[output]]\nfile = \"a.obj\"\n";
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string path(const char* name) const { return (folder_ / name).string(); }

  // One allocation after the other fails, in steps that grow, until the work gets through: the work is
  // done, or says what it lacked, and nothing half is left.
  void expect_words(const std::function<std::string()>& work) const {
    ASSERT_EQ(work(), "");
    int failed = 0;
    for (long number = 1;; number += 1 + number / 8) {
      const long before = large_allocations;
      large_allocation_that_fails = before + number;
      const std::string said = work();
      const long made = large_allocations - before;
      large_allocation_that_fails = -1;
      for (const auto& entry : fs::directory_iterator(folder_ / "out")) {
        EXPECT_NE(entry.path().filename().string()[0], '.') << number;
      }
      if (made < number) break;
      if (said.empty()) continue;  // where one was not needed, as for a hint
      ++failed;
      EXPECT_NE(said.find("out of memory"), std::string::npos) << number << ": " << said;
    }
    EXPECT_GT(failed, 5);
  }
  fs::path folder_;
};

template <class T>
std::string words_of(const Outcome<T>& outcome) {
  return outcome ? std::string() : outcome.error();
}

// Large allocations alone, which are those that fail where memory is short; and no format that goes through
// nlohmann-json, whose destructors allocate and end the program where that fails.
// Requests are made outside of the work: what is left in it is the API alone.
TEST_F(MemoryTest, DerivingSaysSo) {
  const DeriveRequest request{.file = path("a.lsys"), .want_text = true};
  expect_words([&] { return words_of(derive(request)); });
  expect_words([&] { return words_of(check(request.file)); });
}

TEST_F(MemoryTest, ConvertingSaysSo) {
  for (const char* name : {"out/a.obj", "out/a.ply", "out/a.usda", "out/a.csv", "out/a.geo"}) {
    SCOPED_TRACE(name);
    const ConvertRequest request{.input = path("a.lsys"), .output = path(name), .threads = 1};
    expect_words([&] { return words_of(convert(request)); });
  }
}

TEST_F(MemoryTest, RunningSaysSo) {
  const RunRequest request{
      .scenario_file = path("a.toml"), .out_folder = path("out"), .threads = 1};
  expect_words([&] { return words_of(run(request)); });
  expect_words([&] { return words_of(load_world(request.scenario_file)); });
  const PoseRequest still{.scenario_file = request.scenario_file};
  expect_words([&] { return words_of(pose(still)); });
}

}  // namespace
}  // namespace thigmo::memory_test

#endif
