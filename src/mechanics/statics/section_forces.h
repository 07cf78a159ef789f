#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "mechanics/kinematics/state.h"
#include "mechanics/model/loads.h"
#include "mechanics/model/mechanism.h"

namespace thigmo {

// What a cross-section carries, in the segment's frame: y along it, x and z across.
struct SectionForce {
  Vec3 force;         // of what is beyond on what is before: y is tension, x and z are shear [N]
  Vec3 moment;        // x and z bend, y twists [N m]
  double stress = 0;  // extreme fibre, of tension or pressure and bending [Pa]
  double shear = 0;   // extreme, of twisting [Pa]
};

// A segment's forces at both ends, and the worse of them.
struct SegmentForces {
  SectionForce base, tip;
  double stress = 0;  // [Pa]
  double safety = 0;  // the material's strength over it; infinite without stress
};

// For a plant at rest in this pose: air and motion are left out.
std::vector<SegmentForces> section_forces(const Plant& plant, const Mechanism& mechanism,
                                          const Loads& loads, const Pose& pose);

// Rotation of the cross-section at `fraction` of a segment. The joints hold all bending, so that a
// segment's frame is that of its middle; towards its ends the section turns on to halfway between
// it and the segment that continues the beam, or, at a free end or behind a fork, by what the
// moment there bends and twists the half, added to `curvature`, the stem's own [rad/m].
Quat section_rotation(const Plant& plant, const std::vector<SegmentForces>& forces,
                      const Pose& pose, Index segment, double fraction, const Vec3& curvature = {});

// What a moment at `fraction` of a segment that carries no others turns the section there by, against
// the segment's middle, per moment [rad/(N m)]. Zero in other segments: joints hold their ends.
Vec3 end_flexibility(const Plant& plant, Index segment, double fraction);

// A follower load that turns with the section where it acts, as one that turns with its segment's
// middle: they differ by what its own moment bends and twists between them.
PointLoad seen_from_middle(const PointLoad& in_section, const Vec3& end_flexibility);

// Two rows a segment, for its base and its tip; the head line stands alone, so that plants can follow
// each other in one table.
std::string section_forces_head();
std::string section_forces_csv(std::string_view plant, const std::vector<SegmentForces>& forces);

}  // namespace thigmo
