#include "io/textures/png.h"

#include <fmt/format.h>
#include <png.h>

#include <csetjmp>

#include "base/assert.h"

namespace thigmo {

namespace {

std::string encode(int width, int height, png_uint_32 format, const void* pixels) {
  THIGMO_ASSERT(width > 0 && height > 0);
  png_image description{};
  description.version = PNG_IMAGE_VERSION;
  description.width = static_cast<png_uint_32>(width);
  description.height = static_cast<png_uint_32>(height);
  description.format = format;
  // The simplified writer takes an upper bound and gives back the true size.
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(description);
  std::string bytes(size, '\0');
  const int written =
      png_image_write_to_memory(&description, bytes.data(), &size, 0, pixels, 0, nullptr);
  THIGMO_ASSERT(written != 0);
  bytes.resize(size);
  return bytes;
}

}  // namespace

std::string png_bytes(const Image& image) {
  return encode(image.width, image.height, PNG_FORMAT_RGB, image.rgb.data());
}

// libpng leaves by longjmp where it fails, so that no function of ours that calls it may hold
// anything with a destructor: what it needs lies in here.
struct Png16Writer::Encoder {
  png_structp png = nullptr;
  png_infop info = nullptr;
  std::size_t width = 0, height = 0;
  const ByteSink* sink = nullptr;
  Result<Done> result = Done{};

  static void write(png_structp png, png_bytep bytes, std::size_t count) {
    auto* const encoder = static_cast<Encoder*>(png_get_io_ptr(png));
    if (!encoder->result) return;
    encoder->result = (*encoder->sink)({reinterpret_cast<const char*>(bytes), count});
  }

  bool begin() {
    if (setjmp(png_jmpbuf(png))) return false;
    png_set_write_fn(png, this, write, nullptr);
    png_set_user_limits(png, 0x7fff'ffff, 0x7fff'ffff);
    // Neighbours in a row are neighbours on the surface, and their differences have no pattern: trying
    // all filters and searching for matches takes seven times as long and saves a hundredth.
    constexpr int runs_only = 3;  // zlib's Z_RLE
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB);
    png_set_compression_strategy(png, runs_only);
    png_set_IHDR(png, info, static_cast<png_uint_32>(width), static_cast<png_uint_32>(height), 16,
                 PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_set_gAMA(png, info, 1.0);
    png_write_info(png, info);
    png_set_swap(png);  // ours are little-endian, its big-endian
    return true;
  }
  bool row(png_const_bytep bytes) {
    if (setjmp(png_jmpbuf(png))) return false;
    png_write_row(png, bytes);
    return true;
  }
  bool end() {
    if (setjmp(png_jmpbuf(png))) return false;
    png_write_end(png, info);
    return true;
  }

  Result<Done> answer(bool encoded) {
    if (result && !encoded) {
      result = error(fmt::format("a texture of {} x {} pixels cannot be encoded", width, height));
    }
    return result;
  }
};

Png16Writer::Png16Writer(std::size_t width, std::size_t height, const ByteSink& sink)
    : encoder_(std::make_unique<Encoder>()) {
  THIGMO_ASSERT(width > 0 && height > 0);
  Encoder& e = *encoder_;
  e.width = width;
  e.height = height;
  e.sink = &sink;
  e.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  if (e.png != nullptr) e.info = png_create_info_struct(e.png);
  const bool sizes = width <= 0x7fff'ffff && height <= 0x7fff'ffff;
  static_cast<void>(e.answer(e.info != nullptr && sizes && e.begin()));
}

Png16Writer::~Png16Writer() { png_destroy_write_struct(&encoder_->png, &encoder_->info); }

Result<Done> Png16Writer::add_row(std::span<const std::uint16_t> rgb) {
  THIGMO_ASSERT(rgb.size() == 3 * encoder_->width);
  if (!encoder_->result) return encoder_->result;
  return encoder_->answer(encoder_->row(reinterpret_cast<png_const_bytep>(rgb.data())));
}

Result<Done> Png16Writer::finish() {
  if (!encoder_->result) return encoder_->result;
  return encoder_->answer(encoder_->end());
}

}  // namespace thigmo
