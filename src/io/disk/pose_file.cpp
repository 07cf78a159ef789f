#include "io/disk/pose_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <system_error>
#include <utility>

#include "base/assert.h"
#include "io/disk/file.h"

namespace thigmo {
namespace {

// The pose of a plant's frame, or of a segment's, in the file: each plant's own comes first, so that any
// range of segments is one piece.
struct Placed {
  Vec3 base_world;
  Quat world_from_segment;
};
static_assert(std::is_trivially_copyable_v<Placed>);

Diagnostic cannot(const char* what, const std::string& folder, int code) {
  return error(fmt::format("cannot {} poses in '{}': {}", what, folder,
                           std::generic_category().message(code)),
               code == ENOSPC || code == EDQUOT
                   ? "free some space, or give the outputs a lower rate"
                   : "choose another --out");
}

// A file that is gone when it is closed. Not every file system has files without a name.
int open_nameless(const std::string& folder) {
  const std::string here = folder.empty() ? "." : folder;
  const int descriptor = ::open(here.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (descriptor >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL))
    return descriptor;
  Result<TemporaryFile> named = TemporaryFile::make(here + "/poses");
  return named ? named->release_nameless() : -1;
}

}  // namespace

PoseFile::PoseFile(int descriptor, std::string folder)
    : descriptor_(descriptor), folder_(std::move(folder)) {}

PoseFile::PoseFile(PoseFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      folder_(std::move(other.folder_)),
      layouts_(std::move(other.layouts_)),
      frames_(other.frames_),
      buffer_(std::move(other.buffer_)),
      failed_code_(other.failed_code_) {}

PoseFile::~PoseFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<PoseFile> PoseFile::open(const std::string& folder, std::vector<Index> segments) {
  const int descriptor = open_nameless(folder);
  if (descriptor < 0) return cannot("keep", folder, errno);
  PoseFile file(descriptor, folder);
  file.change_plants(std::move(segments));
  return file;
}

void PoseFile::change_plants(std::vector<Index> segments) {
  if (!layouts_.empty() && layouts_.back().first_frame == frames_) layouts_.pop_back();
  Layout layout{.first_frame = frames_,
                .first_place = layouts_.empty() ? 0 : layouts_.back().place(frames_),
                .segments = std::move(segments),
                .first = {0}};
  for (const Index count : layout.segments) {
    layout.first.push_back(layout.first.back() + 1 + as_size(count));
  }
  layouts_.push_back(std::move(layout));
}

const PoseFile::Layout& PoseFile::layout_at(std::size_t frame) const {
  const auto after =
      std::upper_bound(layouts_.begin(), layouts_.end(), frame,
                       [](std::size_t f, const Layout& layout) { return f < layout.first_frame; });
  return *std::prev(after);
}

Result<Done> PoseFile::append(std::span<const Pose> poses) {
  const Layout& layout = layouts_.back();
  THIGMO_ASSERT(poses.size() == layout.segments.size());
  buffer_.resize(layout.first.back() * sizeof(Placed));
  const std::size_t begin = layout.place(frames_) * sizeof(Placed);
  char* to = buffer_.data();
  for (std::size_t plant = 0; plant < poses.size(); ++plant) {
    const Pose& pose = poses[plant];
    THIGMO_ASSERT(pose.base_world.size() == as_size(layout.segments[plant]));
    const auto put = [&to](const Placed& placed) {
      std::memcpy(to, &placed, sizeof placed);
      to += sizeof placed;
    };
    put({pose.root.origin_world, pose.root.world_from_plant});
    for (std::size_t s = 0; s < pose.base_world.size(); ++s) {
      put({pose.base_world[s], pose.world_from_segment[s]});
    }
  }
  for (std::size_t done = 0; done < buffer_.size();) {
    const ssize_t written = ::pwrite(descriptor_, buffer_.data() + done, buffer_.size() - done,
                                     static_cast<off_t>(begin + done));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return cannot("keep", folder_, errno);
    done += static_cast<std::size_t>(written);
  }
  ++frames_;
  return Done{};
}

bool PoseFile::read_placed(std::size_t first, std::span<std::byte> to) const {
  for (std::size_t got = 0; got < to.size();) {
    const ssize_t more = ::pread(descriptor_, to.data() + got, to.size() - got,
                                 static_cast<off_t>(first * sizeof(Placed) + got));
    if (more < 0 && errno == EINTR) continue;
    if (more <= 0) {
      failed_code_ = more < 0 ? errno : EIO;
      return false;
    }
    got += static_cast<std::size_t>(more);
  }
  return true;
}

void PoseFile::read_root(std::size_t plant, std::size_t frame, PlantFrame& root) const {
  const Layout& layout = layout_at(frame);
  Placed placed;
  const std::size_t at = layout.place(frame) + layout.first[plant];
  if (!read_placed(at, std::as_writable_bytes(std::span(&placed, 1)))) return;
  root = {placed.base_world, placed.world_from_segment};
}

void PoseFile::read_segments(std::size_t plant, std::size_t frame, SegmentRange range, Index to,
                             Pose& pose) const {
  const Layout& layout = layout_at(frame);
  THIGMO_ASSERT(range.first + range.count <= layout.segments[plant]);
  const std::size_t from = layout.place(frame) + layout.first[plant] + 1 + as_size(range.first);
  // In pieces that stay in a cache.
  std::array<Placed, 512> piece;
  for (std::size_t done = 0, count = as_size(range.count); done < count;) {
    const std::size_t part = std::min(piece.size(), count - done);
    if (!read_placed(from + done, std::as_writable_bytes(std::span(piece).first(part)))) return;
    for (std::size_t k = 0; k < part; ++k) {
      pose.base_world[as_size(to) + done + k] = piece[k].base_world;
      pose.world_from_segment[as_size(to) + done + k] = piece[k].world_from_segment;
    }
    done += part;
  }
}

Motion PoseFile::motion(std::size_t plant, std::vector<double> times,
                        std::vector<std::size_t> frames) const {
  THIGMO_ASSERT(times.size() == frames.size());
  const Index segments = layout_at(frames.front()).segments[plant];
  return {.times = std::move(times),
          .poses = {},
          .read =
              [this, plant, segments, numbers = std::move(frames)](std::size_t frame,
                                                                   SegmentRange range, Pose& pose) {
                pose.base_world.resize(as_size(segments));
                pose.world_from_segment.resize(as_size(segments));
                read_root(plant, numbers[frame], pose.root);
                read_segments(plant, numbers[frame], range, range.first, pose);
              },
          .segments = segments};
}

std::optional<Diagnostic> PoseFile::failure() const {
  if (failed_code_ == 0) return std::nullopt;
  return cannot("read", folder_, failed_code_);
}

double PoseFile::bytes_per_segment() { return static_cast<double>(sizeof(Placed)); }

std::optional<double> PoseFile::free_bytes(const std::string& folder) {
  struct statvfs status {};
  if (::statvfs(folder.empty() ? "." : folder.c_str(), &status) != 0) return std::nullopt;
  return static_cast<double>(status.f_bavail) * static_cast<double>(status.f_frsize);
}

}  // namespace thigmo
