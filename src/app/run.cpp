#include "thigmo/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "api/call_log.h"
#include "app/common.h"
#include "app/outputs.h"
#include "app/recorder.h"
#include "app/run_events.h"
#include "io/disk/file.h"
#include "mechanics/modes/sway.h"
#include "scenario/simulation_start.h"
#include "simulation/advance.h"
#include "simulation/save/snapshot.h"
#include "simulation/solver.h"
#include "thigmo/json.h"

namespace thigmo {
namespace {

std::string probe_header(const Simulation& simulation) {
  std::string header = "time";
  for (const Probe& probe : simulation.probes) {
    for (const char* part : {"x", "y", "z", "vx", "vy", "vz"}) {
      header += fmt::format(",{}.{}", probe.name, part);
    }
  }
  return header + "\n";
}

std::string probe_row(const Simulation& simulation) {
  std::string row = fmt::format("{}", simulation.time);
  for (const Probe& probe : simulation.probes) {
    const PointMotion motion = probe_motion(simulation, probe);
    const Vec3 &p = motion.position_world, &v = motion.velocity_world;
    if (probe.gone) {
      row += ",,,,,,";
      continue;
    }
    row += fmt::format(",{},{},{},{},{},{}", p.x, p.y, p.z, v.x, v.y, v.z);
  }
  return row + "\n";
}

std::string energy_header() {
  return "time,kinetic,elastic,gravitational,by_air,by_loads,by_ground,by_base,by_edits,lost_in_"
         "joints,"
         "lost_by_mass,numerical\n";
}

std::string energy_row(const Simulation& simulation, const EnergyBook& book) {
  const EnergyAccount& a = book.account();
  return fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}\n", simulation.time, a.stored.kinetic,
                     a.stored.elastic, a.stored.gravitational, a.by_air, a.by_loads, a.by_ground,
                     a.by_base, a.by_edits, a.lost_in_joints, a.lost_by_mass, a.numerical);
}

// Goes on from a snapshot, where one is asked for.
Result<Done> restore(const Scenario& scenario, const RunRequest& request, Simulation& simulation) {
  if (request.restore_file.empty()) return Done{};
  const Result<std::string> bytes = read_file(request.restore_file);
  if (!bytes) return bytes.diagnostics();
  const Result<Done> restored = restore_run(*bytes, request.restore_file, simulation);
  if (!restored) return restored;
  skip_past_edits(simulation.time, scenario.step, simulation.timeline);
  // What nobody asks for costs nothing.
  if (!scenario.energy) {
    simulation.account_start.reset();
    for (SimulatedPlant& plant : simulation.plants) plant.workspace.works.reset();
  }
  if (simulation.time < scenario.duration - 0.5 * scenario.step) return restored;
  return Diagnostic{
      .message = fmt::format("this snapshot is of {} s, where the scenario ends", simulation.time),
      .file = request.restore_file,
      .hint = "give a longer duration, for example --set duration=20"};
}

// The tables that a run writes row by row: where its probes are, and where its energy goes.
class Tables {
 public:
  static Result<Tables> open(const Scenario& scenario, const RunRequest& request,
                             Simulation& simulation, Diagnostics& notes) {
    Tables tables;
    if (const Result<Done> done =
            start(request.out_folder + "/probes.csv", probe_header(simulation), tables.probes_);
        !done)
      return done.diagnostics();
    if (!scenario.energy) return tables;
    const bool goes_on = simulation.account_start.has_value();
    tables.book_.emplace(simulation, EnergyBook::Start::go_on);
    if (!goes_on && !request.restore_file.empty()) {
      notes.push_back(note(fmt::format(
          "the account of energy begins at {} s: the run before kept none", simulation.time)));
    }
    const std::string begin = energy_header() + energy_row(simulation, *tables.book_);
    if (const Result<Done> done = start(request.out_folder + "/energy.csv", begin, tables.energy_);
        !done)
      return done.diagnostics();
    return tables;
  }

  EnergyBook* book() { return book_ ? &*book_ : nullptr; }

  Result<Done> add_rows(const Simulation& simulation) {
    if (Result<Done> done = probes_->append(probe_row(simulation)); !done) return done;
    return book_ ? energy_->append(energy_row(simulation, *book_)) : Done{};
  }

  Result<Done> commit(std::vector<std::string>& files) {
    if (Result<Done> done = probes_->commit(); !done) return done;
    files.emplace_back("probes.csv");
    if (!energy_) return Done{};
    if (Result<Done> done = energy_->commit(); !done) return done;
    files.emplace_back("energy.csv");
    return Done{};
  }

 private:
  static Result<Done> start(const std::string& path, const std::string& header,
                            std::optional<FileWriter>& file) {
    Result<FileWriter> opened = FileWriter::open(path);
    if (!opened) return opened.diagnostics();
    file.emplace(std::move(*opened));
    return file->append(header);
  }

  std::optional<FileWriter> probes_, energy_;
  std::optional<EnergyBook> book_;
};

constexpr int steps_between_states = 60;  // of a log

// The whole motion: steps, rows of tables, recorded poses.
Result<Done> simulate(const Scenario& scenario, const RunRequest& request, Simulation& simulation,
                      Recorder& recorder, RunEvents& events, RunSummary& summary) {
  Result<Tables> tables = Tables::open(scenario, request, simulation, summary.notes);
  if (!tables) return tables.diagnostics();
  std::optional<CallLog> log;
  if (!request.log_file.empty()) log.emplace(write_snapshot(simulation), steps_between_states);
  Course course{.step = scenario.step,
                .first_step = std::llround(simulation.time / scenario.step),
                .end_step = step_count(scenario.duration, scenario.step),
                .threads = request.threads,
                .cancel = request.cancel,
                .book = tables->book()};
  course.after_edit = [&](const EditResult& result) { events.add_of_edit(result, simulation); };
  course.after_step = [&] {
    events.add_of_step(simulation);
    if (log) log->add_step(scenario.step, simulation);
    recorder.record_probes(simulation);
    return tables->add_rows(simulation);
  };
  if (request.on_progress) {
    course.on_progress = [&](double done) {
      request.on_progress({.stage = "simulating", .fraction = done});
    };
  }
  recorder.attend(simulation, course);
  recorder.record_probes(simulation);
  const Result<CourseReport> report = advance(course, simulation);
  // Before all else: it may say why something else failed.
  if (log && !(report && report->cancelled)) {
    if (!simulation.finite) log->add_step(scenario.step, simulation);
    const Result<Done> written = write_file(request.log_file, log->text(simulation));
    if (!written) return written;
  }
  if (!report) return report.diagnostics();
  if (!simulation.finite) events.add_of_step(simulation);
  recorder.end(simulation);
  summary.wall_seconds = report->wall_seconds;
  summary.cancelled = report->cancelled;
  if (summary.cancelled) return Done{};
  return tables->commit(summary.files);
}

// Whether files of fixed vertices are asked for where something will go.
Result<Done> check_shown(const Scenario& scenario) {
  for (const EditSource& edit : scenario.edits) {
    if (!std::holds_alternative<RemoveSource>(edit.what)) continue;
    for (const OutputSource& output : scenario.outputs) {
      const FileFormat* format = written_format(output.file);
      if (output.kind != OutputKind::plants || format == nullptr || !has_fixed_vertices(*format))
        continue;
      Diagnostic said = edit.place;
      said.message = fmt::format(
          "'{}' cannot show what a {} does: all its frames have the same "
          "vertices",
          output.file, said.message);
      said.hint = comes_or_goes({}, {}).hint;
      return said;
    }
  }
  return Done{};
}

// Steps slow what vibrates; more than this is said.
constexpr double largest_slowing = 0.01;

// What the step does to the fastest of the plants' main axes as they start.
void judge_step(const Scenario& scenario, const Simulation& simulation, RunSummary& summary) {
  const SimulatedPlant* fastest = nullptr;
  double frequency = 0;               // [Hz]
  std::set<const PlantModel*> known;  // equal plants share theirs
  for (const SimulatedPlant& plant : simulation.plants) {
    if (plant.particles || !known.insert(plant.model.get()).second) continue;
    const Sway sway = main_sway(plant.model->mechanism, simulation.gravity_world, &plant.state);
    const double own = sway.frequency > 0 ? sway.frequency : sway.elastic_frequency;
    if (!(own > frequency)) continue;
    frequency = own;
    fastest = &plant;
  }
  if (!fastest) return;
  const double omega = 2 * std::numbers::pi * frequency;
  const double slowed = 1 - frequency_ratio(simulation.options, omega * scenario.step);
  summary.step_frequency_error = -slowed;
  summary.step_within_percent = step_for_frequency(simulation.options, omega, largest_slowing);
  if (!(slowed > largest_slowing)) return;
  summary.notes.push_back(
      note(fmt::format("the step of {:.3g} s slows the sway of {} ({:.2f} Hz) by {:.1f} %; "
                       "step = {:.2g} would keep it within 1 %",
                       scenario.step, fastest->name.empty() ? "the plant" : fastest->name,
                       frequency, 100 * slowed, 0.95 * summary.step_within_percent)));
}

void fill_summary(const Simulation& simulation, double started_at, RunSummary& summary) {
  summary.segments = static_cast<std::size_t>(segment_count(simulation));
  summary.steps = simulation.steps;
  summary.simulated_seconds = simulation.time;
  summary.real_time_factor =
      summary.wall_seconds > 0 ? (simulation.time - started_at) / summary.wall_seconds : 0.0;
  summary.rejected_steps = simulation.rejected_steps;
  summary.corrections = simulation.corrections;
  summary.braked_joints = simulation.braked_joints;
  summary.coarse_steps = simulation.coarse_steps;
  summary.energy_gain = simulation.energy_gain;
  summary.energy_taken_by_scheme = energy_taken_by_scheme(simulation);
  for (Diagnostic& said : notes_on_motion(simulation)) summary.notes.push_back(std::move(said));
  summary.finite = simulation.finite;
  if (!simulation.finite) {
    Diagnostic why = why_stopped(simulation);
    why.hint += "; the files end there";
    summary.notes.push_back(std::move(why));
  }
  summary.probes = read_probes(simulation);
  for (const SimulatedPlant& plant : simulation.plants) {
    if (plant.particles) summary.particles.push_back({plant.name, counts_of(plant)});
  }
  summary.state_hash = state_hash(simulation);
}

Result<RunSummary> run_scenario(const RunRequest& request) {
  const Result<std::string> text = read_file(request.scenario_file);
  if (!text) return text.diagnostics();
  const Result<Scenario> scenario = parse_scenario(request.scenario_file, *text, request.overrides);
  if (!scenario) return scenario.diagnostics();
  if (const Result<Done> done = check_outputs(*scenario); !done) return done.diagnostics();
  if (const Result<Done> done = check_shown(*scenario); !done) return done.diagnostics();
  if (const Result<Done> done = check_folder(request.out_folder); !done) return done.diagnostics();
  Inputs inputs;
  inputs.add(request.scenario_file);
  inputs.add(files_named(*scenario));
  TreeColumns kept;
  Result<Simulation> simulation =
      make_simulation(*scenario, inputs.reader(), read_tree_keeping(kept));
  if (!simulation) return simulation.diagnostics();
  RunEvents events(*simulation);
  if (request.restore_file.empty()) warn_of_pencils(*scenario, *simulation);
  if (const Result<Done> done = restore(*scenario, request, *simulation); !done)
    return done.diagnostics();
  events.go_on(*simulation);
  if (const Result<Done> done = make_folder(request.out_folder); !done) return done.diagnostics();
  if (const Result<Done> done = check_run_files(*scenario, request, inputs, simulation->time);
      !done)
    return done.diagnostics();
  Result<Recorder> recorder = Recorder::open(*scenario, *simulation, request.out_folder);
  if (!recorder) return recorder.diagnostics();

  const auto columns = columns_of(*scenario, *simulation, std::move(kept));
  RunSummary summary{.notes = simulation->notes};
  judge_step(*scenario, *simulation, summary);
  const double started_at = simulation->time;
  const std::size_t said = simulation->notes.size();
  const Result<Done> simulated =
      simulate(*scenario, request, *simulation, *recorder, events, summary);
  events.hand_over(summary);
  std::copy(simulation->notes.begin() + static_cast<std::ptrdiff_t>(said), simulation->notes.end(),
            std::back_inserter(summary.notes));
  // Before all else: what was simulated is not lost where a file fails, tables included.
  if (!request.save_file.empty() && simulation->finite && !summary.cancelled) {
    const Result<Done> saved = write_file(request.save_file, write_snapshot(*simulation));
    if (!saved) return saved.diagnostics();
  }
  if (!simulated) return simulated.diagnostics();
  fill_summary(*simulation, started_at, summary);
  for (const OutputSource& output : scenario->outputs) {
    if (summary.cancelled || !summary.finite) break;
    const Result<WrittenFiles> written =
        write_output(output, *scenario, *simulation, *recorder, columns, inputs, request);
    if (!written) return written.diagnostics();
    summary.cancelled = request.cancel && request.cancel->load();
    if (summary.cancelled) break;
    for (const std::string& path : written->paths) {
      summary.files.push_back(path.substr(request.out_folder.size() + 1));
    }
    summary.notes.insert(summary.notes.end(), written->notes.begin(), written->notes.end());
  }
  if (summary.cancelled) return summary;
  summary.files.emplace_back("summary.json");
  const Result<Done> written =
      write_file(request.out_folder + "/summary.json", to_json(summary) + "\n");
  if (!written) return written.diagnostics();
  return summary;
}

}  // namespace

Outcome<RunSummary> run(const RunRequest& request) {
  return attempt([&] { return run_scenario(request); });
}

}  // namespace thigmo
