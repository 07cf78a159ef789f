#include "scenario/scenario_damping.h"

#include <fmt/format.h>

namespace thigmo {
namespace {

using Two = std::array<double, 2>;

// Both parts of D = α M + β K must take energy: ζ₁ω₁ <= ζ₂ω₂ and ζ₂ω₁ <= ζ₁ω₂.
bool can_be_rayleigh(const Two& frequencies, const Two& ratios) {
  return ratios[0] * frequencies[0] <= ratios[1] * frequencies[1] &&
         ratios[1] * frequencies[0] <= ratios[0] * frequencies[1];
}

void read_rayleigh(TomlReader& reader, Damping& damping) {
  if (!reader.has("damping_frequencies")) {
    reader.complain_missing("damping_frequencies",
                            "say where the ratios hold: damping_frequencies = [0.5, 5]  # [Hz]");
  }
  const std::optional<Two> frequencies = reader.pair("damping_frequencies");
  damping.ratios = reader.pair("damping_ratios");
  if (!frequencies) return;
  damping.frequencies = *frequencies;
  const auto& [low, high] = *frequencies;
  if (!(low > 0 && low < high)) {
    reader.complain_at_key(
        "damping_frequencies",
        fmt::format("'damping_frequencies' must be positive and rising, not [{}, {}]", low, high),
        "the lower one first, in Hz");
  } else if (damping.ratios && !((*damping.ratios)[0] >= 0 && (*damping.ratios)[1] >= 0)) {
    reader.complain_at_key("damping_ratios", "'damping_ratios' must not be negative");
  } else if (damping.ratios && !can_be_rayleigh(*frequencies, *damping.ratios)) {
    const double first = (*damping.ratios)[0];
    reader.complain_at_key(
        "damping_ratios",
        fmt::format(
            "damping by mass and stiffness cannot have the ratios {} at {} Hz and {} at {} Hz",
            first, low, (*damping.ratios)[1], high),
        fmt::format("with {} at {} Hz the other can be {:.4g} to {:.4g}", first, low,
                    first * low / high, first * high / low));
  }
}

}  // namespace

Damping read_damping(TomlReader& reader) {
  Damping damping;
  if (auto law = reader.choice("damping", {"constant", "stiffness", "rayleigh"})) {
    damping.law = static_cast<DampingLaw>(*law);
  }
  if (damping.law == DampingLaw::rayleigh) {
    read_rayleigh(reader, damping);
  } else {
    for (const char* key : {"damping_frequencies", "damping_ratios"}) {
      if (!reader.has(key)) continue;
      reader.pair(key);
      reader.complain_at_key(key, fmt::format("'{}' belongs to damping = \"rayleigh\"", key),
                             "leave it out, or add that");
    }
  }
  if (auto value = reader.number("mass_damping", Range::not_negative)) damping.mass_rate = *value;
  return damping;
}

}  // namespace thigmo
