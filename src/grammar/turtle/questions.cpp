#include "grammar/turtle/questions.h"

namespace thigmo {

// Answers go to modules of the string itself; what a homomorphism draws is not rewritten again.
void ask(Turtle& turtle, Action action, const Module& module) {
  const int arity = turtle.program.kinds[module.kind].arity;
  if (module.parameters != turtle.drawn.parameters || arity == 0) return;
  const auto parameter =
      static_cast<std::size_t>(module.parameters - turtle.string.parameters.data());
  const Pen& pen = turtle.pen;
  if (action == Action::ask_environment) {
    turtle.questions.queries.push_back({parameter,
                                        arity,
                                        {.position_world = pen.position,
                                         .heading_world = pen.heading,
                                         .left_world = pen.left,
                                         .up_world = pen.up,
                                         .segment = pen.segment,
                                         .values = {}}});
    return;
  }
  const Vec3& v = action == Action::ask_position  ? pen.position
                  : action == Action::ask_heading ? pen.heading
                  : action == Action::ask_left    ? pen.left
                                                  : pen.up;
  turtle.questions.answers.push_back({parameter, std::min(arity, 3), {v.x, v.y, v.z}});
}

namespace {

// The environment that the caller gives, or the one that the model names; null: nobody answers.
std::shared_ptr<Environment> environment_of(const Program& program, const GrowOptions& options) {
  if (options.environment != nullptr) return options.environment;
  const EnvironmentChoice& choice = program.environment;
  if (choice.name == "light") {
    return choice.size > 0 ? light_from_above(choice.size) : light_from_above();
  }
  if (choice.name == "space") return choice.size > 0 ? free_space(choice.size) : free_space();
  return nullptr;
}

}  // namespace

void answer(const Questions& questions, const GrowOptions& options, const Plant& plant,
            ModuleString& string) {
  for (const Questions::Answer& given : questions.answers) {
    std::copy_n(given.values.begin(), given.count, string.parameters.data() + given.parameter);
  }
  if (questions.queries.empty()) return;
  const std::shared_ptr<Environment> environment = environment_of(*string.program, options);
  if (environment == nullptr) return;  // the parameters stay as they are
  std::vector<EnvironmentQuery> queries;
  for (const Questions::Query& asked : questions.queries) {
    queries.push_back(asked.query);
    queries.back().values = {string.parameters.data() + asked.parameter,
                             static_cast<std::size_t>(asked.count)};
  }
  environment->answer(plant, queries);
}

}  // namespace thigmo
