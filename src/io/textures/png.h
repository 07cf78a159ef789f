#pragma once

#include <memory>
#include <span>
#include <string>

#include "base/image.h"
#include "io/text/bytes.h"

namespace thigmo {

// The bytes of a PNG file: 8-bit RGB, sRGB.
std::string png_bytes(const Image& image);

// A PNG of 16 bits a channel row by row, values as they are (gamma 1): data, not a picture, and one
// that need not fit the memory. The sink must outlive it.
class Png16Writer {
 public:
  Png16Writer(std::size_t width, std::size_t height, const ByteSink& sink);
  Png16Writer(const Png16Writer&) = delete;
  Png16Writer& operator=(const Png16Writer&) = delete;
  ~Png16Writer();

  // As many as the picture is high, then finish.
  Result<Done> add_row(std::span<const std::uint16_t> rgb);
  Result<Done> finish();

 private:
  struct Encoder;
  std::unique_ptr<Encoder> encoder_;
};

}  // namespace thigmo
