#include "scenario/path_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/text.h"

namespace thigmo {
namespace {

constexpr double pi = std::numbers::pi, degree = pi / 180;
constexpr int samples_per_period = 64;
constexpr std::size_t most_keys = 4'000'000;

using Keys = std::vector<std::array<double, 7>>;

// The numbers of one line, parted by commas or blanks; empty: not all of it are numbers.
std::vector<double> numbers_of(std::string_view line) {
  std::vector<double> numbers;
  constexpr std::string_view between = ", \t\r";
  for (std::size_t at = line.find_first_not_of(between); at != std::string_view::npos;
       at = line.find_first_not_of(between, at)) {
    const std::size_t end = std::min(line.find_first_of(between, at), line.size());
    const std::optional<double> number = number_from_text(line.substr(at, end - at));
    if (!number || !std::isfinite(*number)) return {};
    numbers.push_back(*number);
    at = end;
  }
  return numbers;
}

bool has_number(std::string_view line) {
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t end = std::min(line.find(',', at), line.size());
    if (!numbers_of(line.substr(at, end - at)).empty()) return true;
    at = end + 1;
  }
  return false;
}

// Rows of time, x, y, z and perhaps a rotation vector in degrees; a first row of names is passed over.
Result<Keys> read_keys(const std::string& file, const ReadFile& read_file) {
  const Result<std::string> text = read_file(file);
  if (!text) return text.diagnostics();
  Keys keys;
  int line_number = 0;
  for (std::size_t at = 0; at < text->size();) {
    const std::size_t end = std::min(text->find('\n', at), text->size());
    const std::string_view line = std::string_view(*text).substr(at, end - at);
    at = end + 1;
    ++line_number;
    if (line.find_first_not_of(", \t\r") == std::string_view::npos || line.front() == '#') continue;
    const std::vector<double> row = numbers_of(line);
    if (row.empty() && keys.empty() && !has_number(line)) continue;
    const auto complain = [&](std::string message) {
      return Diagnostic{.message = std::move(message),
                        .file = file,
                        .line = line_number,
                        .hint =
                            "each row is time [s], x, y, z [m], and perhaps a rotation vector "
                            "rx, ry, rz [degrees]"};
    };
    if (row.size() != 4 && row.size() != 7) return complain("a row has four or seven numbers");
    if (!keys.empty() && row[0] <= keys.back()[0]) return complain("times must ascend");
    if (keys.size() == most_keys) return complain(fmt::format("more than {} rows", most_keys));
    keys.push_back({});
    std::copy(row.begin(), row.end(), keys.back().begin());
  }
  if (keys.size() < 2) {
    return Diagnostic{.message = "a motion needs at least two rows", .file = file};
  }
  return keys;
}

// Rises from 0 to 1 with no jump in speed or acceleration.
double smooth_step(double x) {
  const double s = std::clamp(x, 0.0, 1.0);
  return s * s * s * (10 + s * (6 * s - 15));
}

// Samples lie at times that do not depend on the end of the run, and go on for two periods after it: a
// run that is continued meets the same motion.
Result<Keys> sample_waves(const std::vector<WaveSource>& waves, double duration) {
  double spacing = std::numeric_limits<double>::infinity(), start = spacing, end = -spacing;
  for (const WaveSource& wave : waves) {
    const double period = 1 / wave.frequency, ramp = wave.ramp.value_or(period);
    spacing = std::min(spacing, period / samples_per_period);
    if (ramp > 0) spacing = std::min(spacing, ramp / 8);
    start = std::min(start, wave.start);
    end = std::max(end, wave.end.value_or(std::max(duration, wave.start) + 2 * period));
  }
  const double samples = std::ceil((end - start) / spacing);
  if (!(samples < static_cast<double>(most_keys))) {
    return error(
        fmt::format("a wave sampled every {} s over {} s is too long", spacing, end - start),
        "give a lower frequency, a longer ramp or an earlier end");
  }
  const auto count = std::max<std::size_t>(static_cast<std::size_t>(samples), 8);
  Keys keys(count + 1);
  for (std::size_t i = 0; i <= count; ++i) {
    const double t = start + spacing * static_cast<double>(i);
    keys[i][0] = t;
    for (const WaveSource& wave : waves) {
      const double ramp = std::max(wave.ramp.value_or(1 / wave.frequency), 1e-9);
      const double part = smooth_step((t - wave.start) / ramp) *
                          (wave.end ? smooth_step((*wave.end - t) / ramp) : 1.0);
      const double swing =
          part * std::sin(2 * pi * wave.frequency * (t - wave.start) + wave.phase_degrees * degree);
      const Vec3 &a = wave.amplitude, &turn = wave.turn_degrees;
      const double parts[] = {a.x, a.y, a.z, turn.x, turn.y, turn.z};
      for (std::size_t k = 0; k < 6; ++k) keys[i][k + 1] += swing * parts[k];
    }
  }
  return keys;
}

}  // namespace

Result<RootPath> make_path(const PathSource& source, double duration, const ReadFile& read_file) {
  Result<Keys> keys = Keys(source.keys);
  if (!source.file.empty()) keys = read_keys(source.file, read_file);
  if (!source.waves.empty()) keys = sample_waves(source.waves, duration);
  if (!keys) return keys.diagnostics();
  std::vector<double> time;
  std::array<std::vector<double>, 6> value;
  for (const std::array<double, 7>& key : *keys) {
    time.push_back(key[0]);
    for (std::size_t k = 0; k < 6; ++k) value[k].push_back(key[k + 1] * (k < 3 ? 1.0 : degree));
  }
  return make_root_path(std::move(time), std::move(value));
}

}  // namespace thigmo
