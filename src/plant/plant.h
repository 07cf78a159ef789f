#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "base/index.h"
#include "base/result.h"
#include "material/material.h"
#include "material/section.h"
#include "math/rotation.h"

namespace thigmo {

enum class OrganKind : std::uint8_t { stem, leaf, flower, fruit, bud, root };

// Which module of a grammar made a thing, for explaining and picking. All -1 for plants that no
// grammar made.
struct Origin {
  Index module = no_index;  // position in the derived string, counted in modules
  Index rule = no_index;    // production, in file order; -1: axiom
  Index step = no_index;    // derivation step that wrote the module; 0: axiom
  char symbol = 0;          // first character of the module's name
};

// What a cross-section that is not round is: flat rods and test beams are rectangles; petioles and culms
// may be ellipses.
enum class Outline : std::uint8_t { rectangle, ellipse };

// The sides of a rectangle, or the diameters of an ellipse.
struct Rectangle {
  double width = 0;   // along the segment's x [m]
  double height = 0;  // along the segment's z [m]
};

// Masses and springs that were stated outright instead of following from shape and material, as the
// articulated-body strings of LSDL do. Everything in the segment's frame.
struct GivenBody {
  double mass = 0;       // [kg]
  Vec3 center;           // of mass, from the segment's base [m]
  Sym3 inertia;          // about the segment's base [kg m²]
  Vec3 joint_stiffness;  // about x, y, z of the segment [N m/rad]; 0: it turns freely
  Vec3 joint_coupling;   // K_xy, K_xz, K_yz: bending that twists, and bends the other way [N m/rad]
  Vec3 start_angles;     // rotation vector of the joint at the start, away from rest [rad]
  std::optional<double> joint_damping = {};  // damper over spring [s]; none: as the material damps
};

// A straight piece of stem. Its frame: origin at its base, y along it, x and z across it
// (x = -left, z = up of the turtle that drew it).
struct Segment {
  Index parent = no_index;  // smaller than the own index; -1: a root
  OrganKind kind = OrganKind::stem;
  Outline outline = Outline::rectangle;  // where it has a height
  bool cut_base = false,
       cut_tip = false;      // it was cut from what was there: a flat face of bare wood
  Vec3 base_in_parent;       // where it starts, in the frame of its parent, or of the plant [m]
  Quat parent_from_segment;  // rest rotation (of a root plant_from_segment)
  double length = 0;         // [m]
  double radius_base = 0;    // [m]; of a flat section, half its width
  double radius_tip = 0;     // [m]
  double height_base = 0;    // of a flat section, along z [m]; 0 at both ends: a disc
  double height_tip = 0;     // [m]
  double hollow = 0;         // inner over outer radius of a round or elliptic tube [-]
  Index axis = 0;            // the run of segments of one branch that it belongs to
  Index order = 0;           // branching order: 0 trunk, 1 its branches, …
  Index material = 0;        // into Plant::materials
  Index colour = 0;          // the turtle's colour index
  float joint_factor = 1;    // stiffness of the joint at its base relative to the beam's [-]
  Index given = no_index;    // into Plant::given_bodies; -1: shape and material decide
  Origin origin;
};

// Not round: a rectangle or an ellipse.
bool is_flat(const Segment& segment);
bool is_rectangle(const Segment& segment);
void set_rectangle(const Rectangle& base, const Rectangle& tip, Segment& segment);
// Whether what starts there in the frame of a segment goes on from its tip.
bool stands_on_tip(const Segment& segment, const Vec3& base_in_segment);
// A truncated cone, or a bar whose sides change linearly, without its hollow [m³].
double stem_volume(const Segment& segment);
// Sides change linearly along the segment. Round ones have no height.
Rectangle rectangle_at(const Segment& segment, double fraction);
// The section of a segment where it has these sides.
Section section_of(const Segment& segment, const Rectangle& sides);
Section section_at(const Segment& segment, double fraction);

// A leaf, flower, fruit or bud: rigidly fixed to a segment. Its frame: origin at its base, y along
// it, z out of its upper face. A tree has more of them than of anything else, so they are small: in
// single precision a leaf on a branch of a metre is off by 0.1 µm.
struct Organ {
  Index segment = no_index;    // what it sits on
  Vec3T<float> base = {};      // in the segment's frame [m]
  QuatT<float> rotation = {};  // segment_from_organ
  float length = 0;            // [m]
  float width = 0;             // [m]
  float mass = 0;              // [kg]
  float drag_area = 0;         // one-sided area seen by the wind [m²]
  Index colour = 0;
  std::int16_t shape = 0;  // which outline: grammar's predefined organ number
  OrganKind kind = OrganKind::leaf;
};

// The outlines of narrow leaves, whose veins run along them and which grammars draw piece by piece along
// a midrib; the places of both in the grammar's table of predefined organs.
inline constexpr std::int16_t needle_shape = 4, blade_shape = 5;
bool is_narrow_leaf(const Organ& organ);

void set_place(const Vec3& base_in_segment, const Quat& segment_from_organ, Organ& organ);
Vec3 base_in_segment(const Organ& organ);
Quat segment_from_organ(const Organ& organ);

// How the damping ratios of a plant's materials become dampers.
enum class DampingLaw {
  constant,   // every axis has it at its own frequency: nearly the same ratio in all modes
  stiffness,  // in proportion to stiffness: the ratio grows with the frequency
  rayleigh,   // in proportion to mass and to stiffness, with given ratios at two frequencies
};
struct Damping {
  DampingLaw law = DampingLaw::constant;
  double mass_rate = 0;  // damping force per momentum, besides the law's [1/s]
  // Of Rayleigh's: two frequencies, the lower first [Hz], and the ratios there; none: the materials'.
  std::array<double, 2> frequencies = {};
  std::optional<std::array<double, 2>> ratios = {};
};

// A plant at rest, in a frame of its own: where that stands in the world is no matter of the plant's.
// Segments stand depth first, so that a subtree is a contiguous range and parents come before their children.
struct Plant {
  std::string name;
  std::vector<Material> materials;  // never empty
  std::vector<Segment> segments;
  std::vector<Organ> organs;  // sorted by segment
  std::vector<GivenBody> given_bodies = {};
  Damping damping = {};
  // The ground gives way by a turn of torque / this at every root; infinite: a clamp [N m/rad].
  double root_stiffness = std::numeric_limits<double>::infinity();
  // Where segments were cut into pieces: the last piece of each, as they were counted before.
  std::vector<Index> whole_ends = {};
};

// Where a plant's own frame is in the world: a point p of the plant is at origin + R p.
struct PlantFrame {
  Vec3 origin_world;      // [m]
  Quat world_from_plant;  // R
};

// The pose of every segment's frame in the world, and of the plant's.
struct Pose {
  std::vector<Vec3> base_world;  // [m]
  std::vector<Quat> world_from_segment;
  PlantFrame root = {};
};

struct Box {
  Vec3 min, max;
};

Index segment_count(const Plant& plant);

inline const Segment& segment_at(const Plant& plant, Index i) { return at(plant.segments, i); }

// Number of segments in each subtree, itself included.
std::vector<Index> subtree_sizes(const Plant& plant);

// Puts the origin of the plant's frame where its first segment starts; where that was.
Vec3 move_origin_to_root(Plant& plant);

// The pose in which every joint is at rest.
Pose rest_pose(const Plant& plant, const PlantFrame& stands = {});

// World position of a point on a segment, `fraction` 0 at its base, 1 at its tip.
Vec3 point_on_segment(const Plant& plant, const Pose& pose, Index segment, double fraction);

// Around both ends of every segment; at the origin for an empty plant.
Box bounding_box(const Plant& plant, const Pose& pose);

// Where the axis of a segment goes on: in the child of the same axis, else in the one with the largest
// subtree; -1 at a tip.
Index next_on_axis(const Plant& plant, const std::vector<Index>& subtree_sizes, Index segment);

// The main axis: from the first root to a tip, as next_on_axis says.
std::vector<Index> main_axis(const Plant& plant);

// The point at `fraction` of the main axis' length: which segment, and the fraction on it.
struct AxisPoint {
  Index segment = 0;
  double fraction = 1;
};
AxisPoint point_on_main_axis(const Plant& plant, double fraction);

// Whether the structure keeps its promises: parents first, contiguous subtrees, finite and positive sizes,
// unit rotations, organs in order. For tests and for readers of foreign files.
Result<Done> check_structure(const Plant& plant);

}  // namespace thigmo
