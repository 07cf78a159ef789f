#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

// The only place of the engine, with the video writer, that touches the disk: everything else
// turns bytes into values and values into bytes.
namespace thigmo {

// A new file under a random name in a folder, until it is renamed or discarded. It is locked as long as
// its owner lives, so that what a killed one left can be told apart: the first file that a process makes in
// a folder removes those of others that nobody holds.
class TemporaryFile {
 public:
  // In the folder of `path`, which is what messages speak of.
  static Result<TemporaryFile> make(const std::string& path);
  TemporaryFile(TemporaryFile&& other) noexcept;
  TemporaryFile& operator=(TemporaryFile&&) = delete;
  ~TemporaryFile();

  int descriptor() const { return descriptor_; }  // for reading and writing; -1: gone
  const std::string& name() const { return name_; }
  // Gives it the name it was made for; it is discarded where that fails.
  Result<Done> rename_into_place();
  // Its descriptor, the name taken away: what is in it is gone when that is closed.
  int release_nameless();
  void discard();

 private:
  TemporaryFile(std::string path, std::string name, int descriptor);

  std::string path_, name_;
  int descriptor_ = -1;
};

// Writes to a temporary name in the same folder and renames it, so that `path` holds either what
// it held before or all of `bytes`, whatever happens in between. Folders are not made.
Result<Done> write_file(const std::string& path, std::string_view bytes);

// As write_file, in pieces: for files that should not be held in memory whole. Nothing is left
// behind unless `commit` was called and succeeded.
class FileWriter {
 public:
  static Result<FileWriter> open(const std::string& path);
  Result<Done> append(std::string_view bytes);
  Result<Done> commit();

 private:
  FileWriter(std::string path, TemporaryFile file);

  std::string path_;
  TemporaryFile file_;
};

// The whole file; refused when it is larger than `size_limit` bytes, before memory is used.
Result<std::string> read_file(const std::string& path, std::uint64_t size_limit = 1u << 30);

// Whether a file could be written under this name, and whether a folder is there or could be made:
// for work that must not find out at its end.
Result<Done> check_writable(const std::string& path);
Result<Done> check_folder(const std::string& path);
// As check_writable, for further files of a folder that is known to be writable: no folder or device has
// the name.
Result<Done> check_place(const std::string& path);

// The path of a file with its folder's links followed, so that two names of one file compare equal.
std::string plain_path(const std::string& path);

// Which file a name leads to, links followed; none where there is none.
struct FileIdentity {
  std::uint64_t device = 0, number = 0;
  auto operator<=>(const FileIdentity&) const = default;
};
std::optional<FileIdentity> identity_of(const std::string& path);

// Takes away a file; false where there is none, or it is none of ours to take.
bool remove_file(const std::string& path);

// The folder that a file is in; "." for a plain name.
std::string containing_folder(const std::string& path);

// Makes the folder and those above it.
Result<Done> make_folder(const std::string& path);

}  // namespace thigmo
