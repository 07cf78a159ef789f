#include "render/picture.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/assert.h"
#include "base/parallel.h"
#include "base/random.h"
#include "render/noise.h"

namespace thigmo {
namespace {

using std::numbers::pi;
constexpr int tile_size = 16;

// Well-spread numbers for one sample of one pixel. The points of a pixel follow an additive
// recurrence, which fills the unit cube evenly; each pixel shifts it by numbers of its own.
class Sampler {
 public:
  Sampler(std::uint64_t pixel, int sample) : pixel_(pixel), sample_(sample + 1) {}

  double next() {
    // Fractional parts of n·α with α = 1/φ_d^k, φ_d the root of x^(d+1) = x + 1 for d = 8.
    constexpr double root = 1.0850702;
    alpha_ /= root;
    const double shift = unit_from_bits(mix_bits(pixel_, static_cast<std::uint64_t>(dimension_++)));
    const double value = shift + alpha_ * static_cast<double>(sample_);
    return value - std::floor(value);
  }

 private:
  std::uint64_t pixel_;
  int sample_;
  int dimension_ = 0;
  double alpha_ = 1.0;
};

struct Frame {
  Vec3 x, y, z;
};
Frame frame_around(const Vec3& z) {
  const Vec3 x = any_perpendicular(z);
  return {.x = x, .y = cross(z, x), .z = z};
}

Vec3 cosine_direction(const Frame& frame, double u, double v) {
  const double r = std::sqrt(u), angle = 2 * pi * v;
  return frame.x * (r * std::cos(angle)) + frame.y * (r * std::sin(angle)) +
         frame.z * std::sqrt(std::max(0.0, 1.0 - u));
}

struct Painter {
  const Scene& scene;
  const RenderOptions& options;
  Frame sun;          // z towards it
  double sun_radius;  // tangent of half its angle
  Vec3 focus_world;   // what the camera looks at: fog and ground fade are measured from it
  double scale_m;     // distance of the camera to it

  Vec3 towards_sun(Sampler& sampler) const {
    const double r = sun_radius * std::sqrt(sampler.next()), angle = 2 * pi * sampler.next();
    return normalized(sun.z + sun.x * (r * std::cos(angle)) + sun.y * (r * std::sin(angle)));
  }

  std::optional<double> ground_distance(const Vec3& origin, const Vec3& direction) const {
    if (!options.ground_height || direction.y > -1e-9) return std::nullopt;
    const double t = (*options.ground_height - origin.y) / direction.y;
    return t > 0 ? std::optional(t) : std::nullopt;
  }

  // What comes in from a direction when the plants are out of the way.
  Vec3 background(const Vec3& direction) const {
    if (direction.y >= 0 || !options.ground_height) return sky_radiance(options.light, direction);
    const Vec3 lit =
        options.light.sun_colour * std::max(0.0, sun.z.y) / pi + options.light.horizon_colour * 0.6;
    return thigmo::scale(options.light.ground_colour, lit);
  }

  // L = albedo · (E_sun cosθ visible / π + sky seen over the hemisphere)
  Vec3 shade(const Vec3& position, const Hit& hit, Sampler& sampler) const {
    const Daylight& light = options.light;
    const double off = 4.0 * scene.step_off();
    const Vec3 sun_direction = towards_sun(sampler);
    const double facing = dot(hit.normal_world, sun_direction);
    Vec3 direct;
    const bool through = facing < 0 && hit.sheet;
    if (facing > 0 || through) {
      const Vec3 origin = position + hit.normal_world * (through ? -off : off);
      if (!scene.occluded(origin, sun_direction))
        direct = light.sun_colour * (std::abs(facing) / pi);
    }
    // Leaves let through light that is yellower and as strong as what they throw back.
    const Vec3 albedo = through ? thigmo::scale(hit.colour, Vec3{1.35, 1.15, 0.5}) : hit.colour;
    const Frame frame = frame_around(hit.normal_world);
    const Vec3 out = cosine_direction(frame, sampler.next(), sampler.next());
    // Light that has bounced between neighbours before: dim and of their own colour.
    Vec3 ambient = thigmo::scale(light.horizon_colour, hit.colour) * 0.55;
    if (!scene.occluded(position + hit.normal_world * off, out)) ambient = background(out);
    Vec3 radiance = thigmo::scale(albedo, direct) + thigmo::scale(hit.colour, ambient);
    if (hit.sheet) radiance += thigmo::scale(hit.colour, ambient) * 0.35;
    return radiance;
  }

  // Fair-weather clouds on a flat layer, thinning out towards the horizon.
  Vec3 sky(const Vec3& direction) const {
    const Vec3 clear = sky_radiance(options.light, direction);
    if (direction.y < 0.02) return clear;
    const double u = direction.x / (direction.y + 0.12), v = direction.z / (direction.y + 0.12);
    double density = 0, size = 1.3, share = 0.5;
    for (std::uint64_t octave = 11; octave < 16; ++octave) {
      density += share * value_noise(size * u, size * v, 0, octave);
      size *= 2.1;
      share *= 0.5;
    }
    const double cover = std::clamp((density - 0.46) / 0.26, 0.0, 1.0);
    const double low = std::clamp((direction.y - 0.02) / 0.14, 0.0, 1.0);
    const double white = 0.75 * cover * cover * (3 - 2 * cover) * low;
    return clear * (1 - white) + Vec3{1.02, 1.04, 1.08} * white;
  }

  // Grass that is drier here and there, in patches of about an eighth of the view and finer, down to
  // tufts that catch the light.
  Vec3 ground_colour(const Vec3& position) const {
    const double size = 0.12 * scale_m;
    const double u = position.x / size, v = position.z / size;
    const double patches = 0.5 * value_noise(u, v, 0, 1) +
                           0.3 * value_noise(3.1 * u, 3.1 * v, 0, 2) +
                           0.2 * value_noise(11.3 * u, 11.3 * v, 0, 3);
    const double tufts =
        0.6 * value_noise(37 * u, 37 * v, 0, 4) + 0.4 * value_noise(101 * u, 101 * v, 0, 5);
    const Vec3 dry{1.30, 1.08, 0.85}, fresh{0.62, 0.86, 0.62};
    return thigmo::scale(options.light.ground_colour, fresh * (1 - patches) + dry * patches) *
           (0.62 + 0.76 * tufts);
  }

  Vec3 ground(const Vec3& origin, const Vec3& direction, double distance, Sampler& sampler) const {
    const Vec3 position = origin + direction * distance;
    const Hit hit{.found = true,
                  .distance = distance,
                  .normal_world = {0, 1, 0},
                  .colour = ground_colour(position)};
    const Vec3 away = position - Vec3{focus_world.x, position.y, focus_world.z};
    const double radius = length(away) / scale_m;
    Vec3 lit = shade(position, hit, sampler);
    // The ground melts into the horizon: no edge of the world behind the plants.
    const Vec3 horizon = sky_radiance(options.light, normalized(Vec3{direction.x, 0, direction.z}));
    const double fade = 1.0 - std::exp(-0.035 * radius * radius);
    return lit * (1.0 - fade) + horizon * fade;
  }

  Vec3 radiance(const Vec3& origin, const Vec3& direction, Sampler& sampler) const {
    const Hit hit = scene.nearest(origin, direction);
    const std::optional<double> floor = ground_distance(origin, direction);
    if (hit.found && (!floor || hit.distance < *floor)) {
      return shade(origin + direction * hit.distance, hit, sampler);
    }
    if (floor) return ground(origin, direction, *floor, sampler);
    return sky(direction);
  }
};

struct Lens {
  Vec3 eye;
  CameraAxes axes;
  double half_height, half_width;  // of the picture at distance 1
  double aperture_radius, focus;
};

Lens make_lens(const Camera& camera, const RenderOptions& options) {
  const double half = std::tan(0.5 * camera.vertical_angle_deg * pi / 180.0);
  const double target = length(camera.target_world - camera.eye_world);
  return {.eye = camera.eye_world,
          .axes = camera_axes(camera),
          .half_height = half,
          .half_width = half * options.width / options.height,
          .aperture_radius = 0.5 * camera.aperture,
          .focus = camera.focus_distance > 0 ? camera.focus_distance : target};
}

Vec3 pixel_radiance(const Painter& painter, const Lens& lens, int x, int y) {
  const RenderOptions& o = painter.options;
  Vec3 sum;
  const auto pixel = static_cast<std::uint64_t>(y) * static_cast<std::uint64_t>(o.width) +
                     static_cast<std::uint64_t>(x);
  for (int s = 0; s < o.samples; ++s) {
    Sampler sampler(pixel, s);
    const double px = (2.0 * (x + sampler.next()) / o.width - 1.0) * lens.half_width;
    const double py = (1.0 - 2.0 * (y + sampler.next()) / o.height) * lens.half_height;
    Vec3 direction = lens.axes.right * px + lens.axes.up * py - lens.axes.back;
    Vec3 origin = lens.eye;
    if (lens.aperture_radius > 0) {
      const Vec3 sharp = origin + direction * lens.focus;
      const double r = lens.aperture_radius * std::sqrt(sampler.next());
      const double angle = 2 * pi * sampler.next();
      origin += lens.axes.right * (r * std::cos(angle)) + lens.axes.up * (r * std::sin(angle));
      direction = sharp - origin;
    }
    sum += painter.radiance(origin, normalized(direction), sampler);
  }
  return sum / static_cast<double>(o.samples);
}

}  // namespace

Image render_picture(std::span<const PosedPlant> plants, const Camera& camera,
                     const RenderOptions& options) {
  THIGMO_ASSERT(options.width > 0 && options.height > 0 && options.samples > 0);
  MeshOptions surface = options.surface;
  surface.leaf_rows = options.leaf_rows;
  const Scene scene(plants, {.threads = options.threads,
                             .surface = surface,
                             .values = options.values,
                             .range = options.range});
  const Lens lens = make_lens(camera, options);
  const Painter painter{.scene = scene,
                        .options = options,
                        .sun = frame_around(normalized(options.light.towards_sun_world)),
                        .sun_radius = std::tan(0.5 * options.light.sun_angle_deg * pi / 180.0),
                        .focus_world = camera.target_world,
                        .scale_m = std::max(1e-9, length(camera.target_world - camera.eye_world))};
  Image image = make_image(options.width, options.height, {0, 0, 0});
  const int columns = (options.width + tile_size - 1) / tile_size;
  const int rows = (options.height + tile_size - 1) / tile_size;
  parallel_for(static_cast<std::size_t>(columns * rows), options.threads, [&](std::size_t tile) {
    if (options.cancel != nullptr && options.cancel->load(std::memory_order_relaxed)) return;
    const int left = static_cast<int>(tile) % columns * tile_size;
    const int top = static_cast<int>(tile) / columns * tile_size;
    for (int y = top; y < std::min(top + tile_size, options.height); ++y) {
      for (int x = left; x < std::min(left + tile_size, options.width); ++x) {
        const Pixel pixel = tone_map(pixel_radiance(painter, lens, x, y), options.light.exposure);
        std::uint8_t* out = pixel_at(image, x, y);
        out[0] = pixel.r;
        out[1] = pixel.g;
        out[2] = pixel.b;
      }
    }
  });
  return image;
}

}  // namespace thigmo
