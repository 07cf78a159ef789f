#pragma once

#include <memory>
#include <string>

#include "base/image.h"
#include "base/result.h"

namespace thigmo {

// Whether the program `ffmpeg` is there and starts: for work that must not find out at its end.
Result<Done> check_ffmpeg();

struct VideoOptions {
  int width = 960, height = 540;  // [pixels], even
  double frames_per_second = 30;
  int quality = 18;  // libx264's rate factor: 0 lossless … 51 worst
  int threads = 0;   // 0: as many as ffmpeg likes
};

// Encodes H.264 in MP4 by the `ffmpeg` program, to a temporary name that `finish` renames. A
// writer that goes away unfinished ends ffmpeg and leaves no file.
class VideoWriter {
 public:
  static Result<VideoWriter> open(const std::string& path, const VideoOptions& options);
  VideoWriter(VideoWriter&&) noexcept;
  ~VideoWriter();

  Result<Done> add(const Image& frame);
  Result<Done> finish();

 private:
  struct Encoder;
  explicit VideoWriter(std::unique_ptr<Encoder> encoder);
  std::unique_ptr<Encoder> encoder_;
};

}  // namespace thigmo
