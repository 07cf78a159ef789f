#!/usr/bin/env python3
"""Loads libthigmo_c.so as another language would, with nothing but the names and layouts of thigmo/c.h, and bends a rod.

usage: tests/capi/from_python.py LIBRARY
"""
import ctypes as c
import math
import sys

lib = c.CDLL(sys.argv[1])


class Vec3(c.Structure):
    _fields_ = [("x", c.c_double), ("y", c.c_double), ("z", c.c_double)]


class Rod(c.Structure):
    _fields_ = [("segments", c.c_int32), ("stands_as_modelled", c.c_int32), ("length", c.c_double),
                ("radius_base", c.c_double), ("radius_tip", c.c_double), ("direction", Vec3),
                ("position", Vec3), ("species", c.c_char_p), ("density", c.c_double),
                ("young", c.c_double), ("damping_ratio", c.c_double),
                ("particles", c.c_void_p)]


class Plant(c.Structure):
    _fields_ = [("slot", c.c_uint32), ("generation", c.c_uint32)]


lib.thigmo_default_rod.restype = Rod
lib.thigmo_error_message.restype = c.c_char_p
lib.thigmo_world_create.argtypes = [c.c_void_p]
lib.thigmo_world_add_rod.argtypes = [c.c_void_p, c.POINTER(Rod), c.POINTER(Plant)]
lib.thigmo_world_step.argtypes = [c.c_void_p, c.c_double, c.c_int32]
lib.thigmo_world_first_frequency.argtypes = [c.c_void_p, Plant, c.POINTER(c.c_double)]
lib.thigmo_world_transforms.argtypes = [c.c_void_p, Plant, c.c_int32, c.c_void_p, c.c_size_t, c.c_void_p]
lib.thigmo_world_free.argtypes = [c.c_void_p]


def must(code):
    if code:
        sys.exit(lib.thigmo_error_message().decode())


world = c.c_void_p()
must(lib.thigmo_world_create(c.byref(world)))
rod = lib.thigmo_default_rod()
rod.direction = Vec3(1, 0, 0)
rod.young, rod.density, rod.damping_ratio = 5e9, 500, 0.1
plant = Plant()
must(lib.thigmo_world_add_rod(world, c.byref(rod), c.byref(plant)))

# Clamped Euler-Bernoulli beam; 20 segments are right to 0.5 %.
frequency = c.c_double()
must(lib.thigmo_world_first_frequency(world, plant, c.byref(frequency)))
beam = 1.875104**2 / (2 * math.pi) * math.sqrt(5e9 * 1e-4 / (4 * 500))
assert abs(frequency.value / beam - 1) < 5e-3, (frequency.value, beam)

for _ in range(300):
    must(lib.thigmo_world_step(world, 1 / 60, 1))
places = (c.c_double * (7 * rod.segments))()
must(lib.thigmo_world_transforms(world, plant, 0, places, len(places), None))
# Sag of a cantilever under its own weight, q x^2 (6 L^2 - 4 L x + x^2) / (24 E I), at the last segment's base.
x, weight, stiffness = 0.95, 500 * math.pi * 1e-4 * 9.81, 5e9 * math.pi / 4 * 1e-8
sag = weight * x * x * (6 - 4 * x + x * x) / (24 * stiffness)
assert abs(-places[7 * 19 + 1] / sag - 1) < 0.01, (places[7 * 19 + 1], sag)

must(lib.thigmo_world_free(world))
assert lib.thigmo_world_free(world) == 3, "a freed world is stale"
assert b"no such world" in lib.thigmo_error_message()
print(f"{frequency.value:.3f} Hz, sags by {-places[7 * 19 + 1] * 1e3:.2f} mm")
