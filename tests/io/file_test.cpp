#include "io/disk/file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <thread>

namespace thigmo::file_test {
namespace {

class FileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(::testing::TempDir()) /
              ::testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const char* name) const { return (folder_ / name).string(); }
  std::size_t files_here() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder_),
                                                  std::filesystem::directory_iterator()));
  }
  std::filesystem::path folder_;
};

TEST_F(FileTest, WhatIsWrittenIsReadBack) {
  const std::string bytes("a\0b\n\xff", 5);
  ASSERT_TRUE(write_file(path("x.bin"), bytes));
  const Result<std::string> back = read_file(path("x.bin"));
  ASSERT_TRUE(back);
  EXPECT_EQ(*back, bytes);
  EXPECT_EQ(files_here(), 1u);
}

TEST_F(FileTest, UnfinishedWritingLeavesTheOldFileAndNoOther) {
  ASSERT_TRUE(write_file(path("x.txt"), "old"));
  {
    Result<FileWriter> writer = FileWriter::open(path("x.txt"));
    ASSERT_TRUE(writer);
    ASSERT_TRUE(writer->append("new and half"));
  }
  EXPECT_EQ(*read_file(path("x.txt")), "old");
  EXPECT_EQ(files_here(), 1u);
}

TEST_F(FileTest, FolderThatIsNotThereIsNamed) {
  const Result<Done> done = write_file(path("no/such/x.txt"), "x");
  ASSERT_FALSE(done);
  const std::string message = to_string(done.diagnostics());
  EXPECT_NE(message.find("cannot write '" + path("no/such/x.txt") + "': no such file"),
            std::string::npos)
      << message;
  EXPECT_NE(message.find("--out"), std::string::npos) << message;
  EXPECT_EQ(files_here(), 0u);
}

TEST_F(FileTest, FolderInTheFilesPlaceIsRefused) {
  std::filesystem::create_directories(folder_ / "taken");
  const Result<Done> done = write_file(path("taken"), "x");
  ASSERT_FALSE(done);
  EXPECT_NE(to_string(done.diagnostics()).find("is a directory"), std::string::npos);
}

TEST_F(FileTest, MissingAndTooLargeFilesAreRefused) {
  const Result<std::string> missing = read_file(path("none"));
  ASSERT_FALSE(missing);
  EXPECT_NE(to_string(missing.diagnostics()).find("cannot read"), std::string::npos);
  ASSERT_TRUE(write_file(path("big"), std::string(1000, 'x')));
  EXPECT_TRUE(read_file(path("big"), 1000));
  EXPECT_FALSE(read_file(path("big"), 999));
  // A device reports no size, and never ends.
  EXPECT_FALSE(read_file("/dev/zero", 1 << 20));
}

// Endless devices are not read until memory is full, and a pipe that nobody writes to is not waited for.
TEST_F(FileTest, DevicesAndDeadPipesAreAnsweredAtOnce) {
  const Result<std::string> zeros = read_file("/dev/zero");
  ASSERT_FALSE(zeros);
  EXPECT_NE(to_string(zeros.diagnostics()).find("'/dev/zero': it is a device"), std::string::npos);
  const std::string pipe = (folder_ / "pipe.obj").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const Result<std::string> nothing = read_file(pipe);
  ASSERT_TRUE(nothing);
  EXPECT_EQ(*nothing, "");
  EXPECT_FALSE(check_place(pipe));
  EXPECT_FALSE(write_file(pipe, "x"));
  EXPECT_FALSE(check_writable("/dev/null"));
}

// A pipe with a writer is read to its end, however late the bytes come.
TEST_F(FileTest, PipesAreReadToTheirEnd) {
  const std::string pipe = (folder_ / "pipe.obj").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const int both = ::open(pipe.c_str(), O_RDWR);  // opens without waiting for a reader
  ASSERT_GE(both, 0);
  std::thread writer([both] {
    for (const char* piece : {"late ", "bytes"}) {
      std::this_thread::sleep_for(std::chrono::milliseconds(30));
      EXPECT_GT(::write(both, piece, 5), 0);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    ::close(both);
  });
  const Result<std::string> text = read_file(pipe);
  writer.join();
  ASSERT_TRUE(text);
  EXPECT_EQ(*text, "late bytes");
}

TEST_F(FileTest, FoldersAreMadeOrTheReasonIsGiven) {
  EXPECT_TRUE(make_folder(path("a/b/c")));
  EXPECT_TRUE(make_folder(path("a/b/c")));
  ASSERT_TRUE(write_file(path("plain"), ""));
  const Result<Done> done = make_folder(path("plain/below"));
  ASSERT_FALSE(done);
  EXPECT_NE(to_string(done.diagnostics()).find("cannot make the folder"), std::string::npos);
  EXPECT_FALSE(make_folder(path("plain")));
}

// The calls of the system end a name at a NUL, and would take another file.
// What a killed process left goes; what another holds, and what is not ours, stays.
TEST_F(FileTest, TemporaryFilesThatNobodyHoldsAreRemoved) {
  for (const char* name : {".thigmo-00112233445566aa.tmp", ".thigmo-00112233445566bb.tmp",
                           ".thigmo-notes.tmp", ".thigmo-00112233445566AA.tmp"}) {
    const int file = ::open(path(name).c_str(), O_WRONLY | O_CREAT, 0666);
    ASSERT_GE(file, 0);
    ::close(file);
  }
  const int held = ::open(path(".thigmo-00112233445566bb.tmp").c_str(), O_RDONLY);
  ASSERT_EQ(::flock(held, LOCK_EX), 0);
  ASSERT_TRUE(write_file(path("x"), "x"));
  EXPECT_EQ(files_here(), 4u);
  EXPECT_FALSE(std::filesystem::exists(path(".thigmo-00112233445566aa.tmp")));
  EXPECT_TRUE(std::filesystem::exists(path(".thigmo-00112233445566bb.tmp")));
  ::close(held);
}

TEST_F(FileTest, NamesMayBeAsLongAsTheFolderAllows) {
  const std::string longest(255, 'n'), longer(256, 'n');
  EXPECT_TRUE(write_file(path(longest.c_str()), "x"));
  EXPECT_TRUE(check_writable(path(longest.c_str())));
  const Result<Done> done = check_place(path(longer.c_str()));
  ASSERT_FALSE(done);
  EXPECT_NE(to_string(done.diagnostics()).find("too long"), std::string::npos);
  EXPECT_EQ(files_here(), 1u);
}

TEST_F(FileTest, FilesAreKnownByAnyName) {
  ASSERT_TRUE(write_file(path("x"), "x"));
  std::filesystem::create_symlink(path("x"), path("link"));
  std::filesystem::create_hard_link(path("x"), path("hard"));
  ASSERT_TRUE(write_file(path("y"), "x"));
  ASSERT_TRUE(identity_of(path("x")));
  EXPECT_EQ(identity_of(path("link")), identity_of(path("x")));
  EXPECT_EQ(identity_of(path("hard")), identity_of(path("x")));
  EXPECT_NE(identity_of(path("y")), identity_of(path("x")));
  EXPECT_FALSE(identity_of(path("z")));
}

TEST(File, NamesWithNulAreRefused) {
  const std::string path = ::testing::TempDir() + "/nul";
  ASSERT_TRUE(write_file(path, "other"));
  const std::string with_nul = path + std::string("\0.obj", 5);
  for (const Diagnostics& found :
       {read_file(with_nul).diagnostics(), write_file(with_nul, "x").diagnostics(),
        check_writable(with_nul).diagnostics(), check_place(with_nul).diagnostics(),
        check_folder(with_nul).diagnostics(), make_folder(with_nul).diagnostics()}) {
    EXPECT_NE(to_string(found).find("NUL"), std::string::npos);
  }
  EXPECT_EQ(*read_file(path), "other");
}

}  // namespace
}  // namespace thigmo::file_test
