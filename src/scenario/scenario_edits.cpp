#include "scenario/scenario_edits.h"

#include <fmt/format.h>

#include "scenario/scenario_points.h"

namespace thigmo {
namespace {

// The keys that all of them have.
EditSource read_edit(TomlReader& reader, const std::string& name, BareSegment bare,
                     Scenario& scenario, TomlSource& source) {
  EditSource edit{.place = reader.place_of_table()};
  edit.place.message = fmt::format("[[{}]]", name);
  edit.plant = read_plant_name(reader, scenario, name);
  if (reader.has("at")) edit.at = read_place(reader, source, bare);
  if (const auto time = reader.number("time", Range::not_negative)) {
    edit.time = *time;
    // What comes nearer to the end than to the last step's begin finds no step to begin with.
    if (*time >= scenario.duration - 0.5 * scenario.step) {
      Diagnostic late = warning(
          fmt::format("the [[{}]] at {:g} s is not made: the run is over by then", name, *time),
          "give a longer 'duration' or an earlier 'time'");
      late.file = edit.place.file;
      late.line = edit.place.line;
      late.column = edit.place.column;
      scenario.notes.push_back(std::move(late));
    }
  } else if (!reader.has("time")) {
    reader.complain_missing("time", "when it is made [s]");
  }
  return edit;
}

void demand_place(TomlReader& reader, const EditSource& edit, std::string_view hint) {
  if (!edit.at && !reader.has("at")) reader.complain_missing("at", std::string(hint));
}

double read_factor(TomlReader& reader, const char* key) {
  return reader.number(key, Range::positive).value_or(1);
}

// scion = { plant = "tree", segment = 12 }
GraftSource read_graft(TomlReader& reader, const Scenario& scenario, TomlSource& source) {
  GraftSource graft;
  if (auto value = reader.truth("as_before")) graft.as_before = *value;
  if (auto value = reader.truth("carry")) graft.carry = *value;
  graft.part_of_it.kind = PointOnPlant::Kind::segment;
  graft.part_of_it.along = 0;
  if (const toml::table* table = reader.table("scion")) {
    TomlReader scion(*table, "'scion'", source);
    graft.part_of_it.place = scion.place_of_table();
    graft.scion = read_plant_name(scion, scenario, "scion");
    if (const auto segment = scion.integer("segment", 0, most_segments - 1))
      graft.part_of_it.number = static_cast<Index>(*segment);
    scion.finish();
  } else if (!reader.has("scion")) {
    reader.complain_missing("scion",
                            "the plant to be grafted: scion = { plant = \"tree\", segment = 12 }");
  }
  return graft;
}

ChangeSource read_change(TomlReader& reader) {
  ChangeSource change{.stiffness = read_factor(reader, "stiffness"),
                      .mass = read_factor(reader, "mass")};
  if (auto value = reader.number("damping", Range::not_negative)) change.damping = *value;
  if (auto value = reader.number("creep", Range::not_negative)) {
    change.creep = *value;
    if (*value > 1) reader.complain_at_key("creep", "'creep' lies between 0 and 1");
  }
  if (!reader.has("stiffness") && !reader.has("mass") && !reader.has("damping") &&
      !reader.has("creep")) {
    reader.complain(nullptr, "a [[change]] must say what changes",
                    "stiffness = 0.5, or 'mass', 'damping', 'creep'");
  }
  return change;
}

}  // namespace

void read_edits(TomlReader& reader, TomlSource& source, Scenario& scenario) {
  using enum BareSegment;
  const auto each = [&](const char* name, BareSegment bare, const auto& read_rest) {
    for (const toml::table* table : reader.tables(name)) {
      TomlReader edit_reader(*table, fmt::format("[[{}]]", name), source);
      EditSource edit = read_edit(edit_reader, name, bare, scenario, source);
      read_rest(edit_reader, edit);
      edit_reader.finish();
      scenario.edits.push_back(std::move(edit));
    }
  };
  each("cut", base, [](TomlReader& r, EditSource& edit) {
    edit.what = CutSource{};
    demand_place(r, edit, "where it is cut: at = { segment = 3, along = 0.4 }");
    if (edit.at && edit.at->kind == PointOnPlant::Kind::tip)
      r.complain_at_key("at", "there is nothing to cut off at the tip", "at = 0.5");
  });
  each("remove", base, [](TomlReader&, EditSource& edit) { edit.what = RemoveSource{}; });
  each("graft", far_end,
       [&](TomlReader& r, EditSource& edit) { edit.what = read_graft(r, scenario, source); });
  each("change", base, [](TomlReader& r, EditSource& edit) { edit.what = read_change(r); });
  each("thicken", base, [](TomlReader& r, EditSource& edit) {
    edit.what = ThickenSource{read_factor(r, "factor")};
    if (!r.has("factor")) r.complain_missing("factor", "of the radii: factor = 1.1");
  });
  each("extend", far_end, [](TomlReader& r, EditSource& edit) {
    edit.what = ExtendSource{r.number("by", Range::positive).value_or(0)};
    if (!r.has("by")) r.complain_missing("by", "how much longer [m]");
    demand_place(r, edit, "the segment: at = \"tip\"");
  });
}

}  // namespace thigmo
