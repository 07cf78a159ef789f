#include <algorithm>
#include <array>

#include "material/species.h"

namespace thigmo {

namespace {

// Sources
//
// ForestGALES: the species parameters of Forest Research's model of wind risk, as distributed with
//   NorForestGALES (M. Merlin), by species code: density of the green stem, modulus of elasticity
//   and modulus of rupture of green wood. Copied in tests/data/forestgales_species.tsv.
// Wood Handbook: Forest Products Laboratory 2021, FPL-GTR-282. Table 4-1: moisture content of green
//   wood; table 5-1: elastic ratios; table 5-3a: green specific gravity, modulus of rupture and
//   modulus of elasticity. The density is specific gravity × 1000 kg/m³ × (1 + moisture content),
//   with the mean moisture content of heartwood and sapwood. Table 4-1 gives cherry's heartwood only,
//   and no willow: aspen, of the same family, stands in.
// Moore and Maguire 2004, Trees 18:195-203: the internal damping ratio of conifers is typically below
//   0.05 and does not depend on the diameter. We take that bound, for broadleaves too: what else
//   damps a tree (drag, branches) is simulated and not part of the material.
//
// The shear modulus over Young's is G_LT/E_L of the same wood or of its nearest relative in table 5-1,
// which the row names. In a stem the rings lie around the axis: twisting it shears the wood along the
// grain and around the rings, so that of the Handbook's two moduli along the grain G_LT alone counts. It
// is measured in dry wood; green wood is softer in both moduli. White oak has no G_LT there: red oak
// stands in for the oaks, and for beech of the same family; eastern cottonwood for aspen and willow.
//
// The table's E_L is that of axial tests, which its note puts 10 % above those of bending in table 5-3. The
// moduli here are of bending, so that G is 10 % below the Handbook's; wood itself varies by more.
//
// What was compared, and with what: all ForestGALES rows with the copy of the table; green gravity,
// rupture and elasticity of the six Handbook woods with a transcription of table 5-3b (inch-pound, from
// which 5-3a was made), those of ash, cherry, maple and yellow-poplar with one of 5-3a too; the moisture of
// ash, aspen and cherry with the printed table 4-1, and of all but aspen with two transcriptions of it; the
// damping with the paper's abstract. Table 5-1 itself was not at hand. Transcriptions that name it have the
// same numbers for yellow birch, red oak, sugar maple, yellow-poplar, white ash, eastern cottonwood,
// Douglas-fir and Sitka spruce, others for Engelmann spruce and red pine; one gives of subalpine fir only the
// mean of G_LR and G_LT, 0.064, which fits. None was found of black cherry, western hemlock, western larch,
// lodgepole and loblolly pine: these five were written down from memory, three times alike.
constexpr double internal_damping = 0.05;

// string_view can only point at one literal, and literals can only be joined by the preprocessor.
#define DAMPING "; damping: Moore and Maguire 2004"
#define FORESTGALES(code, relative)               \
  "density, modulus, strength: ForestGALES " code \
  "; shear: Wood Handbook FPL-GTR-282 table 5-1, " relative DAMPING
#define WOOD_HANDBOOK_RELATIVE(density, relative)                 \
  density                                                         \
      "; modulus, strength: Wood Handbook FPL-GTR-282 table 5-3a" \
      "; shear: Wood Handbook FPL-GTR-282 table 5-1, " relative DAMPING
#define WOOD_HANDBOOK \
  "density, modulus, strength, shear: Wood Handbook FPL-GTR-282 tables 4-1, 5-1, 5-3a" DAMPING

// name, common name, density [kg/m³], Young's modulus [Pa], G/E [-], damping ratio [-],
// modulus of rupture [Pa], source
constexpr std::array<Species, 24> species_table{{
    {"balsam_fir", "balsam fir", 616, 7.79e9, 0.058, internal_damping, 36.5e6,
     FORESTGALES("BF", "subalpine fir")},
    {"beech", "European beech", 1158, 9.80e9, 0.081, internal_damping, 65e6,
     FORESTGALES("BE", "red oak")},
    {"birch", "silver and downy birch", 900, 9.90e9, 0.068, internal_damping, 63e6,
     FORESTGALES("BI", "yellow birch")},
    {"black_cherry", "black cherry", 743, 9.00e9, 0.097, internal_damping, 55e6,
     WOOD_HANDBOOK_RELATIVE("density: Wood Handbook FPL-GTR-282 tables 4-1 (heartwood), 5-3a",
                            "black cherry")},
    {"black_spruce", "black spruce", 850, 9.10e9, 0.120, internal_damping, 40.5e6,
     FORESTGALES("BS", "Engelmann spruce")},
    {"black_willow", "black willow", 734, 5.40e9, 0.052, internal_damping, 33e6,
     WOOD_HANDBOOK_RELATIVE("density: Wood Handbook FPL-GTR-282 tables 4-1 (aspen), 5-3a",
                            "eastern cottonwood")},
    {"corsican_pine", "Corsican pine", 850, 7.00e9, 0.081, internal_damping, 41e6,
     FORESTGALES("CP", "red pine")},
    {"douglas_fir", "Douglas fir", 850, 8.30e9, 0.078, internal_damping, 53e6,
     FORESTGALES("DF", "Douglas-fir")},
    {"european_larch", "European larch", 850, 7.90e9, 0.069, internal_damping, 53e6,
     FORESTGALES("EL", "western larch")},
    {"grand_fir", "grand fir", 850, 5.70e9, 0.058, internal_damping, 34e6,
     FORESTGALES("GF", "subalpine fir")},
    {"jack_pine", "jack pine", 850, 8.07e9, 0.046, internal_damping, 43.5e6,
     FORESTGALES("JP", "lodgepole pine")},
    {"lodgepole_pine", "lodgepole pine", 850, 6.40e9, 0.046, internal_damping, 41e6,
     FORESTGALES("LP", "lodgepole pine")},
    {"maritime_pine", "maritime pine", 903.4, 6.60e9, 0.081, internal_damping, 36e6,
     FORESTGALES("MP", "red pine")},
    {"norway_spruce", "Norway spruce", 850, 6.30e9, 0.061, internal_damping, 36e6,
     FORESTGALES("NS", "Sitka spruce")},
    {"oak", "pedunculate and sessile oak", 1158, 8.30e9, 0.081, internal_damping, 59e6,
     FORESTGALES("OK", "red oak")},
    {"quaking_aspen", "quaking aspen", 714, 5.90e9, 0.052, internal_damping, 35e6,
     WOOD_HANDBOOK_RELATIVE("density: Wood Handbook FPL-GTR-282 tables 4-1, 5-3a",
                            "eastern cottonwood")},
    {"radiata_pine", "radiata pine", 1002, 6.80e9, 0.081, internal_damping, 32e6,
     FORESTGALES("RP", "loblolly pine")},
    {"scots_pine", "Scots pine", 850, 7.30e9, 0.081, internal_damping, 46e6,
     FORESTGALES("SP", "red pine")},
    {"sitka_spruce", "Sitka spruce", 850, 5.90e9, 0.061, internal_damping, 34e6,
     FORESTGALES("SS", "Sitka spruce")},
    {"sugar_maple", "sugar maple", 944, 10.70e9, 0.063, internal_damping, 65e6, WOOD_HANDBOOK},
    {"western_hemlock", "western hemlock", 850, 8.90e9, 0.032, internal_damping, 41e6,
     FORESTGALES("WH", "western hemlock")},
    {"white_ash", "white ash", 798, 9.90e9, 0.077, internal_damping, 66e6, WOOD_HANDBOOK},
    {"white_spruce", "white spruce", 850, 1.00e10, 0.120, internal_damping, 35.2e6,
     FORESTGALES("WS", "Engelmann spruce")},
    {"yellow_poplar", "yellow poplar", 778, 8.40e9, 0.069, internal_damping, 41e6, WOOD_HANDBOOK},
}};

#undef WOOD_HANDBOOK
#undef WOOD_HANDBOOK_RELATIVE
#undef FORESTGALES
#undef DAMPING

}  // namespace

std::span<const Species> all_species() { return species_table; }

const Species* find_species(std::string_view name) {
  const auto found = std::find_if(species_table.begin(), species_table.end(),
                                  [name](const Species& s) { return s.name == name; });
  return found == species_table.end() ? nullptr : &*found;
}

Material material_from(const Species& species) {
  return {.name = std::string(species.name),
          .density = species.density,
          .young = species.young,
          .shear_ratio = species.shear_ratio,
          .damping_ratio = species.damping_ratio,
          .strength = species.strength};
}

}  // namespace thigmo
