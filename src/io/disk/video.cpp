#include "io/disk/video.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <utility>
#include <vector>

#include "io/disk/file.h"

extern char** environ;

namespace thigmo {

struct VideoWriter::Encoder {
  std::string path;
  std::optional<TemporaryFile> temporary;  // ours while ffmpeg writes into it
  VideoOptions options;
  pid_t process = -1;
  int frames = -1;    // socket into ffmpeg
  int messages = -1;  // pipe with what ffmpeg complains about

  Encoder() = default;
  Encoder(const Encoder&) = delete;
  Encoder& operator=(const Encoder&) = delete;
  ~Encoder() {
    if (frames >= 0) ::close(frames);
    if (process > 0) {
      ::kill(process, SIGKILL);
      while (::waitpid(process, nullptr, 0) < 0 && errno == EINTR) {
      }
    }
    if (messages >= 0) ::close(messages);
  }

  std::string read_messages() const {
    std::string text;
    char buffer[4096];
    for (;;) {
      const ssize_t got = ::read(messages, buffer, sizeof buffer);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) break;
      if (text.size() < 4096) text.append(buffer, static_cast<std::size_t>(got));
    }
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
    return text;
  }

  Diagnostic failure() {
    ::close(std::exchange(frames, -1));
    const std::string text = read_messages();
    return error(fmt::format("ffmpeg could not write '{}': {}", path,
                             text.empty() ? "it ended early without a message" : text));
  }
};

namespace {

std::vector<std::string> ffmpeg_arguments(const VideoOptions& o, const std::string& temporary) {
  return {"ffmpeg",
          "-v",
          "error",
          "-nostdin",
          "-y",
          "-f",
          "rawvideo",
          "-pix_fmt",
          "rgb24",
          "-s",
          fmt::format("{}x{}", o.width, o.height),
          "-r",
          fmt::format("{}", o.frames_per_second),
          "-i",
          "pipe:0",
          "-an",
          "-c:v",
          "libx264",
          "-preset",
          "medium",
          "-crf",
          fmt::format("{}", o.quality),
          "-pix_fmt",
          "yuv420p",
          "-threads",
          fmt::format("{}", o.threads),
          "-movflags",
          "+faststart",
          "-f",
          "mp4",
          temporary};
}

// Starts ffmpeg with `input` as its standard input and `messages` as its standard error. Returns
// 0 or the error number.
int start_ffmpeg(std::vector<std::string> arguments, int input, int messages, pid_t& process) {
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, 0);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, messages, 2);
  // A group of its own: Ctrl-C goes to us alone, and we end ffmpeg after tidying up.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  const int code =
      posix_spawnp(&process, "ffmpeg", &actions, &attributes, pointers.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return code;
}

Diagnostic no_ffmpeg() {
  return error("the video needs the program 'ffmpeg', which cannot be started",
               "install it (apt-get install ffmpeg) or leave the video out");
}

}  // namespace

Result<Done> check_ffmpeg() {
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nothing < 0) return error("cannot open /dev/null");
  pid_t process = -1;
  const int code = start_ffmpeg({"ffmpeg", "-v", "quiet", "-version"}, nothing, nothing, process);
  ::close(nothing);
  if (code != 0) return no_ffmpeg();
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return no_ffmpeg();
  return Done{};
}

VideoWriter::VideoWriter(std::unique_ptr<Encoder> encoder) : encoder_(std::move(encoder)) {}
VideoWriter::VideoWriter(VideoWriter&&) noexcept = default;
VideoWriter::~VideoWriter() = default;

Result<VideoWriter> VideoWriter::open(const std::string& path, const VideoOptions& options) {
  if (options.width <= 0 || options.height <= 0 || options.width % 2 || options.height % 2) {
    return error(
        fmt::format("a video of {}x{} pixels cannot be encoded", options.width, options.height),
        "width and height must be even");
  }
  // Finds out now, not after minutes of rendering, whether the folder can be written to.
  if (const Result<Done> place = check_place(path); !place) return place.diagnostics();
  Result<TemporaryFile> temporary = TemporaryFile::make(path);
  if (!temporary) return temporary.diagnostics();
  auto encoder = std::make_unique<Encoder>();
  encoder->temporary.emplace(std::move(*temporary));
  encoder->path = path;
  encoder->options = options;
  // A socket, not a pipe: writing to a dead reader then is an error code instead of a signal.
  int sockets[2], pipes[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) {
    return error("cannot open a socket to ffmpeg");
  }
  encoder->frames = sockets[0];
  if (::pipe2(pipes, O_CLOEXEC) != 0) {
    ::close(sockets[1]);
    return error("cannot open a pipe to ffmpeg");
  }
  encoder->messages = pipes[0];
  const int code = start_ffmpeg(ffmpeg_arguments(options, encoder->temporary->name()), sockets[1],
                                pipes[1], encoder->process);
  ::close(sockets[1]);
  ::close(pipes[1]);
  if (code != 0) {
    encoder->process = -1;
    return no_ffmpeg();
  }
  return VideoWriter(std::move(encoder));
}

Result<Done> VideoWriter::add(const Image& frame) {
  THIGMO_ASSERT(encoder_ && encoder_->frames >= 0);
  THIGMO_ASSERT(frame.width == encoder_->options.width && frame.height == encoder_->options.height);
  const std::uint8_t* bytes = frame.rgb.data();
  std::size_t left = frame.rgb.size();
  while (left > 0) {
    const ssize_t sent = ::send(encoder_->frames, bytes, left, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return encoder_->failure();
    bytes += sent;
    left -= static_cast<std::size_t>(sent);
  }
  return Done{};
}

Result<Done> VideoWriter::finish() {
  THIGMO_ASSERT(encoder_ && encoder_->frames >= 0);
  ::close(std::exchange(encoder_->frames, -1));
  const std::string messages = encoder_->read_messages();
  int status = 0;
  while (::waitpid(encoder_->process, &status, 0) < 0 && errno == EINTR) {
  }
  encoder_->process = -1;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    return error(fmt::format("ffmpeg could not write '{}': {}", encoder_->path,
                             messages.empty() ? "it failed without a message" : messages));
  }
  return encoder_->temporary->rename_into_place();
}

}  // namespace thigmo
