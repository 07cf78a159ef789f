#include "particles/components.h"

#include <cmath>
#include <numeric>

#include "base/assert.h"

namespace thigmo {
namespace {

// Disjoint sets (Galler and Fisher 1964): each particle points at another of its set, at last at the set's own.
class Sets {
 public:
  explicit Sets(std::size_t count) : of_(count) { std::iota(of_.begin(), of_.end(), Index{0}); }
  Index find(Index particle) {
    while (at(of_, particle) != particle) {
      at(of_, particle) = at(of_, at(of_, particle));
      particle = at(of_, particle);
    }
    return particle;
  }
  void join(Index a, Index b) { at(of_, find(b)) = find(a); }

 private:
  std::vector<Index> of_;
};

// A run of constraints whose particles are in one set.
IndexRange run_of(const std::vector<DistanceConstraint>& list, Index first, Index set, Sets& sets) {
  IndexRange run{first, 0};
  const auto n = static_cast<Index>(list.size());
  while (first + run.count < n && sets.find(at(list, first + run.count).tail) == set) ++run.count;
  return run;
}

}  // namespace

std::vector<Component> find_components(const ParticleModel& model) {
  Sets sets(particle_count(model));
  for (const auto* list : {&model.constraints, &model.anchors}) {
    for (const DistanceConstraint& c : *list) sets.join(c.tail, c.head);
  }
  std::vector<Component> components;
  Index constraint = 0, anchor = 0, stem = 0;
  const auto n = static_cast<Index>(model.constraints.size());
  while (constraint < n) {
    const Index set = sets.find(at(model.constraints, constraint).tail);
    Component c{.constraints = run_of(model.constraints, constraint, set, sets),
                .anchors = run_of(model.anchors, anchor, set, sets),
                .stems = {stem, 0}};
    constraint += c.constraints.count;
    anchor += c.anchors.count;
    const auto stems = static_cast<Index>(model.stems.size());
    for (; stem < stems && sets.find(at(model.stems, stem).base) == set; ++stem) ++c.stems.count;
    const double count = c.constraints.count + c.anchors.count;
    const int chosen = model.settings.iterations;
    c.iterations = chosen > 0 ? chosen : static_cast<int>(std::ceil(std::sqrt(count)));
    components.push_back(c);
  }
  // What is connected was made together, so that no run is met twice.
  THIGMO_ASSERT(stem == static_cast<Index>(model.stems.size()));
  THIGMO_ASSERT(anchor == static_cast<Index>(model.anchors.size()));
  return components;
}

}  // namespace thigmo
