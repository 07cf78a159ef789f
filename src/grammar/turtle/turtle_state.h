#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "base/result.h"
#include "grammar/rewrite/module_string.h"
#include "grammar/rewrite/options.h"
#include "grammar/turtle/actions.h"
#include "grammar/turtle/environment.h"
#include "grammar/turtle/growth.h"
#include "grammar/turtle/homomorphism.h"

namespace thigmo {

// What a bracket saves: where the turtle is and what it draws.
struct Pen {
  Vec3 position;  // [m]
  Vec3 heading{0, 1, 0}, left{-1, 0, 0}, up{0, 0, 1};
  double width = 0;  // [m]
  double scale = 1;
  std::array<double, 4> elasticity{};  // of the tropisms
  double joint_factor = 1;
  StemShape shape;
  double tangent_start = 1.2, tangent_end = 1.2;  // of generalized cylinders, in chords
  Index material = 0;
  OrganKind kind = OrganKind::stem;
  Index segment = no_index;  // last one drawn
  Index axis = no_index;
  Index order = 0;
  Index colour = 0;
  bool new_axis = false;     // a bracket was opened since the last segment
  bool in_cylinder = false;  // between @Gs and @Ge
};

// A module that began something that another one must end.
struct Opening {
  Birth birth;
  std::size_t index = 0;  // in the string
};

// The last control point of an open generalized cylinder.
struct Knot {
  Vec3 position, heading;
  double width = 0;  // [m]
  Opening opening;   // the @Gs
};

struct Polygon {
  std::vector<Vec3> vertices;
  Pen start;
  Opening opening;
};

struct SubSystem {
  double scale = 1;  // around it
  Opening opening;
};

// What was drawn so far.
struct Drawing {
  bool build_plant = true;  // else only counts and boxes
  Growth growth;
  std::vector<Quat> world_from_segment;
  std::vector<Vec3> base_world;  // [m], of the segments
  Index axis_count = 0;
  bool drew = false, filled = false;  // the boxes have begun
  std::size_t warning_count = 0;
};

// What ?P ?H ?L ?U and ?E modules of the string asked on the way.
struct Questions {
  struct Answer {
    std::size_t parameter;  // first one of the module in the string
    int count;
    std::array<double, 3> values;
  };
  struct Query {
    std::size_t parameter;
    int count;
    EnvironmentQuery query;
  };
  std::vector<Answer> answers;
  std::vector<Query> queries;  // for the environment
};

// Most turns repeat the last angle.
struct LastAngle {
  double degrees = 0, sine = 0, cosine = 1;
};

// A turtle that draws the modules of a string, one after the other.
struct Turtle {
  const ModuleString& string;
  const Program& program;
  const GrowOptions& options;
  Actions actions;
  double angle = 0;         // of turns without a parameter [degrees]
  double step = 0;          // of lines without a parameter [m]
  double width_factor = 0;  // of ! and # without a parameter
  bool answering = false;   // the string is not finished yet: what is open may be closed later

  Drawn drawn = {};  // where the module that is being drawn comes from
  Pen pen = {};
  std::vector<Pen> stack = {};  // of open brackets
  std::vector<SubSystem> sub_systems = {};
  std::vector<Polygon> polygons = {};
  Knot knot = {};
  LastAngle last_angle = {};
  Drawing drawing = {};
  Questions questions = {};
};
Turtle make_turtle(const ModuleString& string, const GrowOptions& options, bool build_plant);

// The module's parameter, or what stands for one that it has not.
inline double number(const Turtle& turtle, const Module& module, int index, double otherwise) {
  return index < turtle.program.kinds[module.kind].arity ? module.parameters[index] : otherwise;
}

// Why a module cannot be drawn.
Diagnostic refusal(const Turtle& turtle, const Module& module, const std::string& why);
// What was begun by a module of the string and never ended.
Diagnostic refusal(const Turtle& turtle, const Opening& opening, const std::string& why);

void warn(Turtle& turtle, const Module& module, const std::string& what);
void warn_at(Turtle& turtle, SourcePosition place, std::string what, std::string hint = {});
// Where the text stands that wrote what is open.
SourcePosition place_of(const Turtle& turtle, const Opening& opening);
// Says how many warnings were left out.
void finish_warnings(Drawing& drawing);

Quat world_from_turtle(const Pen& pen);

// Beyond this, differences of positions lose their millimetres and in the end overflow.
inline constexpr double farthest = 1e12;  // [m]
inline constexpr const char* too_far_message =
    "the turtle is more than 1e12 m away from the origin";
inline bool too_far(const Vec3& p) {
  return !(std::abs(p.x) <= farthest && std::abs(p.y) <= farthest && std::abs(p.z) <= farthest);
}

// The box with one point more; `any` tells whether it has one already.
inline void extend(Box& box, const Vec3& p, bool& any) {
  if (!any) box = {p, p};
  any = true;
  box.min = {std::min(box.min.x, p.x), std::min(box.min.y, p.y), std::min(box.min.z, p.z)};
  box.max = {std::max(box.max.x, p.x), std::max(box.max.y, p.y), std::max(box.max.z, p.z)};
}

}  // namespace thigmo
