#pragma once

// Things that a user may do to a world, drawn at random: the same ones for the same seed and the same world.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "base/random.h"
#include "thigmo/world.h"

namespace thigmo::support {

class RandomEdits {
 public:
  // Steps take `dt` seconds.
  explicit RandomEdits(std::uint64_t seed, double dt = 1.0 / 60) : seed_(seed), dt_(dt) {}

  // One thing, on so many threads where it is a step. What was done; what was refused begins with '!'.
  std::string act(World& world, int threads = 1) {
    if (world.plant_count() == 0) return add(world);
    const double which = part();
    if (which < 0.35) return said(world.step(dt_, Jobs{.threads = threads}), "step");
    if (which < 0.67) return edit(world);
    return which < 0.9 ? hold(world) : surround(world);
  }

  // Names that were of things which are gone.
  const std::vector<SegmentId>& gone() const { return gone_; }
  const std::vector<PlantId>& gone_plants() const { return gone_plants_; }
  // Part of the mass that the last edit has lost or made which may do neither.
  double lost_mass() const { return lost_mass_; }

 private:
  std::uint64_t bits() { return mix_bits(seed_, ++drawn_); }
  double part() { return unit_from_bits(bits()); }
  double between(double low, double high) { return low + (high - low) * part(); }
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(bits() % count); }

  PlantId any_plant(const World& world) { return world.plant(below(world.plant_count())); }
  SegmentId any_segment(const World& world) {
    const PlantId plant = any_plant(world);
    return *world.segment(plant, below(world.segments(plant)->size()));
  }
  Numbers3 any_place(double size) {
    return {between(-size, size), between(0, size), between(-size, size)};
  }
  static double mass_of(const World& world) {
    double mass = 0;
    for (const PlantId plant : world.plants()) mass += world.momentum(plant)->mass;
    return mass;
  }

  template <class T>
  std::string said(const Outcome<T>& outcome, const char* what) {
    return outcome ? what : "! " + (what + (": " + outcome.error()));
  }

  std::string add(World& world) {
    return said(world.add(RodPlant{.segments = 5 + static_cast<int>(below(26)),
                                   .direction = {between(-0.3, 0.3), 1, 0},
                                   .stands_as_modelled = true,
                                   .position = any_place(1)}),
                "add");
  }

  std::string remove_segment(World& world) {
    const SegmentId segment = any_segment(world);
    const PlantId plant = *world.plant_of(segment);
    const std::vector<SegmentInfo> before = *world.segments(plant);
    const auto removed = world.remove(segment);
    if (removed) {
      for (const SegmentInfo& info : before) {
        if (!world.holds(info.id)) gone_.push_back(info.id);
      }
      if (!world.holds(plant)) gone_plants_.push_back(plant);
    }
    return said(removed, "remove segment");
  }

  std::string remove_plant(World& world) {
    const PlantId plant = any_plant(world);
    const std::vector<SegmentInfo> segments = *world.segments(plant);
    for (const SegmentInfo& info : segments) gone_.push_back(info.id);
    gone_plants_.push_back(plant);
    return said(world.remove(plant), "remove plant");
  }

  std::string graft(World& world) {
    const PlantId scion = any_plant(world);
    const SegmentId onto = any_segment(world);
    const auto grafted =
        world.graft(scion, onto,
                    {.along = part() < 0.5 ? 1.0 : part(),
                     .rest = part() < 0.5 ? GraftRest::as_before : GraftRest::as_it_is,
                     .carry = true});
    if (grafted) gone_plants_.push_back(scion);
    return said(grafted, "graft");
  }

  std::string cut_and_graft(World& world) {
    const SegmentId segment = any_segment(world);
    const double along = part() < 0.3 ? 0.0 : part();
    const auto cut = world.cut(segment, along);
    if (!cut) return said(cut, "cut");
    if (cut->pieces.size() != 1 || cut->splits.empty()) return "cut";
    if (!world.graft(cut->pieces[0], segment, {.along = 1})) return "cut, not grafted";
    gone_plants_.push_back(cut->pieces[0]);
    gone_.push_back(cut->splits[0].upper);
    return "cut and graft";
  }

  std::string change(World& world) {
    std::vector<SegmentId> segments;
    for (std::size_t i = 1 + below(5); i > 0; --i) segments.push_back(any_segment(world));
    const ChangeOf to{.stiffness = between(0.7, 1.3),
                      .mass = between(0.9, 1.1),
                      .damping = between(0.8, 1.3),
                      .creep = part() < 0.5 ? 0 : part(),
                      .species = part() < 0.2 ? "beech" : ""};
    return part() < 0.3 ? said(world.change(any_plant(world), to), "change plant")
                        : said(world.change(segments, to), "change");
  }

  std::string edit(World& world) {
    const double before = mass_of(world);
    std::string done;
    const double which = part();
    bool keeps = false;
    if (which < 0.3) {
      keeps = true;
      done = said(world.cut(any_segment(world), part() < 0.3 ? 0.0 : part()), "cut");
    } else if (which < 0.45) {
      keeps = true;
      done = cut_and_graft(world);
    } else if (which < 0.6) {
      keeps = true;
      done = graft(world);
    } else if (which < 0.68) {
      done = remove_segment(world);
    } else if (which < 0.72) {
      done = remove_plant(world);
    } else if (which < 0.82) {
      done = change(world);
    } else if (which < 0.87) {
      done = said(world.extend(any_segment(world), between(0.001, 0.02)), "extend");
    } else if (which < 0.93) {
      const SegmentId segment = any_segment(world);
      done = said(world.thicken({&segment, 1}, between(1, 1.1)), "thicken");
    } else if (which < 0.97 && world.plant_count() < 12) {
      const Placing placings[] = {{.position = any_place(2), .turn = part()},
                                  {.position = any_place(2)}};
      done = said(world.add_instances(any_plant(world), placings), "instances");
    } else {
      done = add(world);
    }
    lost_mass_ = keeps ? std::abs(mass_of(world) - before) / (before > 0 ? before : 1) : 0;
    return done;
  }

  std::string hold(World& world) {
    const double which = part();
    if (which < 0.3) {
      const auto grab = world.grab(any_segment(world), {.along = part(), .stiffness = 20});
      if (grab) grabs_.push_back(*grab);
      return said(grab, "grab");
    }
    if (which < 0.6 && !grabs_.empty()) {
      return said(world.drag(grabs_[below(grabs_.size())], any_place(0.5)), "drag");
    }
    if (which < 0.7 && !grabs_.empty()) {
      return said(world.let_go(grabs_[below(grabs_.size())]), "let go");
    }
    if (which < 0.85) {
      const auto force = world.push(
          any_segment(world),
          {.along = part(), .force = {0.02 * part(), 0, 0.01}, .follower = part() < 0.3});
      if (force) forces_.push_back(*force);
      return said(force, "push");
    }
    if (forces_.empty()) return "nothing";
    const ForceId force = forces_[below(forces_.size())];
    return part() < 0.5 ? said(world.change(force, {.force = {0, 0.01, 0}}), "change force")
                        : said(world.remove(force), "remove force");
  }

  std::string surround(World& world) {
    const double which = part();
    if (which < 0.35) {
      return said(world.set_wind({.mean = {between(0, 6), 0, between(-3, 3)},
                                  .intensity = part() < 0.7 ? 0.3 : 0,
                                  .seed = below(5),
                                  .length_scale = 8,
                                  .ease = part() < 0.3 ? 0 : part()}),
                  "wind");
    }
    if (which < 0.45) return said(world.set_gravity({0, between(-12, -5), 0}), "gravity");
    if (which < 0.55) {
      return part() < 0.3 ? said(world.set_ground({}), "no ground")
                          : said(world.set_ground(LevelGround{.height = -0.5}), "ground");
    }
    const PlantId plant = any_plant(world);
    if (which < 0.75) {
      const double half = 0.1 * part();
      return said(world.move_root(plant,
                                  {.position = any_place(0.3),
                                   .rotation = {std::cos(half), 0, std::sin(half), 0}},
                                  between(0.1, 1)),
                  "move root");
    }
    return part() < 0.5 ? said(world.release_root(plant), "release root")
                        : said(world.clamp_root(plant), "clamp root");
  }

  std::uint64_t seed_;
  std::uint64_t drawn_ = 0;
  double dt_;
  double lost_mass_ = 0;
  std::vector<GrabId> grabs_;
  std::vector<ForceId> forces_;
  std::vector<SegmentId> gone_;
  std::vector<PlantId> gone_plants_;
};

}  // namespace thigmo::support
