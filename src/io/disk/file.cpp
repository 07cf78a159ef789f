#include "io/disk/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <random>
#include <set>
#include <system_error>
#include <utility>

namespace thigmo {
namespace {

std::string reason(int code) {
  std::string text = std::generic_category().message(code);
  if (!text.empty() && text[0] >= 'A' && text[0] <= 'Z')
    text[0] = static_cast<char>(text[0] - 'A' + 'a');
  return text;
}

// The system's calls would take what stands before the NUL, which is another file.
Result<Done> check_name(const std::string& path) {
  const std::size_t nul = path.find('\0');
  if (nul == std::string::npos) return Done{};
  return error(fmt::format("no file can have this name: there is a NUL character behind '{}'",
                           path.substr(0, nul)));
}

Diagnostic cannot_write(const std::string& path, int code) {
  const char* hint = code == ENOSPC || code == EDQUOT ? "free some space or choose another --out"
                     : code == ENOENT ? "make the folder first or choose another --out"
                                      : "choose another --out";
  return error(fmt::format("cannot write '{}': {}", path, reason(code)), hint);
}

Diagnostic cannot_read(const std::string& path, int code) {
  return error(fmt::format("cannot read '{}': {}", path, reason(code)),
               code == ENOENT ? "check the name and the folder it is looked for in" : "");
}

Diagnostic cannot_make_folder(const std::string& path, int code) {
  return error(fmt::format("cannot make the folder '{}': {}", path, reason(code)),
               "choose another --out");
}

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  int number() const { return number_; }

 private:
  int number_;
};

}  // namespace

namespace {

// ".thigmo-0123456789abcdef.tmp": random, so that names of killed processes stand in nobody's way, and
// short, so that a target's name may be as long as the file system allows.
constexpr std::string_view temporary_prefix = ".thigmo-", temporary_ending = ".tmp";
constexpr std::size_t temporary_digits = 16;

std::string random_name() {
  std::random_device source;
  const std::uint64_t number = (static_cast<std::uint64_t>(source()) << 32) ^ source();
  return fmt::format("{}{:016x}{}", temporary_prefix, number, temporary_ending);
}

bool is_temporary(std::string_view name) {
  if (name.size() != temporary_prefix.size() + temporary_digits + temporary_ending.size() ||
      !name.starts_with(temporary_prefix) || !name.ends_with(temporary_ending)) {
    return false;
  }
  const std::string_view digits = name.substr(temporary_prefix.size(), temporary_digits);
  return digits.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// Removes a temporary file that nobody holds the lock of. Where files cannot be locked all stay.
void remove_if_stale(const std::string& name) {
  const Descriptor file(::open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (file.number() < 0 || ::flock(file.number(), LOCK_EX | LOCK_NB) != 0) return;
  struct stat status {};
  if (::fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode)) return;
  if (status.st_uid == ::geteuid()) ::unlink(name.c_str());
}

// Once for each folder that this process writes into: a look at every file of a run's thousands of frames
// for each of them would take for ever.
void clean_folder(const std::string& folder) {
  static std::mutex mutex;
  static std::set<std::string> seen;
  std::error_code code;
  const std::string plain = std::filesystem::weakly_canonical(folder, code).string();
  {
    const std::lock_guard lock(mutex);
    if (!seen.insert(plain).second) return;
  }
  for (std::filesystem::directory_iterator entry(plain, code), end; !code && entry != end;
       entry.increment(code)) {
    if (is_temporary(entry->path().filename().string())) remove_if_stale(entry->path().string());
  }
}

}  // namespace

TemporaryFile::TemporaryFile(std::string path, std::string name, int descriptor)
    : path_(std::move(path)), name_(std::move(name)), descriptor_(descriptor) {}

TemporaryFile::TemporaryFile(TemporaryFile&& other) noexcept
    : path_(std::move(other.path_)),
      name_(std::move(other.name_)),
      descriptor_(std::exchange(other.descriptor_, -1)) {}

TemporaryFile::~TemporaryFile() { discard(); }

void TemporaryFile::discard() {
  if (descriptor_ < 0) return;
  ::unlink(name_.c_str());
  ::close(std::exchange(descriptor_, -1));
}

Result<TemporaryFile> TemporaryFile::make(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  clean_folder(folder.empty() ? "." : folder.string());
  // A name may be taken, or the file removed by one who cleans up before it is locked: then another.
  constexpr int most_tries = 100;
  for (int i = 0; i < most_tries; ++i) {
    std::string name = (folder / random_name()).string();
    const int descriptor = ::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0 && errno == EEXIST) continue;
    if (descriptor < 0) return cannot_write(path, errno);
    TemporaryFile file(path, std::move(name), descriptor);
    if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) continue;
    struct stat status {};
    if (::fstat(descriptor, &status) == 0 && status.st_nlink == 0) continue;
    return file;
  }
  return cannot_write(path, EEXIST);
}

Result<Done> TemporaryFile::rename_into_place() {
  THIGMO_ASSERT(descriptor_ >= 0);
  // Closing can report a write that failed late (network folders, full disks). A second descriptor does so
  // without giving up the lock.
  const int second = ::fcntl(descriptor_, F_DUPFD_CLOEXEC, 0);
  if (second < 0 || ::close(second) != 0 || ::rename(name_.c_str(), path_.c_str()) != 0) {
    const int code = errno;
    discard();
    return cannot_write(path_, code);
  }
  ::close(std::exchange(descriptor_, -1));
  return Done{};
}

int TemporaryFile::release_nameless() {
  ::unlink(name_.c_str());
  return std::exchange(descriptor_, -1);
}

FileWriter::FileWriter(std::string path, TemporaryFile file)
    : path_(std::move(path)), file_(std::move(file)) {}

Result<FileWriter> FileWriter::open(const std::string& path) {
  if (const Result<Done> place = check_place(path); !place) return place.diagnostics();
  Result<TemporaryFile> file = TemporaryFile::make(path);
  if (!file) return file.diagnostics();
  return FileWriter(path, std::move(*file));
}

Result<Done> FileWriter::append(std::string_view bytes) {
  THIGMO_ASSERT(file_.descriptor() >= 0);
  while (!bytes.empty()) {
    const ssize_t written = ::write(file_.descriptor(), bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      const int code = errno;
      file_.discard();
      return cannot_write(path_, code);
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return Done{};
}

Result<Done> FileWriter::commit() { return file_.rename_into_place(); }

Result<Done> write_file(const std::string& path, std::string_view bytes) {
  Result<FileWriter> writer = FileWriter::open(path);
  if (!writer) return writer.diagnostics();
  if (const Result<Done> done = writer->append(bytes); !done) return done.diagnostics();
  return writer->commit();
}

Result<std::string> read_file(const std::string& path, std::uint64_t size_limit) {
  if (const Result<Done> done = check_name(path); !done) return done.diagnostics();
  // Without waiting, or a pipe that nobody writes to would never open; it reads as empty.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.number() < 0) return cannot_read(path, errno);
  struct stat status {};
  if (::fstat(file.number(), &status) != 0) return cannot_read(path, errno);
  if (S_ISDIR(status.st_mode)) return cannot_read(path, EISDIR);
  if (!S_ISREG(status.st_mode) && !S_ISFIFO(status.st_mode)) {
    return error(fmt::format("cannot read '{}': it is a device, not a file", path));
  }
  if (::fcntl(file.number(), F_SETFL, 0) != 0) return cannot_read(path, errno);
  const auto too_large = [&] {
    return error(fmt::format("'{}' is larger than {} bytes", path, size_limit));
  };
  if (static_cast<std::uint64_t>(status.st_size) > size_limit) return too_large();
  std::string text;
  text.reserve(static_cast<std::size_t>(status.st_size));
  // Pipes report size 0: read until the end, counting.
  char buffer[1 << 16];
  for (;;) {
    const ssize_t got = ::read(file.number(), buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return cannot_read(path, errno);
    if (got == 0) return text;
    if (text.size() + static_cast<std::size_t>(got) > size_limit) return too_large();
    text.append(buffer, static_cast<std::size_t>(got));
  }
}

std::string containing_folder(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  return folder.empty() ? "." : folder.string();
}

Result<Done> check_writable(const std::string& path) {
  const Result<FileWriter> writer = FileWriter::open(path);
  if (!writer) return writer.diagnostics();
  return Done{};
}

Result<Done> check_place(const std::string& path) {
  if (const Result<Done> done = check_name(path); !done) return done.diagnostics();
  std::error_code code;
  const std::filesystem::file_status status = std::filesystem::status(path, code);
  // What is written under a short name must be renamed to this one in the end.
  if (code.value() == ENAMETOOLONG) return cannot_write(path, ENAMETOOLONG);
  if (std::filesystem::is_directory(status)) return cannot_write(path, EISDIR);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    return error(fmt::format("cannot write '{}': it is a device or pipe, not a file", path),
                 "choose another --out");
  return Done{};
}

std::optional<FileIdentity> identity_of(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return FileIdentity{.device = status.st_dev, .number = status.st_ino};
}

bool remove_file(const std::string& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
  return ::unlink(path.c_str()) == 0;
}

std::string plain_path(const std::string& path) {
  std::error_code code;
  const std::filesystem::path folder =
      std::filesystem::weakly_canonical(containing_folder(path), code);
  if (code) return path;
  return (folder / std::filesystem::path(path).filename()).string();
}

Result<Done> check_folder(const std::string& path) {
  if (const Result<Done> done = check_name(path); !done) return done.diagnostics();
  std::error_code code;
  std::filesystem::path there = std::filesystem::absolute(path, code);
  while (!code && !std::filesystem::exists(there, code) && there.has_relative_path()) {
    there = there.parent_path();
  }
  if (!code && !std::filesystem::is_directory(there, code)) {
    code = {ENOTDIR, std::generic_category()};
  }
  if (!code && ::access(there.c_str(), W_OK | X_OK) != 0) code = {errno, std::generic_category()};
  if (code) return cannot_make_folder(path, code.value());
  return Done{};
}

Result<Done> make_folder(const std::string& path) {
  if (const Result<Done> done = check_name(path); !done) return done.diagnostics();
  std::error_code code;
  std::filesystem::create_directories(path, code);
  if (!code && !std::filesystem::is_directory(path, code))
    code = {ENOTDIR, std::generic_category()};
  if (code) return cannot_make_folder(path, code.value());
  return Done{};
}

}  // namespace thigmo
