#include "grammar/dialects/articulated.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "grammar/rewrite/module_string.h"
#include "grammar/rules/program.h"

namespace thigmo {

namespace {

constexpr int body_parameters = 10;
constexpr int joint_parameters = 9;
constexpr int coupled_joint_parameters = 12;

// A bare B: a rod of 1 kg and 1 m, 5 cm in radius, along y. I_x = I_z = m (l²/3 + r²/4), I_y = m r²/2.
constexpr double bare_body[body_parameters] = {
    1, 0, 0.5, 0, 0, 0.5, 0, 1.0 / 3 + 0.000625, 0.00125, 1.0 / 3 + 0.000625};
// A bare J: straight on, at rest, held by 100 N m/rad about every axis.
constexpr double bare_joint[joint_parameters] = {0, 0, 0, 0, 0, 0, 100, 100, 100};

enum class Last { nothing, body, joint };

// A body as the string gives it, with the joint before it.
struct BodyRow {
  Index parent = no_index;  // into the rows; -1: the base
  const double* body = nullptr;
  const double* joint = nullptr;
  bool coupled = false;                // the joint has numbers that couple its springs
  std::optional<double> damping = {};  // damper over spring [s]
  std::size_t module = 0;
  Index axis = 0, order = 0;
  double mass_beyond = 0;  // of itself and everything it carries [kg]
};

Quat rotation_from_angles(const double* a) {
  return rotation_about({1, 0, 0}, a[0]) * rotation_about({0, 1, 0}, a[1]) *
         rotation_about({0, 0, 1}, a[2]);
}

class Reader {
 public:
  Reader(const ModuleString& string, const GrowOptions& options)
      : string_(string), program_(*string.program), options_(options) {}

  Result<Growth> run() {
    read();
    if (!errors_.empty()) return std::move(errors_);
    prune();
    return build();
  }

 private:
  struct State {
    Last last = Last::nothing;
    Index body = no_index;  // last body on the way; -1: the base
    const double* joint = nullptr;
    bool coupled = false;
    std::optional<double> damping = {};
    Index axis = no_index, order = 0;
    bool branched = false;
  };

  // Notes an error and goes on, so that all of them are told at once.
  bool fail(std::size_t module, const std::string& message, const std::string& hint = {}) {
    constexpr std::size_t most = 100;
    if (errors_.size() >= most) return false;
    const KindInfo& kind = program_.kinds[string_.kinds[module]];
    const std::string text = fmt::format("{} (module {}): {}", kind.name, module, message);
    errors_.push_back(diagnostic_in(program_.source, place_of_module(string_, module), text, hint));
    return false;
  }

  // Checks the structure and collects the bodies. After an error it goes on as if the module had been
  // the one expected, so that one mistake is one message.
  void read() {
    State state;
    std::vector<std::pair<State, std::size_t>> stack;
    std::size_t parameter = 0;
    for (std::size_t i = 0; i < string_.kinds.size(); ++i) {
      const KindInfo& kind = program_.kinds[string_.kinds[i]];
      const double* const values = string_.parameters.data() + parameter;
      parameter += as_size(kind.arity);
      if (kind.name == "[") {
        if (state.last == Last::joint) {
          fail(i, "a branch may not begin directly behind a joint",
               "a joint connects exactly two bodies: write B[JB]JB");
        }
        stack.push_back({state, i});
        state.branched = true;
      } else if (kind.name == "]") {
        if (state.last == Last::joint) fail(i, "the joint before it has no body behind it");
        if (stack.empty()) {
          fail(i, "there is no '[' for it");
          continue;
        }
        state = stack.back().first;
        stack.pop_back();
        // The branch began behind a joint, which was told: its body is in there.
        if (state.last == Last::joint) state.last = Last::body;
      } else if (kind.name == "J") {
        read_joint(i, kind, values, state);
      } else if (kind.name == "B") {
        read_body(i, kind, values, state);
      }
    }
    if (state.last == Last::joint) {
      fail(string_.kinds.size() - 1, "the string ends with a joint");
    }
    for (const auto& [before, module] : stack) fail(module, "there is no ']' for it");
    if (!based_ && errors_.empty()) {
      errors_.push_back(
          diagnostic_in(program_.source, program_.axiom_place, "the string has no body B"));
    }
  }

  void read_joint(std::size_t i, const KindInfo& kind, const double* values, State& state) {
    // One number more than the springs need is the damper.
    const bool coupled = kind.arity >= coupled_joint_parameters;
    const int springs = coupled ? coupled_joint_parameters : joint_parameters;
    const bool damped = kind.arity == springs + 1;
    if (kind.arity == 0) {
      state.joint = bare_joint;
      state.coupled = false;
      state.damping = std::nullopt;
    } else if (check_numbers(i, kind, values, damped ? springs + 1 : springs) &&
               (!coupled || check_springs(i, values + 6)) &&
               (!damped || check_damping(i, values[springs]))) {
      state.joint = values;
      state.coupled = coupled;
      state.damping = damped ? std::optional(values[springs]) : std::nullopt;
    }
    if (state.last == Last::joint) fail(i, "two joints follow each other", "BJB");
    if (state.last == Last::nothing) {
      fail(i, "a joint stands before the first body", "the string begins with the base, B");
    }
    state.last = Last::joint;
  }

  void read_body(std::size_t i, const KindInfo& kind, const double* values, State& state) {
    const bool bare = kind.arity == 0;
    if (bare) values = bare_body;
    const bool good =
        bare || (check_numbers(i, kind, values, body_parameters) && check_body(i, values));
    if (state.last == Last::body) {
      fail(i, "two bodies follow each other", "put a joint between them: BJB");
    } else if (state.last == Last::joint) {
      if (good) add(i, values, state);
    } else if (based_) {
      fail(i, "this is a second base", "every other body follows a joint");
    } else if (good) {
      base_ = Vec3{values[1] + values[4], values[2] + values[5], values[3] + values[6]};
    }
    based_ = true;
    state.last = Last::body;
  }

  bool check_numbers(std::size_t module, const KindInfo& kind, const double* values, int wanted) {
    if (kind.arity != wanted) {
      return fail(module, fmt::format("it has {} parameters instead of {}", kind.arity, wanted),
                  wanted == body_parameters
                      ? "B(mass, 3 to the centre of mass, 3 to the outboard joints, 3 inertias)"
                      : "J(3 rest angles, 3 angles at the start, 3 spring constants), 3 "
                        "that couple them where they do, and a damper over the springs [s] if any");
    }
    for (int p = 0; p < wanted; ++p) {
      if (!std::isfinite(values[p])) {
        return fail(module, fmt::format("parameter {} is not finite", p + 1));
      }
      const bool joint = wanted != body_parameters, spring = joint && p >= 6 && p < 9;
      if (joint && p < 6 && !(std::abs(values[p]) <= 1000)) {
        return fail(module, fmt::format("the angle {} is beyond 1000 radians", values[p]));
      }
      if (spring && !(values[p] >= 0)) {
        return fail(module, fmt::format("the spring constant {} is negative", values[p]));
      }
    }
    return true;
  }

  // Every turn must take energy: all principal minors of K are positive.
  bool check_springs(std::size_t module, const double* k) {
    const double x = k[0], y = k[1], z = k[2], xy = k[3], xz = k[4], yz = k[5];
    const double det = x * (y * z - yz * yz) - xy * (xy * z - yz * xz) + xz * (xy * yz - y * xz);
    if (x * y > xy * xy && x * z > xz * xz && y * z > yz * yz && det > 0) return true;
    return fail(module, "some turn of this joint would give energy away",
                "make what couples its springs smaller: K must be positive definite");
  }

  bool check_damping(std::size_t module, double time) {
    if (time >= 0 && time <= 1e6) return true;
    return fail(module, fmt::format("the damper {} s is not possible", time),
                "it is the damper's constant over the spring's, 0 to 1e6 s");
  }

  bool check_body(std::size_t module, const double* b) {
    if (!(b[0] > 0)) return fail(module, fmt::format("the mass is {}", b[0]));
    for (int p = 7; p < 10; ++p) {
      if (!(b[p] > 0))
        return fail(module, fmt::format("the moment of inertia {} is not positive", b[p]));
    }
    // Steiner: no body turns about a point more easily than its mass in its centre would,
    // I_x >= m (y² + z²) and so on.
    for (int p = 0; p < 3; ++p) {
      const double u = b[1 + (p + 1) % 3], v = b[1 + (p + 2) % 3];
      const double least = b[0] * (u * u + v * v);
      constexpr double rounding = 1e-6;  // of numbers written with six digits
      if (b[7 + p] < least * (1 - rounding)) {
        return fail(
            module,
            fmt::format("the moment of inertia {} about {} is below {:.4g}, that of its mass "
                        "in the centre alone",
                        b[7 + p], "xyz"[p], least),
            "the moments are those about the inboard joint");
      }
    }
    const Vec3 along{b[1] + b[4], b[2] + b[5], b[3] + b[6]};
    if (!(length(along) <= 1e12)) return fail(module, "it is longer than 1e12 m");
    return true;
  }

  void add(std::size_t module, const double* values, State& state) {
    BodyRow row{.parent = state.body,
                .body = values,
                .joint = state.joint,
                .coupled = state.coupled,
                .damping = state.damping,
                .module = module};
    if (state.axis == no_index || state.branched) {
      state.axis = axis_count_++;
      if (state.body != no_index) ++state.order;
      state.branched = false;
    }
    row.axis = state.axis;
    row.order = state.order;
    row.mass_beyond = values[0];
    state.body = static_cast<Index>(rows_.size());
    rows_.push_back(row);
  }

  // Leaves out every end whose whole mass is below the threshold: bodies that the model has just
  // made, so light that they would only bring numerical trouble.
  void prune() {
    for (std::size_t i = rows_.size(); i-- > 0;) {
      if (rows_[i].parent != no_index) {
        rows_[static_cast<std::size_t>(rows_[i].parent)].mass_beyond += rows_[i].mass_beyond;
      }
    }
    for (const BodyRow& row : rows_) {
      if (row.mass_beyond < options_.smallest_body_mass) ++pruned_;
    }
  }

  Growth build() {
    Growth growth;
    Plant& plant = growth.plant;
    plant.materials.push_back(options_.material.value_or(generic_wood("given bodies")));
    std::vector<Index> segment_of(rows_.size(), no_index);
    std::vector<Quat> joint_from_segment(rows_.size());
    std::vector<Vec3> outboard(rows_.size());  // joints, in the segment's frame
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const BodyRow& row = rows_[i];
      // Mass beyond falls along every way outwards, so that parents of kept bodies are kept.
      if (row.mass_beyond < options_.smallest_body_mass) continue;
      const double* const b = row.body;
      const Vec3 to_center{b[1], b[2], b[3]};
      const Vec3 along = to_center + Vec3{b[4], b[5], b[6]};
      // A solid cylinder turns about its own axis with m r² / 2.
      const double radius = std::sqrt(2.0 * b[8] / b[0]);
      // The segment's y is the line between the joints. A body whose joints lie on each other is drawn to
      // its centre of mass, or as long as it is thick where that lies there too.
      const Vec3 drawn = length(along) > 0       ? along
                         : length(to_center) > 0 ? to_center
                                                 : Vec3{0, radius, 0};
      const double long_ = length(drawn);
      joint_from_segment[i] = rotation_between({0, 1, 0}, drawn / long_);
      const Quat segment_from_joint = conjugate(joint_from_segment[i]);
      outboard[i] = rotate(segment_from_joint, along);
      const Quat rest = rotation_from_angles(row.joint);
      Segment segment;
      if (row.parent == no_index) {
        segment.base_in_parent = base_;
        segment.parent_from_segment = normalized(rest * joint_from_segment[i]);
      } else {
        const auto p = as_size(row.parent);
        segment.parent = segment_of[p];
        segment.base_in_parent = outboard[p];
        segment.parent_from_segment =
            normalized(conjugate(joint_from_segment[p]) * rest * joint_from_segment[i]);
      }
      segment.length = long_;
      segment.radius_base = segment.radius_tip = radius;
      segment.axis = row.axis;
      segment.order = row.order;
      segment.given = static_cast<Index>(plant.given_bodies.size());
      segment.origin = origin_of_module(string_, row.module);
      const Vec3 start =
          log_rotation(normalized(conjugate(rest) * rotation_from_angles_sum(row.joint)));
      plant.given_bodies.push_back(
          {.mass = b[0],
           .center = rotate(segment_from_joint, to_center),
           .inertia = conjugate(matrix(segment_from_joint), Vec3{b[7], b[8], b[9]}),
           .joint_stiffness = {row.joint[6], row.joint[7], row.joint[8]},
           .joint_coupling =
               row.coupled ? Vec3{row.joint[9], row.joint[10], row.joint[11]} : Vec3{},
           .start_angles = rotate(segment_from_joint, start),
           .joint_damping = row.damping});
      segment_of[i] = segment_count(plant);
      plant.segments.push_back(segment);
      ++growth.segments;
      ++growth.drawn_segments;
      growth.drawn_length += long_;
    }
    if (pruned_ > 0) {
      growth.warnings.push_back(
          {.severity = Severity::warning,
           .message = fmt::format("{} bodies at ends lighter than {} kg were left out", pruned_,
                                  options_.smallest_body_mass)});
    }
    growth.drawn = growth.drawn_and_filled = bounding_box(plant, rest_pose(plant));
    return growth;
  }

  // Rest and start angles add up, axis by axis.
  static Quat rotation_from_angles_sum(const double* j) {
    const double sums[3] = {j[0] + j[3], j[1] + j[4], j[2] + j[5]};
    return rotation_from_angles(sums);
  }

  const ModuleString& string_;
  const Program& program_;
  const GrowOptions& options_;
  std::vector<BodyRow> rows_;
  Diagnostics errors_;
  Vec3 base_;
  bool based_ = false;  // the base was read
  Index axis_count_ = 0;
  std::int64_t pruned_ = 0;
};

}  // namespace

Result<Growth> interpret_articulated(const ModuleString& string, const GrowOptions& options) {
  return Reader(string, options).run();
}

Source articulated_source(std::string_view file, std::string_view text) {
  constexpr std::string_view prefix = "interpretation: articulated\nAxiom: ";
  Source source;
  source.files.push_back({std::string(file), std::string(text)});
  source.text = std::string(prefix) + std::string(text);
  source.places.assign(prefix.size(), SourcePosition{});
  for (std::size_t i = 0; i < text.size(); ++i) {
    char& c = source.text[prefix.size() + i];
    if (c == '\n' || c == '\r') c = ' ';
    source.places.push_back({0, static_cast<std::uint32_t>(i)});
  }
  return source;
}

}  // namespace thigmo
