#include "thigmo/json.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

// What the commands print with --json.
namespace thigmo {
namespace {

using nlohmann::ordered_json;

// Names come from files: bytes that are no text are replaced, where the library would throw.
std::string text_of(const ordered_json& json) {
  return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

// A null where nothing is meant, so that every entry has the same keys.
ordered_json or_null(const std::string& text) {
  return text.empty() ? ordered_json(nullptr) : ordered_json(text);
}
ordered_json or_null(int number) {
  return number > 0 ? ordered_json(number) : ordered_json(nullptr);
}
// Where a thing that is gone would be.
ordered_json or_null(const Numbers3& numbers) {
  return std::isnan(numbers[0]) ? ordered_json(nullptr) : ordered_json(numbers);
}

ordered_json list_of(const Diagnostics& diagnostics, Severity severity) {
  ordered_json list = ordered_json::array();
  for (const Diagnostic& d : diagnostics) {
    if (d.severity != severity) continue;
    list.push_back({{"severity", to_string(d.severity)},
                    {"file", or_null(d.file)},
                    {"line", or_null(d.line)},
                    {"column", or_null(d.column)},
                    {"message", d.message},
                    {"hint", or_null(d.hint)}});
  }
  return list;
}

// The three lists that every JSON ends with.
void add_said(const Diagnostics& diagnostics, ordered_json& json) {
  json["errors"] = list_of(diagnostics, Severity::error);
  json["warnings"] = list_of(diagnostics, Severity::warning);
  json["notes"] = list_of(diagnostics, Severity::note);
}

// Readings of probes by name; `add` writes what one has.
template <class Probe, class Add>
ordered_json by_name(const std::vector<Probe>& probes, const Add& add) {
  ordered_json json = ordered_json::object();
  for (const Probe& probe : probes) add(probe, json[probe.name]);
  return json;
}

// Constraints and iterations of each component of each plant.
ordered_json particles_of(const std::vector<RunParticles>& plants) {
  ordered_json all = ordered_json::array();
  for (const RunParticles& plant : plants) {
    ordered_json components = ordered_json::array();
    for (const ParticleComponent& c : plant.counts.components) {
      components.push_back({{"constraints", c.constraints}, {"iterations", c.iterations}});
    }
    all.push_back({{"plant", plant.plant},
                   {"particles", plant.counts.particles},
                   {"components", components}});
  }
  return all;
}

ordered_json events_of(const std::vector<RunEvent>& events) {
  ordered_json list = ordered_json::array();
  for (const RunEvent& event : events) {
    const bool whole = event.modelled_in.empty();
    list.push_back({{"time", event.time},
                    {"kind", to_string(event.kind)},
                    {"plant", or_null(event.plant)},
                    {"segment", whole ? ordered_json(nullptr) : ordered_json(event.segment)},
                    {"modelled_in", or_null(event.modelled_in)},
                    {"other", or_null(event.other)}});
  }
  return list;
}

}  // namespace

std::string to_json(const Derived& derived) {
  ordered_json json;
  json["length"] = derived.length;
  json["counts"] = derived.counts;
  json["segments"] = derived.segments;
  json["bbox_min"] = derived.bbox_min;
  json["bbox_max"] = derived.bbox_max;
  add_said(derived.warnings, json);
  return text_of(json);
}

std::string to_json(const Diagnostics& diagnostics) {
  ordered_json json;
  add_said(diagnostics, json);
  return text_of(json);
}

std::string to_json(const Checked& checked) {
  ordered_json json;
  add_said(checked.found, json);
  return text_of(json);
}

std::string to_json(const Converted& converted) {
  ordered_json json;
  json["segments"] = converted.segments;
  json["organs"] = converted.organs;
  json["frames"] = converted.frames;
  json["write_seconds"] = converted.write_seconds;
  json["files"] = converted.files;
  add_said(converted.notes, json);
  return text_of(json);
}

std::string to_json(const RenderSummary& summary) {
  ordered_json json;
  json["plants"] = summary.plants;
  json["segments"] = summary.segments;
  json["organs"] = summary.organs;
  json["bbox_min"] = summary.bbox_min;
  json["bbox_max"] = summary.bbox_max;
  json["value_min"] = summary.value_min;
  json["value_max"] = summary.value_max;
  json["draw_seconds"] = summary.draw_seconds;
  add_said(summary.notes, json);
  return text_of(json);
}

std::string to_json(const SheetSummary& summary) {
  ordered_json json;
  json["plants"] = summary.plants;
  add_said(summary.notes, json);
  return text_of(json);
}

std::string to_json(const RunSummary& summary) {
  ordered_json json;
  json["segments"] = summary.segments;
  json["steps"] = summary.steps;
  json["simulated_seconds"] = summary.simulated_seconds;
  json["wall_seconds"] = summary.wall_seconds;
  json["real_time_factor"] = summary.real_time_factor;
  json["step_frequency_error"] = summary.step_frequency_error;
  json["step_within_percent"] = summary.step_within_percent;
  json["rejected_steps"] = summary.rejected_steps;
  json["corrections"] = summary.corrections;
  json["braked_joints"] = summary.braked_joints;
  json["coarse_steps"] = summary.coarse_steps;
  json["energy_gain"] = summary.energy_gain;
  json["energy_taken_by_scheme"] = summary.energy_taken_by_scheme;
  json["finite"] = summary.finite;
  json["probes"] = by_name(summary.probes, [](const ProbeReading& probe, ordered_json& to) {
    to = {{"position", or_null(probe.position)}, {"velocity", or_null(probe.velocity)}};
  });
  json["events"] = events_of(summary.events);
  json["events_left_out"] = summary.events_left_out;
  if (!summary.particles.empty()) json["particles"] = particles_of(summary.particles);
  json["state_hash"] = fmt::format("{:016x}", summary.state_hash);
  json["files"] = summary.files;
  add_said(summary.notes, json);
  return text_of(json);
}

std::string to_json(const Replay& replay) {
  ordered_json json;
  json["steps"] = replay.steps;
  json["simulated_seconds"] = replay.world.time();
  json["segments"] = replay.world.segment_count();
  json["state_hash"] = fmt::format("{:016x}", replay.state_hash);
  json["same"] = !replay.differs;
  add_said(replay.differs ? Diagnostics{*replay.differs} : Diagnostics{}, json);
  return text_of(json);
}

std::string to_json(const PoseSummary& summary) {
  ordered_json json;
  json["method"] = summary.method;
  json["segments"] = summary.segments;
  json["iterations"] = summary.iterations;
  json["residual"] = summary.residual;
  if (summary.stable) {
    json["stable"] = *summary.stable;
  } else {
    json["stable"] = nullptr;
  }
  json["largest_rest_angle"] = summary.largest_rest_angle;
  json["probes"] = by_name(summary.probes, [](const PosedProbe& probe, ordered_json& to) {
    to = {{"position", probe.position}, {"rotation", probe.rotation}};
  });
  json["max_stress"] = summary.max_stress;
  json["max_stress_segment"] = summary.max_segment;
  if (std::isfinite(summary.min_safety)) json["min_safety"] = summary.min_safety;
  if (summary.contacts > 0) {
    json["contacts"] = summary.contacts;
    json["ground_force"] = summary.ground_force;
  }
  json["wall_ms"] = summary.wall_ms;
  json["files"] = summary.files;
  add_said(summary.notes, json);
  return text_of(json);
}

std::string to_json(const ModesSummary& summary) {
  ordered_json json;
  json["frequencies_hz"] = summary.frequencies_hz;
  json["twist_share"] = summary.twist_share;
  json["damping_ratios"] = summary.damping_ratios;
  json["mass_share"] = summary.mass_share;
  json["plant"] = summary.plant;
  json["segments"] = summary.segments;
  json["about"] = summary.about;
  json["sag_m"] = summary.sag;
  json["solves"] = summary.solves;
  json["wall_ms"] = summary.wall_ms;
  json["files"] = summary.files;
  add_said(summary.notes, json);
  return text_of(json);
}

}  // namespace thigmo
