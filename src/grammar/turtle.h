#pragma once

#include <optional>
#include <vector>

#include "grammar/environment.h"
#include "grammar/expander.h"

namespace thigmo {

// Draws the modules of a string into a plant.
class Turtle {
 public:
  Turtle(const ModuleString& string, const GrowOptions& options, bool build_plant = true);

  Result<Growth> run();
  // Draws the string and fills the parameters of its ?P ?H ?L ?U and ?E modules.
  std::optional<Diagnostic> answer(ModuleString& string);
  Result<std::string> text();  // the modules after the homomorphism

 private:
  // What the turtle does with a kind, looked up once.
  enum class Action : std::uint8_t {
    nothing,
    draw,
    draw_silently,
    move,
    move_silently,
    turn_left,
    turn_right,
    pitch_up,
    pitch_down,
    roll_left,
    roll_right,
    turn_around,
    roll_to_vertical,
    thinner,
    thicker,
    colour_up,
    colour_down,
    push,
    pop,
    polygon_begin,
    polygon_end,
    vertex,
    organ,
    unknown_organ,
    sub_open,
    sub_close,
    scale,
    move_to,
    tropism,
    elasticity,
    sphere,
    disc,
    cylinder_start,
    cylinder_point,
    cylinder_end,
    cylinder_tangents,
    ask_position,
    ask_heading,
    ask_left,
    ask_up,
    ask_environment,
    set_material,
    set_young,
    set_shear,
    set_density,
    set_damping,
    set_strength,
    set_kind,
    set_joint_factor,
    set_flatness,
    set_hollow
  };

  struct State {
    Vec3 position;
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
  // The last control point of an open generalized cylinder.
  struct Knot {
    Vec3 position, heading;
    double width = 0;
    Birth birth;  // of the @Gs
    std::size_t index = 0;
  };
  struct Polygon {
    std::vector<Vec3> vertices;
    State start;
    Birth birth;
    std::size_t index = 0;
  };

  void find_actions();
  template <class Emit>
  bool visit(const Emit& emit);
  void reserve_room();
  bool make_room();
  bool make_room_for_organ();
  void warn_of_open_ends();
  void act(const ModuleSeen& module);
  void rotate(Action action, const ModuleSeen& module);
  void set_mechanics(Action action, const ModuleSeen& module);
  void ask(Action action, const ModuleSeen& module);
  void open_sub_system(const ModuleSeen& module);
  void draw(const ModuleSeen& module, bool vertex);
  void mark_drawn(const Vec3& from, const Vec3& to);
  void add_segment(const ModuleSeen& module, const Vec3& base, double length, double width);
  void draw_cylinder(const ModuleSeen& module);
  void place_organ(Index shape, double length, double width, double back);
  void move(const ModuleSeen& module, bool vertex);
  void rotate_pair(Vec3& a, Vec3& b, double degrees);
  void turn(double degrees);
  void pitch(double degrees);
  void roll(double degrees);
  void bend();
  void set_tropism(const ModuleSeen& module);
  void set_width(const ModuleSeen& module, double without_parameter);
  void add_organ(const ModuleSeen& module);
  void finish_polygon();
  void add_vertex();
  void finish_radii();
  void refuse_open(Birth birth, std::size_t index, const std::string& why);
  Quat world_from_turtle() const;
  Origin origin(const ModuleSeen& module) const;
  double number(const ModuleSeen& module, int index, double otherwise) const;
  void refuse(const ModuleSeen& module, const std::string& why);
  void warn(const ModuleSeen& module, const std::string& what);
  void warn_at(Place place, std::string what, std::string hint = {});
  std::string module_text(const ModuleSeen& module) const;

  struct Answer {
    std::size_t parameter;  // first one of the module in the string
    int count;
    std::array<double, 3> values;
  };
  struct Question {
    std::size_t parameter;
    int count;
    EnvironmentQuery query;
  };

  const ModuleString& string_;
  const Program& program_;
  const GrowOptions& options_;
  Rewriter rewriter_;
  Expander expander_;
  bool build_plant_;
  double angle_, step_, width_factor_;
  std::array<Action, 256> actions_{};
  std::array<Index, 256> organ_shapes_{};
  State state_;
  std::vector<State> stack_;
  // An open sub-L-system: the scale around it, and the module that opened it.
  struct SubSystem {
    double scale;
    Birth birth;
    std::size_t index;
  };
  std::vector<SubSystem> sub_systems_;
  std::vector<Polygon> polygons_;  // open ones
  Knot knot_;
  std::vector<Answer> answers_;
  std::vector<Question> questions_;
  const double* string_parameters_ = nullptr;  // of the module of the string being drawn
  std::vector<Quat> world_from_segment_;
  std::vector<Vec3> base_world_;
  Growth growth_;
  bool answering_ = false;  // the string is not finished yet
  bool drew_ = false, filled_ = false;
  double last_angle_ = 0, last_sine_ = 0, last_cosine_ = 1;  // most turns repeat the last angle
  Index axis_count_ = 0;
  std::size_t index_ = 0;  // of the module in the string
  std::size_t warning_count_ = 0;
};

}  // namespace thigmo
