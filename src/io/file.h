#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

// The only place of the engine, with the video writer, that touches the disk: everything else
// turns bytes into values and values into bytes.
namespace thigmo {

// Writes to a temporary name in the same folder and renames it, so that `path` holds either what
// it held before or all of `bytes`, whatever happens in between. Folders are not made.
Result<Done> write_file(const std::string& path, std::string_view bytes);

// As write_file, in pieces: for files that should not be held in memory whole. Nothing is left
// behind unless `commit` was called and succeeded.
class FileWriter {
 public:
  static Result<FileWriter> open(const std::string& path);
  FileWriter(FileWriter&& other) noexcept;
  FileWriter& operator=(FileWriter&&) = delete;
  ~FileWriter();

  Result<Done> append(std::string_view bytes);
  Result<Done> commit();

 private:
  FileWriter(std::string path, std::string temporary, int descriptor);
  void discard();

  std::string path_, temporary_;
  int descriptor_ = -1;
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

// Whether two names lead to one file that is there, by links too.
bool is_same_file(const std::string& a, const std::string& b);

// The folder that a file is in; "." for a plain name.
std::string containing_folder(const std::string& path);

// Makes the folder and those above it.
Result<Done> make_folder(const std::string& path);

// A name beside `path` that no other process uses, with the same extension; and the rename.
std::string temporary_name(const std::string& path);
Result<Done> rename_into_place(const std::string& temporary, const std::string& path);

}  // namespace thigmo
