#include "grammar/rules/read_material.h"

#include <fmt/format.h>

#include "base/text.h"
#include "grammar/rules/expressions.h"
#include "material/species.h"

namespace thigmo {

namespace {

// What a "material:" line says so far.
struct MaterialLine {
  Material material;
  StemShape shape;
  double shear = 0;      // [Pa]; its part of Young's modulus, which may come later
  std::string shear_by;  // the word that said how it twists
};

struct Property {
  const char* word;
  double* (*place)(MaterialLine& line);
};
constexpr Property properties[] = {
    {"density", [](MaterialLine& line) { return &line.material.density; }},
    {"young", [](MaterialLine& line) { return &line.material.young; }},
    {"poisson", [](MaterialLine& line) { return &line.material.poisson; }},
    {"shear", [](MaterialLine& line) { return &line.shear; }},
    {"shear_ratio", [](MaterialLine& line) { return &line.material.shear_ratio; }},
    {"damping", [](MaterialLine& line) { return &line.material.damping_ratio; }},
    {"strength", [](MaterialLine& line) { return &line.material.strength; }},
    {"hollow", [](MaterialLine& line) { return &line.shape.hollow; }},
    {"flatness", [](MaterialLine& line) { return &line.shape.flatness; }}};

double* property(std::string_view word, MaterialLine& line) {
  for (const Property& p : properties) {
    if (p.word == word) return p.place(line);
  }
  return nullptr;
}

// Refuses a value that a property cannot have.
Result<Done> check_property(std::string_view word, double value, const MaterialLine& line) {
  if (!(value >= 0)) return error("this cannot be negative");
  if (value == 0 && word != "damping" && word != "hollow") return error("this must be positive");
  if (word == "poisson" && value >= 0.5) return error("Poisson's ratio is below 0.5");
  return check_shape(line.shape);
}

}  // namespace

Result<Done> read_material(Compiler& c, Cursor& rest, std::size_t at) {
  MaterialLine line;
  line.material = generic_wood(fmt::format("material {}", c.program.materials.size() + 1));
  while (!rest.at_end()) {
    const std::size_t begin = rest.position;
    std::size_t length = 0;
    while (is_name_part(rest.peek(length))) ++length;
    const std::string word = text_of(c).substr(begin, length);
    rest.position += length;
    if (double* const value = property(word, line)) {
      const Result<double> read = read_constant(c.writer, rest);
      if (!read) return read.diagnostics();
      *value = *read;
      const Result<Done> checked = check_property(word, *value, line);
      if (!checked) return fault(c, begin, checked.diagnostics()[0].message);
      if (word == "poisson" || word == "shear" || word == "shear_ratio") {
        if (!line.shear_by.empty()) {
          return fault(c, begin, fmt::format("'{}' has said how it twists already", line.shear_by),
                       "give one of poisson, shear and shear_ratio");
        }
        line.shear_by = word;
        if (word == "poisson") line.material.shear_ratio = 0;
      }
    } else if (const Species* species = find_species(word)) {
      line.material = material_from(*species);
    } else {
      std::vector<std::string> known;
      for (const Property& p : properties) known.emplace_back(p.word);
      for (const Species& s : all_species()) known.emplace_back(s.name);
      const std::string near = closest_word(word, known);
      return fault(c, begin, fmt::format("'{}' is neither a species nor a property", word),
                   near.empty() ? "material: oak, density 950, young 6e9"
                                : fmt::format("did you mean '{}'?", near));
    }
    rest.take(",");
  }
  if (line.shear > 0) line.material.shear_ratio = line.shear / line.material.young;
  if (c.program.materials.size() == 1000) return fault(c, at, "there are at most 1000 materials");
  c.program.materials.push_back(std::move(line.material));
  c.program.shapes.push_back(line.shape);
  return Done{};
}

}  // namespace thigmo
