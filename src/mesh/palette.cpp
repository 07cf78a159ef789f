#include "mesh/palette.h"

#include <algorithm>
#include <array>

#include "base/random.h"

namespace thigmo {
namespace {

// Linear reflectances. Leaves reflect about 10 % in green and 4 % in red and blue (the green bump
// of every leaf spectrum); the values here are brighter by the share of light that has bounced
// between leaves before, which a picture with one bounce misses.
constexpr Vec3f bark{0.20f, 0.145f, 0.10f};
constexpr Vec3f fresh_wood{0.56f, 0.40f, 0.22f};  // sawn oak, still wet
constexpr Vec3f young_stem{0.16f, 0.22f, 0.07f};
constexpr Vec3f leaf{0.125f, 0.245f, 0.045f};
constexpr Vec3f petal{0.80f, 0.55f, 0.62f};
constexpr Vec3f fruit{0.55f, 0.05f, 0.03f};
constexpr Vec3f bud{0.28f, 0.24f, 0.08f};
constexpr Vec3f root{0.24f, 0.18f, 0.12f};

constexpr std::array<Vec3f, 12> table{{{0.20f, 0.145f, 0.10f},
                                       {0.125f, 0.245f, 0.045f},
                                       {0.06f, 0.15f, 0.04f},
                                       {0.26f, 0.36f, 0.07f},
                                       {0.62f, 0.42f, 0.03f},
                                       {0.60f, 0.19f, 0.02f},
                                       {0.40f, 0.05f, 0.02f},
                                       {0.80f, 0.55f, 0.62f},
                                       {0.78f, 0.76f, 0.70f},
                                       {0.36f, 0.22f, 0.55f},
                                       {0.16f, 0.26f, 0.62f},
                                       {0.45f, 0.43f, 0.40f}}};

Vec3f kind_colour(OrganKind kind) {
  switch (kind) {
    case OrganKind::stem:
      return bark;
    case OrganKind::leaf:
      return leaf;
    case OrganKind::flower:
      return petal;
    case OrganKind::fruit:
      return fruit;
    case OrganKind::bud:
      return bud;
    case OrganKind::root:
      return root;
  }
  return bark;
}

Vec3f indexed_colour(Index colour, OrganKind kind) {
  if (colour <= 0) return kind_colour(kind);
  return table[static_cast<std::size_t>(colour - 1) % table.size()];
}

}  // namespace

Vec3f segment_colour(const Segment& segment) {
  return segment_colour(segment, segment.radius_base);
}

Vec3f segment_colour(const Segment& segment, double radius) {
  if (segment.colour > 0 || segment.kind != OrganKind::stem) {
    return indexed_colour(segment.colour, segment.kind);
  }
  // This year's shoots are green: below about 3 mm the bark has not formed.
  const float woody = static_cast<float>(std::min(1.0, std::max(0.0, (radius - 0.001) / 0.003)));
  return young_stem * (1.0f - woody) + bark * woody;
}

Vec3f cut_colour(const Segment& segment, double radius) {
  const Vec3f stem = segment_colour(segment, radius);
  if (segment.kind == OrganKind::leaf || segment.colour > 0) return stem;
  // A green shoot is green inside.
  const float woody = static_cast<float>(std::clamp((radius - 0.001) / 0.003, 0.0, 1.0));
  return (stem * 0.5f + fresh_wood * 0.5f) * (1.0f - woody) + fresh_wood * woody;
}

Vec3f organ_colour(const Organ& organ, Index number) {
  const auto key = static_cast<std::uint64_t>(number);
  const auto brightness = static_cast<float>(0.8 + 0.4 * unit_from_bits(mix_bits(key, 11)));
  const auto warmth = static_cast<float>(unit_from_bits(mix_bits(key, 12)) - 0.5);
  const Vec3f colour = indexed_colour(organ.colour, organ.kind);
  // White petals differ in brightness alone: a tint would speckle them.
  const float most = std::max({colour.x, colour.y, colour.z});
  const float least = std::min({colour.x, colour.y, colour.z});
  const float vivid = most > 0 ? (most - least) / most : 0;
  const Vec3f tint{1.0f + 0.30f * warmth * vivid, 1.0f, 1.0f - 0.30f * warmth * vivid};
  return scale(colour, tint) * brightness;
}

Vec3f flower_eye_colour() { return {0.75f, 0.50f, 0.04f}; }

Surface organ_surface(OrganKind kind) {
  switch (kind) {
    case OrganKind::flower:
      return Surface::petal;
    case OrganKind::fruit:
    case OrganKind::bud:
      return Surface::fruit;
    case OrganKind::stem:
    case OrganKind::root:
    case OrganKind::leaf:
      return Surface::leaf;
  }
  return Surface::leaf;
}

}  // namespace thigmo
