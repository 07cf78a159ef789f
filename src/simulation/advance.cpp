#include "simulation/advance.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "simulation/between_steps.h"

namespace thigmo {
namespace {

// The frames of a course that are still to come.
class Frames {
 public:
  explicit Frames(const Course& course) : course_(course) {}

  // Before a step: remembers where it begins if a frame falls into it.
  void before_step(const Simulation& simulation) {
    const double nearly_its_end = simulation.time + (1 - course_.same_time) * course_.step;
    kept_ = next_ < course_.frames.size() && course_.frames[next_] < nearly_its_end;
    if (kept_) keep(simulation, begin_);
  }

  // Gives out all frames within the last step, before anything is done to what it moved.
  Result<Done> give_out_between(const Simulation& simulation) {
    if (!kept_) return Done{};
    return give_out_to(simulation.time - course_.same_time * course_.step, begin_, simulation);
  }

  // Gives out all frames up to now: what is left of the last step is its end.
  Result<Done> give_out(const Simulation& simulation) {
    return give_out_to(simulation.time + course_.same_time * course_.step, {}, simulation);
  }

 private:
  Result<Done> give_out_to(double now, const StepBegin& begin, const Simulation& simulation) {
    for (; next_ < course_.frames.size() && course_.frames[next_] < now; ++next_) {
      poses_at(simulation, begin, course_.frames[next_], poses_);
      if (Result<Done> done = course_.at_frame(course_.frames[next_], poses_); !done) return done;
    }
    return Done{};
  }

  const Course& course_;
  std::size_t next_ = 0;
  bool kept_ = false;  // where the step begins, in begin_
  StepBegin begin_;
  std::vector<Pose> poses_;
};

bool cancelled(const Course& course) { return course.cancel && course.cancel->load(); }

}  // namespace

Result<CourseReport> advance(const Course& course, Simulation& simulation) {
  using Clock = std::chrono::steady_clock;
  CourseReport report;
  Frames frames(course);
  if (const Result<Done> done = frames.give_out(simulation); !done) return done.diagnostics();
  for (std::int64_t i = course.first_step; i < course.end_step && simulation.finite; ++i) {
    report.cancelled = cancelled(course);
    if (report.cancelled) break;
    apply_due_edits(course.step, course.after_edit, simulation);
    frames.before_step(simulation);
    const Clock::time_point start = Clock::now();
    // Springs and weights count at the moment of a step at which its forces do.
    set_keyed_values(simulation.time + force_time(simulation.options) * course.step, simulation);
    step(simulation, course.step, course.threads);
    if (!simulation.finite) break;
    report.wall_seconds += std::chrono::duration<double>(Clock::now() - start).count();
    if (course.book) course.book->add_step(simulation);
    if (const Result<Done> done = frames.give_out_between(simulation); !done)
      return done.diagnostics();
    if (course.after_step) {
      if (const Result<Done> done = course.after_step(); !done) return done.diagnostics();
    }
    if (const Result<Done> done = frames.give_out(simulation); !done) return done.diagnostics();
    if (course.on_progress) {
      course.on_progress(static_cast<double>(i + 1) / static_cast<double>(course.end_step));
    }
  }
  return report;
}

std::int64_t steps_to(double time, double step, double same_time) {
  return static_cast<std::int64_t>(std::ceil(time / step - same_time));
}

// A step written with few digits must not add a step: 10 s of 0.016666667 s are 600.
std::int64_t step_count(double duration, double step) {
  return std::max<std::int64_t>(1, steps_to(duration, step, 1e-3));
}

}  // namespace thigmo
