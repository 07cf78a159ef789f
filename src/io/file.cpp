#include "io/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>
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
std::optional<Diagnostic> find_nul(const std::string& path) {
  const std::size_t nul = path.find('\0');
  if (nul == std::string::npos) return std::nullopt;
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

std::string temporary_name(const std::string& path) {
  // The counter keeps threads of this process apart, the process number other processes.
  static std::atomic<unsigned> counter{0};
  const std::filesystem::path whole(path);
  const std::string name = fmt::format(".{}.{}-{}.tmp{}", whole.stem().string(), ::getpid(),
                                       counter.fetch_add(1), whole.extension().string());
  return (whole.parent_path() / name).string();
}

Result<Done> rename_into_place(const std::string& temporary, const std::string& path) {
  if (::rename(temporary.c_str(), path.c_str()) == 0) return Done{};
  const int code = errno;
  ::unlink(temporary.c_str());
  return cannot_write(path, code);
}

FileWriter::FileWriter(std::string path, std::string temporary, int descriptor)
    : path_(std::move(path)), temporary_(std::move(temporary)), descriptor_(descriptor) {}

FileWriter::FileWriter(FileWriter&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::move(other.temporary_)),
      descriptor_(std::exchange(other.descriptor_, -1)) {}

FileWriter::~FileWriter() { discard(); }

void FileWriter::discard() {
  if (descriptor_ < 0) return;
  ::close(std::exchange(descriptor_, -1));
  ::unlink(temporary_.c_str());
}

Result<FileWriter> FileWriter::open(const std::string& path) {
  if (const Result<Done> place = check_place(path); !place) return place.diagnostics();
  std::string temporary = temporary_name(path);
  const int descriptor = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor < 0) return cannot_write(path, errno);
  return FileWriter(path, std::move(temporary), descriptor);
}

Result<Done> FileWriter::append(std::string_view bytes) {
  THIGMO_ASSERT(descriptor_ >= 0);
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      const int code = errno;
      discard();
      return cannot_write(path_, code);
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return Done{};
}

Result<Done> FileWriter::commit() {
  THIGMO_ASSERT(descriptor_ >= 0);
  // Closing can report a write that failed late (network folders, full disks).
  if (::close(std::exchange(descriptor_, -1)) != 0) {
    const int code = errno;
    ::unlink(temporary_.c_str());
    return cannot_write(path_, code);
  }
  return rename_into_place(temporary_, path_);
}

Result<Done> write_file(const std::string& path, std::string_view bytes) {
  Result<FileWriter> writer = FileWriter::open(path);
  if (!writer) return writer.diagnostics();
  if (const Result<Done> done = writer->append(bytes); !done) return done.diagnostics();
  return writer->commit();
}

Result<std::string> read_file(const std::string& path, std::uint64_t size_limit) {
  if (const auto wrong = find_nul(path)) return *wrong;
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
  if (const auto wrong = find_nul(path)) return *wrong;
  std::error_code code;
  const std::filesystem::file_status status = std::filesystem::status(path, code);
  if (std::filesystem::is_directory(status)) return cannot_write(path, EISDIR);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    return error(fmt::format("cannot write '{}': it is a device or pipe, not a file", path),
                 "choose another --out");
  return Done{};
}

bool is_same_file(const std::string& a, const std::string& b) {
  std::error_code code;
  return std::filesystem::equivalent(a, b, code);
}

std::string plain_path(const std::string& path) {
  std::error_code code;
  const std::filesystem::path folder =
      std::filesystem::weakly_canonical(containing_folder(path), code);
  if (code) return path;
  return (folder / std::filesystem::path(path).filename()).string();
}

Result<Done> check_folder(const std::string& path) {
  if (const auto wrong = find_nul(path)) return *wrong;
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
  if (const auto wrong = find_nul(path)) return *wrong;
  std::error_code code;
  std::filesystem::create_directories(path, code);
  if (!code && !std::filesystem::is_directory(path, code))
    code = {ENOTDIR, std::generic_category()};
  if (code) return cannot_make_folder(path, code.value());
  return Done{};
}

}  // namespace thigmo
