#pragma once

#include "base/result.h"
#include "grammar/rewrite/module_string.h"
#include "grammar/rewrite/options.h"
#include "grammar/turtle/growth.h"

namespace thigmo {

// Articulated-body strings (LSDL): bodies and joints in a row, branches in brackets, so that every
// way from the base to a tip reads B(JB)*.
//
//   B(mass, cx,cy,cz, ox,oy,oz, ixx,iyy,izz)
//     mass [kg]; from the inboard joint to the centre of mass, in the joint's frame [m]; from there
//     to the outboard joints [m]; moments of inertia about the inboard joint [kg m²]
//   J(rx,ry,rz, ax,ay,az, kx,ky,kz)  or  J(rx,ry,rz, ax,ay,az, kx,ky,kz, kxy,kxz,kyz)
//     rest angles, angles at the start relative to rest [rad]; springs [N m/rad], 0 where it turns freely,
//     and what couples them; one number more is the damper over the springs [s], else the material damps
//   B and J alone
//     a rod of 1 kg, 1 m and 5 cm in radius; a straight joint with springs of 100 N m/rad
//
// Axes: x right, y along (the heading), z up. A rotation by three angles is Rx(a) Ry(b) Rz(c), as
// three revolute joints in a row. The first body is the base; it does not move and becomes no
// segment. The springs act about the axes of the segment, which are those of the joint's frame where
// the body lies along y. Other modules are allowed everywhere and mean nothing.
Result<Growth> interpret_articulated(const ModuleString& string, const GrowOptions& options);

// The source of a file that holds nothing but such a string.
Source articulated_source(std::string_view file, std::string_view text);

}  // namespace thigmo
