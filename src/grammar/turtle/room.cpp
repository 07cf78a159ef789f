#include "grammar/turtle/room.h"

#include "base/budget.h"

namespace thigmo {

namespace {

constexpr double bytes_of_segment = sizeof(Segment) + sizeof(Quat) + sizeof(Vec3);
// The part of a file's memory that its plant may take: what is made of it takes several times that.
constexpr double part_for_plant = 0.25;

// Room for one more; false where old and new room together, beside the bytes of others, would be more
// than a file may take.
template <class T>
bool make_room_in(std::vector<T>& all, double bytes_each, double others) {
  if (all.size() < all.capacity()) return true;
  const std::size_t more = std::max<std::size_t>(64, all.size());
  Budget budget{.bytes = part_for_plant * Budget{}.bytes - others};
  if (!spend(budget, static_cast<double>(2 * all.size() + more), bytes_each, "parts")) return false;
  all.reserve(all.size() + more);
  return true;
}

std::size_t room_for(std::int64_t count, double bytes) {
  return std::min(static_cast<std::size_t>(count),
                  static_cast<std::size_t>(part_for_plant * Budget{}.bytes / bytes));
}

}  // namespace

void reserve_room(const Turtle& turtle, Drawing& drawing) {
  if (!drawing.build_plant) return;
  const KindCounts counts = count_kinds(turtle.string.kinds.data(), turtle.string.kinds.size());
  const RuleTable& homomorphism = turtle.program.systems[0].homomorphism;
  std::int64_t segments = 0, organs = 0;
  for (std::size_t k = 0; k < turtle.program.kinds.size(); ++k) {
    std::vector<Kind> drawn{static_cast<Kind>(k)};
    for (const std::int32_t r : homomorphism.by_kind[k]) {
      drawn = at(homomorphism.rules, r).successor.kinds;
    }
    for (const Kind kind : drawn) {
      const Action action = turtle.actions.of[kind];
      const bool draws = action == Action::draw || action == Action::draw_silently;
      segments += draws ? counts[k] : 0;
      organs += action == Action::organ ? counts[k] : 0;
    }
  }
  Plant& plant = drawing.growth.plant;
  plant.segments.reserve(room_for(segments, bytes_of_segment));
  drawing.world_from_segment.reserve(plant.segments.capacity());
  drawing.base_world.reserve(plant.segments.capacity());
  plant.organs.reserve(room_for(organs, sizeof(Organ)));
}

bool make_room_for_segment(Drawing& drawing) {
  const auto organs = static_cast<double>(drawing.growth.plant.organs.size());
  return make_room_in(drawing.growth.plant.segments, bytes_of_segment, organs * sizeof(Organ));
}

bool make_room_for_organ(Drawing& drawing) {
  const auto segments = static_cast<double>(drawing.growth.plant.segments.size());
  return make_room_in(drawing.growth.plant.organs, sizeof(Organ), segments * bytes_of_segment);
}

}  // namespace thigmo
