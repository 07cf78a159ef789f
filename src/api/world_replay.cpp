#include "thigmo/replay.h"

#include <fmt/format.h>

#include "api/call_log.h"
#include "api/common.h"
#include "api/grown_plant.h"
#include "api/read_log.h"
#include "io/disk/file.h"

// The calls of a log, made on a world again.

namespace thigmo {
namespace {

// Makes one call after the other; what they give, as a log has it.
class CallMaker {
 public:
  CallMaker(const ReplayOptions& options, Replay& replay) : options_(options), replay_(replay) {}

  Outcome<std::string> operator()(const PlantCall& c) {
    const Result<GrownPlant> plant = GrownPlantAccess::from_bytes(c.bytes);
    if (!plant) return failure_from(plant.diagnostics());
    if (c.number != plants_.size()) {
      return failure_from({error(fmt::format("the next plant is number {}", plants_.size()))});
    }
    plants_.push_back(*plant);
    return std::string();
  }
  Outcome<std::string> operator()(const AddCall& c) {
    return with_plant(c.plant, [&](const GrownPlant& p) { return world().add(p, c.placing); });
  }
  Outcome<std::string> operator()(const GraftNewCall& c) {
    return with_plant(c.plant,
                      [&](const GrownPlant& p) { return world().graft(p, c.onto, c.options); });
  }
  Outcome<std::string> operator()(const InstancesCall& c) {
    return given(world().add_instances(c.like, c.places));
  }
  Outcome<std::string> operator()(const WindCall& c) { return given(world().set_wind(c.wind)); }
  Outcome<std::string> operator()(const GravityCall& c) {
    return given(world().set_gravity(c.gravity));
  }
  Outcome<std::string> operator()(const GroundCall& c) {
    return given(world().set_ground(c.ground));
  }
  Outcome<std::string> operator()(const NoGroundCall&) {
    return given(world().set_ground(std::nullopt));
  }
  Outcome<std::string> operator()(const PushCall& c) {
    return given(world().push(c.segment, c.force));
  }
  Outcome<std::string> operator()(const ChangeForceCall& c) {
    return given(world().change(c.id, c.to));
  }
  Outcome<std::string> operator()(const RemoveForceCall& c) { return given(world().remove(c.id)); }
  Outcome<std::string> operator()(const GrabCall& c) {
    return given(world().grab(c.segment, c.spring));
  }
  Outcome<std::string> operator()(const DragCall& c) { return given(world().drag(c.grab, c.to)); }
  Outcome<std::string> operator()(const LetGoCall& c) { return given(world().let_go(c.grab)); }
  Outcome<std::string> operator()(const MoveRootCall& c) {
    return given(world().move_root(c.plant, c.to, c.seconds));
  }
  Outcome<std::string> operator()(const ReleaseRootCall& c) {
    return given(world().release_root(c.plant));
  }
  Outcome<std::string> operator()(const ClampRootCall& c) {
    return given(world().clamp_root(c.plant));
  }
  Outcome<std::string> operator()(const CutCall& c) {
    return given(world().cut(c.segment, c.along));
  }
  Outcome<std::string> operator()(const RemoveSegmentCall& c) {
    return given(world().remove(c.segment));
  }
  Outcome<std::string> operator()(const RemovePlantCall& c) {
    return given(world().remove(c.plant));
  }
  Outcome<std::string> operator()(const GraftCall& c) {
    return given(world().graft(c.scion, c.onto, c.options));
  }
  Outcome<std::string> operator()(const ExtendCall& c) {
    return given(world().extend(c.segment, c.by));
  }
  Outcome<std::string> operator()(const ThickenCall& c) {
    return given(world().thicken(c.segments, c.factor));
  }
  Outcome<std::string> operator()(const ChangeCall& c) {
    return given(world().change(c.segments, c.to));
  }
  Outcome<std::string> operator()(const ChangePlantCall& c) {
    return given(world().change(c.plant, c.to));
  }
  Outcome<std::string> operator()(const AddProbeCall& c) {
    return given(world().add_probe(c.probe, c.segment, c.along));
  }
  Outcome<std::string> operator()(const RemoveProbeCall& c) {
    return given(world().remove_probe(c.probe));
  }
  Outcome<std::string> operator()(const AccountCall&) { return given(world().keep_account()); }
  Outcome<std::string> operator()(const StepCall& c) {
    for (std::uint64_t i = 0; i < c.times && !is_cancelled(); ++i) {
      const Outcome<Done> done = world().step(c.seconds, Jobs{.threads = options_.threads});
      // A motion that cannot be continued stops as it did.
      if (!done && done.diagnostics().front().trouble != Trouble::motion) return given(done);
      ++replay_.steps;
    }
    return std::string();
  }
  Outcome<std::string> operator()(const StateCheck& c) {
    const std::uint64_t found = world().state_hash();
    if (found == c.hash && static_cast<std::uint64_t>(replay_.steps) == c.steps) {
      last_same_ = replay_.steps;
      return std::string();
    }
    return failure_from(
        {error(fmt::format("the state after step {} is {:016x}, and {:016x} after step {} in the "
                           "log; after step {} it was the same",
                           replay_.steps, found, c.hash, c.steps, last_same_),
               "another machine, compiler or version may move plants by other bits")});
  }

  bool is_cancelled() const { return options_.cancel != nullptr && options_.cancel->load(); }

 private:
  World& world() { return replay_.world; }

  template <class T>
  static Outcome<std::string> given(const Outcome<T>& outcome) {
    if (!outcome) return Failure{.diagnostics = outcome.diagnostics()};
    return gives_of(*outcome);
  }
  template <class Use>
  Outcome<std::string> with_plant(std::uint64_t number, const Use& use) {
    if (number < plants_.size()) return given(use(plants_[number]));
    return failure_from({error(fmt::format("there is no plant {} in the log", number),
                               "it must come before the calls that use it")});
  }

  const ReplayOptions& options_;
  Replay& replay_;
  std::vector<GrownPlant> plants_;
  std::int64_t last_same_ = 0;
};

// A diagnostic of a call, at its line.
Diagnostic at_line(const LogReader& log, const LoggedCall& call, std::string message,
                   std::string hint) {
  return log.refused(call.offset, std::move(message), std::move(hint));
}

// Another state is noted and gone on with; a call that is refused, or gives other names, is the end.
Result<Replay> make_again(std::string_view text, const ReplayOptions& options) {
  if (const Result<Done> sound = check_log(text, options.file); !sound) return sound.diagnostics();
  LogReader log(text, options.file);
  const Result<LogReader::World> start = log.read_world();
  Outcome<World> world = World::restore(start->bytes);
  if (!world) {
    const Diagnostic& why = world.diagnostics().front();
    return log.refused(start->offset, why.message, why.hint);
  }
  Replay replay{.world = std::move(*world)};
  CallMaker make(options, replay);
  while (!make.is_cancelled()) {
    const Result<std::optional<LoggedCall>> next = log.next();
    if (!*next) break;
    const LoggedCall& call = **next;
    const Outcome<std::string> gives = std::visit(make, call.call);
    if (gives && *gives == call.gives) continue;
    if (gives && call.gives.empty()) continue;  // written by hand
    if (!replay.differs) {
      replay.differs =
          gives ? at_line(log, call, shortened(fmt::format("this call gives {} now", *gives)), "")
                : at_line(log, call, gives.diagnostics().front().message,
                          gives.diagnostics().front().hint);
    }
    if (!std::holds_alternative<StateCheck>(call.call)) break;
  }
  replay.cancelled = make.is_cancelled();
  replay.state_hash = replay.world.state_hash();
  return replay;
}

}  // namespace

Outcome<Replay> replay(std::string_view log, const ReplayOptions& options) {
  return attempt([&] { return make_again(log, options); });
}

Outcome<Replay> replay_file(const std::string& path, const ReplayOptions& options) {
  return attempt([&]() -> Result<Replay> {
    const Result<std::string> text = read_file(path);
    if (!text) return text.diagnostics();
    ReplayOptions named = options;
    named.file = path;
    return make_again(*text, named);
  });
}

}  // namespace thigmo
