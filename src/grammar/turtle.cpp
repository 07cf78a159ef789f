#include "grammar/turtle.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/budget.h"
#include "base/text.h"
#include "grammar/organs.h"
#include "grammar/predict.h"
#include "grammar/rules.h"

namespace thigmo {

namespace {

constexpr double default_angle_degrees = 45.0;
constexpr double default_step = 1.0;
constexpr double default_width = 0.01;  // [m], a diameter
// `!` without a parameter: the branches of an even fork keep the cross-section of their parent
// (Leonardo's rule).
constexpr double default_width_factor = std::numbers::sqrt2 / 2.0;
constexpr std::size_t warning_limit = 20;
constexpr double bytes_of_segment = sizeof(Segment) + sizeof(Quat) + sizeof(Vec3);
// The part of a file's memory that its plant may take: what is made of it takes several times that.
constexpr double part_for_plant = 0.25;

// Room for one more; false where old and new room together, beside the bytes of others, would be more than
// a file may take.
template <class T>
bool make_room_in(std::vector<T>& all, double bytes_each, double others) {
  if (all.size() < all.capacity()) return true;
  const std::size_t more = std::max<std::size_t>(64, all.size());
  Budget budget{.bytes = part_for_plant * Budget{}.bytes - others};
  if (!spend(budget, static_cast<double>(2 * all.size() + more), bytes_each, "parts")) return false;
  all.reserve(all.size() + more);
  return true;
}

}  // namespace

Turtle::Turtle(const ModuleString& string, const GrowOptions& options, bool build_plant)
    : string_(string),
      program_(*string.program),
      options_(options),
      rewriter_(program_, options.limits),
      expander_(program_, options.limits, rewriter_),
      build_plant_(build_plant),
      angle_(
          options.angle_degrees.value_or(program_.angle_degrees.value_or(default_angle_degrees))),
      step_(program_.step_length.value_or(default_step)),
      width_factor_(program_.width_factor.value_or(default_width_factor)) {
  if (!string.globals.empty()) rewriter_.set_globals(string.globals);
  state_.width = program_.width.value_or(default_width);
  for (std::size_t i = 0; i < program_.tropisms.size(); ++i) {
    state_.elasticity[i] = program_.tropisms[i].elasticity;
  }
  growth_.plant.materials = program_.materials;
  if (options.material) {
    growth_.plant.materials.resize(std::max<std::size_t>(1, growth_.plant.materials.size()));
    growth_.plant.materials[0] = *options.material;
  } else if (growth_.plant.materials.empty()) {
    growth_.plant.materials.push_back(generic_wood("generic green wood"));
  }
  if (!program_.shapes.empty()) state_.shape = program_.shapes[0];
  find_actions();
}

void Turtle::find_actions() {
  static const std::map<std::string, Action> by_name{{"F", Action::draw},
                                                     {"G", Action::draw_silently},
                                                     {"f", Action::move},
                                                     {"g", Action::move_silently},
                                                     {"+", Action::turn_left},
                                                     {"-", Action::turn_right},
                                                     {"^", Action::pitch_up},
                                                     {"&", Action::pitch_down},
                                                     {"\\", Action::roll_left},
                                                     {"/", Action::roll_right},
                                                     {"|", Action::turn_around},
                                                     {"@v", Action::roll_to_vertical},
                                                     {"!", Action::thinner},
                                                     {"#", Action::thicker},
                                                     {";", Action::colour_up},
                                                     {",", Action::colour_down},
                                                     {"[", Action::push},
                                                     {"]", Action::pop},
                                                     {"{", Action::polygon_begin},
                                                     {"}", Action::polygon_end},
                                                     {".", Action::vertex},
                                                     {"?", Action::sub_open},
                                                     {"$", Action::sub_close},
                                                     {"@D", Action::scale},
                                                     {"@M", Action::move_to},
                                                     {"@Ts", Action::tropism},
                                                     {"_", Action::elasticity},
                                                     {"@O", Action::sphere},
                                                     {"@o", Action::disc},
                                                     {"@Gs", Action::cylinder_start},
                                                     {"@Gc", Action::cylinder_point},
                                                     {"@Ge", Action::cylinder_end},
                                                     {"@Gt", Action::cylinder_tangents},
                                                     {"?P", Action::ask_position},
                                                     {"?H", Action::ask_heading},
                                                     {"?L", Action::ask_left},
                                                     {"?U", Action::ask_up},
                                                     {"?E", Action::ask_environment},
                                                     {"@Em", Action::set_material},
                                                     {"@Ey", Action::set_young},
                                                     {"@Eg", Action::set_shear},
                                                     {"@Ed", Action::set_density},
                                                     {"@Ez", Action::set_damping},
                                                     {"@Es", Action::set_strength},
                                                     {"@Ek", Action::set_kind},
                                                     {"@Ej", Action::set_joint_factor},
                                                     {"@Ef", Action::set_flatness},
                                                     {"@Eh", Action::set_hollow}};
  for (std::size_t k = 0; k < program_.kinds.size(); ++k) {
    const std::string& name = program_.kinds[k].name;
    if (const auto found = by_name.find(name); found != by_name.end()) {
      actions_[k] = found->second;
      if (name == "@O") organ_shapes_[k] = 3;  // a round fruit
      if (name == "@o") organ_shapes_[k] = 1;  // a flower's disc
    } else if (name[0] == '~') {
      actions_[k] = Action::unknown_organ;
      const auto shapes = organ_shapes();
      for (std::size_t i = 0; i < shapes.size(); ++i) {
        if (shapes[i].letter == name[1]) {
          actions_[k] = Action::organ;
          organ_shapes_[k] = static_cast<Index>(i);
        }
      }
    }
  }
  // ABOP writes $ for @v; it can only mean that where no sub-L-system is called.
  if (program_.sub_open == 256 && program_.sub_close != 256) {
    actions_[static_cast<std::size_t>(program_.sub_close)] = Action::roll_to_vertical;
  }
}

// Calls `emit` for every module after the homomorphism; false after an error.
template <class Emit>
bool Turtle::visit(const Emit& emit) {
  ContextTables tables;
  const StringView view = tables.view(program_, string_, true);
  const LSystem* system = &program_.systems[0];
  std::vector<const LSystem*> systems{system};
  std::uint64_t seed =
      options_.seed.value_or(static_cast<std::uint64_t>(program_.seed.value_or(0.0)));
  if (system->homomorphism.seed) {
    double none = 0;
    seed =
        static_cast<std::uint64_t>(execute(rewriter_.machine, *system->homomorphism.seed, &none));
  }
  seed = mix_bits(seed, 0x686f6d6f);  // other numbers than the productions draw
  std::size_t parameter = 0;
  for (index_ = 0; index_ < string_.kinds.size(); ++index_) {
    const Kind kind = string_.kinds[index_];
    const ModuleSeen module{.kind = kind,
                            .parameters = string_.parameters.data() + parameter,
                            .identity = string_.identities.empty() ? 0 : string_.identities[index_],
                            .birth = string_.births.empty() ? Birth{} : string_.births[index_]};
    string_parameters_ = module.parameters;
    if (kind == program_.sub_open) {
      for (const LSystem& other : program_.systems) {
        if (static_cast<double>(other.label) == module.parameters[0]) system = &other;
      }
      systems.push_back(system);
    } else if (kind == program_.sub_close && systems.size() > 1) {
      systems.pop_back();
      system = systems.back();
    }
    if (system->homomorphism.by_kind[kind].empty()) {
      emit(module);
      if (rewriter_.failed()) return false;
      parameter += static_cast<std::size_t>(program_.kinds[kind].arity);
      continue;
    }
    expander_.expand(system->homomorphism, module, index_, view, seed,
                     string_.births.empty() ? no_index : module.birth.step, 0, emit);
    if (rewriter_.failed()) return false;
    parameter += static_cast<std::size_t>(program_.kinds[kind].arity);
  }
  return true;
}

Result<std::string> Turtle::text() {
  std::string out;
  if (!visit([&](const ModuleSeen& module) { out += program_.kinds[module.kind].name; })) {
    return rewriter_.diagnostic();
  }
  return out;
}

// Room for the segments and organs that the kinds of the string make most likely.
void Turtle::reserve_room() {
  if (!build_plant_) return;
  const auto counts = count_kinds(string_.kinds.data(), string_.kinds.size());
  const auto draws = [this](Kind k) {
    return actions_[k] == Action::draw || actions_[k] == Action::draw_silently;
  };
  std::int64_t segments = 0, organs = 0;
  for (std::size_t k = 0; k < program_.kinds.size(); ++k) {
    std::vector<Kind> drawn{static_cast<Kind>(k)};
    const RuleTable& homomorphism = program_.systems[0].homomorphism;
    for (const std::int32_t r : homomorphism.by_kind[k]) {
      drawn = homomorphism.rules[static_cast<std::size_t>(r)].successor.kinds;
    }
    for (const Kind kind : drawn) {
      segments += draws(kind) ? counts[k] : 0;
      organs += actions_[kind] == Action::organ ? counts[k] : 0;
    }
  }
  const auto room = [](std::int64_t count, double bytes) {
    return std::min(static_cast<std::size_t>(count),
                    static_cast<std::size_t>(part_for_plant * Budget{}.bytes / bytes));
  };
  growth_.plant.segments.reserve(room(segments, bytes_of_segment));
  world_from_segment_.reserve(growth_.plant.segments.capacity());
  base_world_.reserve(growth_.plant.segments.capacity());
  growth_.plant.organs.reserve(room(organs, sizeof(Organ)));
}

bool Turtle::make_room() {
  const auto organs = static_cast<double>(growth_.plant.organs.size());
  return make_room_in(growth_.plant.segments, bytes_of_segment, organs * sizeof(Organ));
}

bool Turtle::make_room_for_organ() {
  const auto segments = static_cast<double>(growth_.plant.segments.size());
  return make_room_in(growth_.plant.organs, sizeof(Organ), segments * bytes_of_segment);
}

Result<Growth> Turtle::run() {
  const double drawn = fewest_drawn(string_, options_.limits);
  if (drawn > static_cast<double>(options_.limits.symbols)) {
    return diagnostic_in(program_.source, program_.systems[0].homomorphism.place,
                         fmt::format("the homomorphism would draw at least {:.4g} modules; the "
                                     "limit is {}",
                                     drawn, options_.limits.symbols),
                         "set a smaller 'maximum depth:', or raise the limit of symbols");
  }
  reserve_room();
  if (!visit([this](const ModuleSeen& module) { act(module); })) return rewriter_.diagnostic();
  if (!stack_.empty()) {
    return diagnostic_in(program_.source, program_.axiom_place,
                         fmt::format("the string has {} '[' without ']'", stack_.size()));
  }
  if (!polygons_.empty() && !answering_) {
    refuse_open(polygons_.back().birth, polygons_.back().index, "{: there is no '}' for it");
    return rewriter_.diagnostic();
  }
  if (state_.in_cylinder && !answering_) {
    refuse_open(knot_.birth, knot_.index, "@Gs: there is no @Ge for it");
    return rewriter_.diagnostic();
  }
  if (!answering_) warn_of_open_ends();
  growth_.end_position = state_.position;
  finish_radii();
  const auto sits_lower = [](const Organ& a, const Organ& b) { return a.segment < b.segment; };
  std::vector<Organ>& organs = growth_.plant.organs;
  if (!std::is_sorted(organs.begin(), organs.end(), sits_lower)) {
    std::stable_sort(organs.begin(), organs.end(), sits_lower);
  }
  if (warning_count_ > warning_limit) {
    growth_.warnings.push_back(
        {.severity = Severity::warning,
         .message = fmt::format("{} more warnings like these", warning_count_ - warning_limit)});
  }
  return std::move(growth_);
}

// What draws all the same, but hardly what was meant.
void Turtle::warn_of_open_ends() {
  if (!sub_systems_.empty()) {
    const SubSystem& open = sub_systems_.back();
    const Rule* rule = rule_with_number(program_, open.birth.rule);
    warn_at(rule != nullptr ? rule->place : place_of_module(string_, open.index),
            fmt::format("there is no '$' for the '?(n,s)' that is module {} of the string: all "
                        "behind it belongs to that L-system",
                        open.index),
            "end the sub-L-system with '$'");
  }
  if (options_.environment != nullptr || !program_.environment.name.empty()) return;
  const auto find_question = [this](const Successor& successor) {
    for (std::size_t m = 0; m < successor.kinds.size(); ++m) {
      if (actions_[successor.kinds[m]] != Action::ask_environment) continue;
      warn_at(successor.places[m], "nobody answers '?E': the model has no environment",
              "add a line 'environment: light' or 'environment: space'");
      return true;
    }
    return false;
  };
  if (std::find(actions_.begin(), actions_.end(), Action::ask_environment) == actions_.end() ||
      find_question(program_.axiom)) {
    return;
  }
  for (const LSystem& system : program_.systems) {
    for (const RuleTable* table : {&system.productions, &system.decomposition}) {
      for (const Rule& rule : table->rules) {
        if (find_question(rule.successor)) return;
      }
    }
  }
}

std::optional<Diagnostic> Turtle::answer(ModuleString& string) {
  answering_ = true;
  const Result<Growth> growth = run();
  if (!growth) return growth.diagnostics()[0];
  for (const Answer& answer : answers_) {
    for (int p = 0; p < answer.count; ++p) {
      string.parameters[answer.parameter + static_cast<std::size_t>(p)] =
          answer.values[static_cast<std::size_t>(p)];
    }
  }
  if (questions_.empty()) return std::nullopt;
  std::unique_ptr<Environment> own;
  Environment* environment = options_.environment.get();
  if (environment == nullptr) {
    const EnvironmentChoice& choice = program_.environment;
    if (choice.name == "light") {
      own = choice.size > 0 ? light_from_above(choice.size) : light_from_above();
    } else if (choice.name == "space") {
      own = choice.size > 0 ? free_space(choice.size) : free_space();
    } else {
      return std::nullopt;  // nobody answers: the parameters stay as they are
    }
    environment = own.get();
  }
  std::vector<EnvironmentQuery> queries;
  for (Question& question : questions_) {
    question.query.values = {string.parameters.data() + question.parameter,
                             static_cast<std::size_t>(question.count)};
    queries.push_back(question.query);
  }
  environment->answer(growth->plant, queries);
  return std::nullopt;
}

std::string Turtle::module_text(const ModuleSeen& module) const {
  const KindInfo& kind = program_.kinds[module.kind];
  std::string out = kind.name;
  for (int p = 0; p < kind.arity; ++p) {
    out += p == 0 ? "(" : ",";
    out += text_from_number(module.parameters[p]);
  }
  return kind.arity > 0 ? out + ")" : out;
}

void Turtle::refuse(const ModuleSeen& module, const std::string& why) {
  if (rewriter_.failed()) return;
  const Rule* rule = rule_with_number(program_, module.birth.rule);
  rewriter_.fail(fmt::format("{}: {} (module {} of the string, written in step {})",
                             module_text(module), why, index_, module.birth.step),
                 rule != nullptr ? rule->place : place_of_module(string_, index_));
}

// What was begun by a module of the string and never ended.
void Turtle::refuse_open(Birth birth, std::size_t index, const std::string& why) {
  const Rule* rule = rule_with_number(program_, birth.rule);
  rewriter_.fail(
      fmt::format("{} (module {} of the string, written in step {})", why, index, birth.step),
      rule != nullptr ? rule->place : place_of_module(string_, index));
}

void Turtle::warn(const ModuleSeen& module, const std::string& what) {
  if (warning_count_ >= warning_limit) {
    ++warning_count_;
    return;
  }
  const Rule* rule = rule_with_number(program_, module.birth.rule);
  warn_at(rule != nullptr ? rule->place : place_of_module(string_, index_),
          fmt::format("{}: {}", module_text(module), what));
}

void Turtle::warn_at(Place place, std::string what, std::string hint) {
  if (++warning_count_ > warning_limit) return;
  growth_.warnings.push_back(
      diagnostic_in(program_.source, place, std::move(what), std::move(hint)));
  growth_.warnings.back().severity = Severity::warning;
}

double Turtle::number(const ModuleSeen& module, int index, double otherwise) const {
  return index < program_.kinds[module.kind].arity ? module.parameters[index] : otherwise;
}

Origin Turtle::origin(const ModuleSeen& module) const {
  return {.module = static_cast<Index>(index_),
          .rule = module.birth.rule,
          .step = module.birth.step,
          .symbol = program_.kinds[module.kind].name[0]};
}

Quat Turtle::world_from_turtle() const {
  return quat_from_columns(-state_.left, state_.heading, state_.up);
}

}  // namespace thigmo
