#ifndef THIGMO_C_H
#define THIGMO_C_H

/* thigmo for C and for every language that can call C: plants that move, and that can be changed between any
 * two steps. docs/c.md begins with an example.
 *
 * Units and frames: SI units, angles in radians; the world frame with y up, unless said otherwise. A segment's
 * frame has its origin at the segment's base and y along it.
 *
 * Errors: what returns a thigmo_code has done nothing and written nothing where it returns another one than
 * THIGMO_OK. Why is told by thigmo_error_message and thigmo_error_get. Null pointers, names of things that are
 * gone, handles that were freed, numbers that are none and calls from a second thread are errors, too.
 *
 * Memory: what an argument points to is read or written during the call alone. Lists are written to the caller's
 * memory: `room` says for how many there is space, `count` gets how many there are. With a null `to` they are only
 * counted; either of `to` and `count` may be null. Pointers in structures that thigmo fills belong to thigmo; how
 * long they are good stands with each structure.
 *
 * Threads: a world or a surface is called by one thread at a time, a second one gets THIGMO_BUSY. Different ones may be
 * called at the same time, and so may a plant that is in no world.
 *
 * Flags are whole numbers: 0 is no, all others are yes. Handles and ids that are all zeros name nothing. */

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define THIGMO_API __attribute__((visibility("default")))
#else
#define THIGMO_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* NOLINTBEGIN(readability-identifier-naming, modernize-use-using) */

/* ---- The library ---- */

/* Grows whenever a structure or a function of this header changes so that programs must be compiled again. */
#define THIGMO_ABI 1

/* THIGMO_ABI of the library that is running. */
THIGMO_API int32_t thigmo_abi(void);

/* "0.1.0" */
THIGMO_API const char* thigmo_version(void);

/* ---- Errors ---- */

typedef enum thigmo_code {
  THIGMO_OK = 0,
  THIGMO_BAD_INPUT = 1,    /* a text, a file or a request says what cannot be */
  THIGMO_BAD_ARGUMENT = 2, /* a null pointer, or a number or a name that makes no sense */
  THIGMO_STALE = 3,        /* a handle or an id whose thing is gone, or never was */
  THIGMO_NO_MEMORY = 4,
  THIGMO_BUSY = 5,      /* another thread is in a call on the same thing */
  THIGMO_NO_MOTION = 6, /* it could not be continued */
  THIGMO_NO_ROOM = 7,   /* the caller's memory is too small; `count` says how much is needed */
  THIGMO_UNEXPECTED = 8 /* an error of thigmo, or an exception from the caller's job system */
} thigmo_code;

typedef enum thigmo_severity {
  THIGMO_ERROR = 0,   /* there is no result */
  THIGMO_WARNING = 1, /* there is one, and it may not be what was meant */
  THIGMO_NOTE = 2     /* what was completed, left out or given up */
} thigmo_severity;

/* One thing that is said, where it belongs, and what to do about it. Texts are empty, never null. */
typedef struct thigmo_diagnostic {
  int32_t severity; /* a thigmo_severity */
  int32_t code;     /* a thigmo_code */
  const char* message;
  const char* file;        /* as the caller named it; empty: no file is meant */
  int32_t line;            /* from 1; 0: the whole file is meant */
  int32_t column;          /* from 1, in bytes; 0: the whole line is meant */
  const char* source_line; /* a window of that line's text around the column */
  int32_t source_start;    /* where in the line the window begins, in bytes */
  const char* hint;        /* what to do */
} thigmo_diagnostic;

/* About the last call of this thread that did not return THIGMO_OK; calls that succeed leave it as it is. Texts are
 * good until the next call of this thread fails. */

/* Ready to print: "file:line:column: error: message", the line, a caret, a hint. */
THIGMO_API const char* thigmo_error_message(void);
/* Of how many diagnostics it is made: a grammar may have several errors. */
THIGMO_API size_t thigmo_error_count(void);
/* One of them, from 0. These three functions leave the errors as they are, also where they are misused. */
THIGMO_API thigmo_code thigmo_error_get(size_t number, thigmo_diagnostic* to);

/* ---- Numbers, ids and handles ---- */

typedef struct thigmo_vec3 {
  double x, y, z;
} thigmo_vec3;

/* A rotation as unit quaternion. */
typedef struct thigmo_quat {
  double w, x, y, z;
} thigmo_quat;

typedef struct thigmo_transform {
  thigmo_vec3 position; /* [m] */
  thigmo_quat rotation;
} thigmo_transform;

/* Names of things in a world. A thing keeps its name whatever happens around it: a segment that was cut off has the
 * one it had on the tree. The name of what is gone is THIGMO_STALE, never another thing. What the numbers are is
 * thigmo's business; they may be compared, copied and stored. */
typedef struct thigmo_plant {
  uint32_t slot, generation;
} thigmo_plant;
typedef struct thigmo_segment {
  uint32_t number, birth;
} thigmo_segment;
typedef struct thigmo_grab {
  uint32_t number;
} thigmo_grab;
typedef struct thigmo_force {
  uint32_t number;
} thigmo_force;

/* Handles are names, too, not addresses: a handle that was freed, or was never made, is THIGMO_STALE. */
typedef struct thigmo_world_handle* thigmo_world;     /* plants, the air around them, and time */
typedef struct thigmo_grown_handle* thigmo_grown;     /* a plant at rest that is in no world yet */
typedef struct thigmo_surface_handle* thigmo_surface; /* triangles that follow a plant */

/* ---- Plants before they are in a world ---- */

/* A number that replaces a #define constant of a grammar. */
typedef struct thigmo_parameter {
  const char* name;
  double value;
} thigmo_parameter;

/* A plant that a grammar grows. Its language is said by the ending of `file`: .lsys, .abs or .sbt; none: .lsys. */
/* How particles move a plant instead of joints: the Verlet particles, distance and angular constraints of Li (2012). */
typedef struct thigmo_particle_settings {
  int32_t supports; /* 4: of each angular constraint; 2 for a plant in one plane */
  int32_t
      iterations; /* of all constraints in each step; 0: the root of a component's count, rounded up */
  int32_t twist;        /* a flag, set: nothing turns about its own axis; with 4 supports alone */
  double power;         /* 1: part of its correction that a constraint gets in each iteration */
  double velocity_kept; /* 1: part of its velocity that a particle keeps over a second */
} thigmo_particle_settings;
THIGMO_API thigmo_particle_settings thigmo_default_particles(void);

typedef struct thigmo_grammar {
  const char* file; /* null where there is a text: then only its name in messages */
  const char* text; /* the grammar itself; null: it is in the file */
  int32_t steps;    /* of derivation; -1: as many as the grammar says */
  int32_t has_seed; /* a flag; no: the grammar's own seed */
  uint64_t seed;    /* of random numbers */
  const thigmo_parameter* parameters; /* may be null */
  size_t parameter_count;
  const char* species;  /* null: the material that the grammar gives, else oak */
  thigmo_vec3 position; /* of its root [m]; for thigmo_world_add_grammar alone */
  double smallest_body; /* ends of stated bodies that are lighter are left out [kg]; -1: none */
  const thigmo_particle_settings* particles; /* null: joints move it */
} thigmo_grammar;
THIGMO_API thigmo_grammar thigmo_default_grammar(void);

/* A round rod, for trials and for what is no plant: a stake, a rope, a handle. */
typedef struct thigmo_rod {
  int32_t segments;           /* 20 */
  int32_t stands_as_modelled; /* a flag; no: it starts straight and sags under its weight */
  double length;              /* 1 [m] */
  double radius_base;         /* 0.01 [m] */
  double radius_tip;          /* 0.01 [m] */
  thigmo_vec3 direction;      /* up */
  thigmo_vec3 position;       /* of its root [m]; for thigmo_world_add_rod alone */
  const char* species;        /* null: oak; the numbers below replace the species' own */
  double density;             /* [kg/m^3]; 0: the species' */
  double young;               /* [Pa]; 0: the species' */
  double damping_ratio;       /* [-]; -1: the species' */
  const thigmo_particle_settings* particles; /* null: joints move it */
} thigmo_rod;
THIGMO_API thigmo_rod thigmo_default_rod(void);

/* What was grown. The name is good until the plant is freed. */
typedef struct thigmo_grown_info {
  size_t segments;
  double height; /* [m] */
  const char* name;
} thigmo_grown_info;

/* Grows once what is added, or grafted, many times. The caller frees it; worlds keep what they need. */
THIGMO_API thigmo_code thigmo_grown_from_grammar(const thigmo_grammar* grammar, thigmo_grown* to);
THIGMO_API thigmo_code thigmo_grown_from_rod(const thigmo_rod* rod, thigmo_grown* to);
THIGMO_API thigmo_code thigmo_grown_get_info(thigmo_grown grown, thigmo_grown_info* to);
/* What was warned of, completed or repaired; good until the plant is freed. */
THIGMO_API thigmo_code thigmo_grown_note_count(thigmo_grown grown, size_t* to);
THIGMO_API thigmo_code thigmo_grown_note(thigmo_grown grown, size_t number, thigmo_diagnostic* to);
/* A null handle is freed already. */
THIGMO_API thigmo_code thigmo_grown_free(thigmo_grown grown);

/* ---- Worlds ---- */

/* An empty world with gravity and still air. The caller frees it. */
THIGMO_API thigmo_code thigmo_world_create(thigmo_world* to);
/* A copy goes its own way: undo, what-if and branching futures are copies. It shares what does not change. The
 * ids of the first name the same things in it. */
THIGMO_API thigmo_code thigmo_world_copy(thigmo_world world, thigmo_world* to);
/* A null handle is freed already. Surfaces of the world's plants live on. */
THIGMO_API thigmo_code thigmo_world_free(thigmo_world world);

/* ---- Plants of a world ---- */

/* Where one of several equal plants stands: its root, and how it is turned about the vertical through it. */
typedef struct thigmo_placing {
  thigmo_vec3 position; /* [m] */
  double turn;          /* [rad] */
} thigmo_placing;

THIGMO_API thigmo_code thigmo_world_add_grammar(thigmo_world world, const thigmo_grammar* grammar,
                                                thigmo_plant* to);
THIGMO_API thigmo_code thigmo_world_add_rod(thigmo_world world, const thigmo_rod* rod,
                                            thigmo_plant* to);
/* Null: in the origin, as it was grown. */
THIGMO_API thigmo_code thigmo_world_add_grown(thigmo_world world, thigmo_grown grown,
                                              const thigmo_placing* placing, thigmo_plant* to);
/* More plants like one that is there, each as that one started; they share its model. `to` has room for `count`
 * names, or is null. */
THIGMO_API thigmo_code thigmo_world_add_instances(thigmo_world world, thigmo_plant like,
                                                  const thigmo_placing* placings, size_t count,
                                                  thigmo_plant* to);

/* Where a plant or a segment is gone, the flag is 0 and the code THIGMO_OK. */
THIGMO_API thigmo_code thigmo_world_holds_plant(thigmo_world world, thigmo_plant plant,
                                                int32_t* to);
THIGMO_API thigmo_code thigmo_world_holds_segment(thigmo_world world, thigmo_segment segment,
                                                  int32_t* to);
THIGMO_API thigmo_code thigmo_world_plants(thigmo_world world, thigmo_plant* to, size_t room,
                                           size_t* count);
/* Of all plants. */
THIGMO_API thigmo_code thigmo_world_segment_count(thigmo_world world, size_t* to);

/* One segment as it was modelled, and what made it. */
typedef struct thigmo_segment_info {
  thigmo_segment id;
  int32_t parent;                 /* its place in the plant's list of segments; -1: a root */
  int32_t axis;                   /* the branch that it belongs to */
  int32_t order;                  /* 0: of the trunk, 1: of the trunk's branches, ... */
  int32_t module, rule, step;     /* of the grammar; -1: none made it */
  int32_t material;               /* its place in thigmo_world_materials of its plant */
  int32_t symbol;                 /* first character of the module's name; 0: none */
  double length;                  /* [m] */
  double radius_base, radius_tip; /* [m] */
} thigmo_segment_info;

/* The segments of a plant, parents first. All lists of numbers for each segment have this order. */
THIGMO_API thigmo_code thigmo_world_segments(thigmo_world world, thigmo_plant plant,
                                             thigmo_segment_info* to, size_t room, size_t* count);
/* What segments are made of. The name is good until the next call on the world. */
typedef struct thigmo_material {
  const char* name;
  double density;       /* green [kg/m^3] */
  double young;         /* along the grain [Pa] */
  double shear;         /* of twisting [Pa] */
  double damping_ratio; /* of the first bending mode of the plant it is in [-] */
  double strength;      /* modulus of rupture in bending [Pa] */
} thigmo_material;
THIGMO_API thigmo_code thigmo_world_materials(thigmo_world world, thigmo_plant plant,
                                              thigmo_material* to, size_t room, size_t* count);
/* One segment as it moves now, and the joint at its base: edits change them. Stiffness is of bending about x, twisting
 * about y and bending about z. */
typedef struct thigmo_body {
  double mass;           /* with the organs on it [kg] */
  thigmo_vec3 stiffness; /* [N m/rad] */
  double damping_time;   /* damper over spring [s] */
} thigmo_body;
THIGMO_API thigmo_code thigmo_world_bodies(thigmo_world world, thigmo_plant plant, thigmo_body* to,
                                           size_t room, size_t* count);
/* The segment at a place in the list of segments. */
THIGMO_API thigmo_code thigmo_world_segment(thigmo_world world, thigmo_plant plant, size_t number,
                                            thigmo_segment* to);
/* The last segment of a plant's main axis. */
THIGMO_API thigmo_code thigmo_world_tip(thigmo_world world, thigmo_plant plant, thigmo_segment* to);
/* A plant of particles comes in components that are relaxed on their own; one that joints move has none. */
typedef struct thigmo_particle_component {
  size_t constraints;
  int32_t iterations; /* in each step */
} thigmo_particle_component;
THIGMO_API thigmo_code thigmo_world_particles(thigmo_world world, thigmo_plant plant,
                                              thigmo_particle_component* to, size_t room,
                                              size_t* count);
THIGMO_API thigmo_code thigmo_world_plant_of(thigmo_world world, thigmo_segment segment,
                                             thigmo_plant* to);

/* ---- What surrounds plants and holds them; all may be called at any time ---- */

/* Wind with gusts. */
typedef struct thigmo_wind {
  thigmo_vec3 mean;    /* (6, 0, 0) [m/s] */
  double intensity;    /* 0.25; standard deviation / mean speed; 0: uniform wind */
  uint64_t seed;       /* 1 */
  double length_scale; /* 20; integral length of the gusts along the wind; 0: no gusts [m] */
  double decay;        /* 10; C of Davenport's coherence exp(-C n r / U) across it */
  double ease;         /* 1; in which it comes up and what blew dies away; 0: at once [s] */
} thigmo_wind;
THIGMO_API thigmo_wind thigmo_default_wind(void);
THIGMO_API thigmo_code thigmo_world_set_wind(thigmo_world world, const thigmo_wind* wind);
/* Velocity of the air at a point around a plant, as the last step took it [m/s]. */
THIGMO_API thigmo_code thigmo_world_air_velocity(thigmo_world world, thigmo_plant plant,
                                                 thigmo_vec3 point, thigmo_vec3* to);

THIGMO_API thigmo_code thigmo_world_set_gravity(thigmo_world world,
                                                thigmo_vec3 gravity); /* [m/s^2] */

/* A level ground that tips of segments do not sink into. */
typedef struct thigmo_ground {
  double height;    /* 0 [m] */
  double stiffness; /* at each tip; 0: gives by a millimetre under the heaviest plant [N/m] */
  double damping;   /* at each tip; 0: stops what falls without much of a bounce [N s/m] */
  double friction;  /* 0.6; Coulomb's coefficient [-] */
} thigmo_ground;
THIGMO_API thigmo_ground thigmo_default_ground(void);
/* Null: there is none. */
THIGMO_API thigmo_code thigmo_world_set_ground(thigmo_world world, const thigmo_ground* ground);

/* A force or moment at a point of a segment, until it is removed. */
typedef struct thigmo_push {
  double along;       /* 1; 0: base of the segment, 1: its tip */
  thigmo_vec3 force;  /* [N] */
  thigmo_vec3 moment; /* [N m] */
  int32_t follower;   /* a flag; yes: it turns with the segment */
} thigmo_push;
THIGMO_API thigmo_push thigmo_default_push(void);
THIGMO_API thigmo_code thigmo_world_push(thigmo_world world, thigmo_segment segment,
                                         const thigmo_push* push, thigmo_force* to);
THIGMO_API thigmo_code thigmo_world_change_force(thigmo_world world, thigmo_force force,
                                                 const thigmo_push* push);
THIGMO_API thigmo_code thigmo_world_remove_force(thigmo_world world, thigmo_force force);

/* A spring and damper from a point of a segment to a point that is dragged about. */
typedef struct thigmo_spring {
  double along;     /* 1; 0: base of the segment, 1: its tip */
  double stiffness; /* 200 [N/m] */
  double damping;   /* -1: critical for the mass that hangs on the grab alone [N s/m] */
} thigmo_spring;
THIGMO_API thigmo_spring thigmo_default_spring(void);
/* Null: the default spring. */
THIGMO_API thigmo_code thigmo_world_grab(thigmo_world world, thigmo_segment segment,
                                         const thigmo_spring* spring, thigmo_grab* to);
/* It is there from the next step on [m]. */
THIGMO_API thigmo_code thigmo_world_drag(thigmo_world world, thigmo_grab grab,
                                         thigmo_vec3 position);
THIGMO_API thigmo_code thigmo_world_let_go(thigmo_world world, thigmo_grab grab);

/* Carries a clamped root to a place within so many seconds, smoothly. */
THIGMO_API thigmo_code thigmo_world_move_root(thigmo_world world, thigmo_plant plant,
                                              const thigmo_transform* to, double seconds);
THIGMO_API thigmo_code thigmo_world_release_root(thigmo_world world, thigmo_plant plant);
/* Where it is, stopping it. */
THIGMO_API thigmo_code thigmo_world_clamp_root(thigmo_world world, thigmo_plant plant);

/* ---- Edits ---- */

/* A segment that was cut through: the lower part kept its name, the upper one has a new one. */
typedef struct thigmo_split {
  thigmo_segment lower, upper;
  double along; /* where, of its length */
} thigmo_split;

/* What an edit did. */
typedef struct thigmo_edit {
  size_t pieces;                      /* plants that it made; all are in thigmo_world_pieces */
  size_t splits;                      /* all are in thigmo_world_splits */
  thigmo_plant piece;                 /* the first one, where there is one */
  thigmo_split split;                 /* the first one, where there is one */
  double energy_before, energy_after; /* of all that it concerned; no numbers without account [J] */
} thigmo_edit;

/* `report` may be null in all of these. */
THIGMO_API thigmo_code thigmo_world_cut(thigmo_world world, thigmo_segment segment, double along,
                                        thigmo_edit* report);
/* With all that stands on it. */
THIGMO_API thigmo_code thigmo_world_remove_segment(thigmo_world world, thigmo_segment segment,
                                                   thigmo_edit* report);
THIGMO_API thigmo_code thigmo_world_remove_plant(thigmo_world world, thigmo_plant plant,
                                                 thigmo_edit* report);

/* How a grafted plant is turned to what carries it when its joint is at rest. */
typedef enum thigmo_graft_rest {
  THIGMO_AS_BEFORE = 0, /* where it was cut from that place: as before the cut; else as it is now */
  THIGMO_AS_IT_IS = 1   /* as it is now */
} thigmo_graft_rest;
typedef struct thigmo_graft {
  double along; /* 1; where on the segment */
  int32_t rest; /* a thigmo_graft_rest */
  int32_t
      carry; /* a flag; yes: brings the plant there; no: it must be there, and no point of it moves */
  thigmo_quat turn; /* (1, 0, 0, 0); of a plant that is in no world yet: segment from plant */
} thigmo_graft;
THIGMO_API thigmo_graft thigmo_default_graft(void);
/* Null: the default graft. */
THIGMO_API thigmo_code thigmo_world_graft(thigmo_world world, thigmo_plant scion,
                                          thigmo_segment onto, const thigmo_graft* graft,
                                          thigmo_edit* report);
THIGMO_API thigmo_code thigmo_world_graft_grown(thigmo_world world, thigmo_grown scion,
                                                thigmo_segment onto, const thigmo_graft* graft,
                                                thigmo_edit* report);
/* Makes an end longer [m]. */
THIGMO_API thigmo_code thigmo_world_extend(thigmo_world world, thigmo_segment tip, double by,
                                           thigmo_edit* report);
THIGMO_API thigmo_code thigmo_world_thicken(thigmo_world world, const thigmo_segment* segments,
                                            size_t count, double factor, thigmo_edit* report);

/* What is changed of segments; factors of what they have now. */
typedef struct thigmo_change {
  double stiffness;    /* 1; of the joints at their bases */
  double mass;         /* 1 */
  double damping;      /* 1; damping time: damper over spring */
  double creep;        /* 0; part of the joints' present angles that becomes their rest: 0 to 1 */
  const char* species; /* another wood, factors come on top; null: the same */
} thigmo_change;
THIGMO_API thigmo_change thigmo_default_change(void);
THIGMO_API thigmo_code thigmo_world_change_segments(thigmo_world world,
                                                    const thigmo_segment* segments, size_t count,
                                                    const thigmo_change* change,
                                                    thigmo_edit* report);
/* All segments of a plant. */
THIGMO_API thigmo_code thigmo_world_change_plant(thigmo_world world, thigmo_plant plant,
                                                 const thigmo_change* change, thigmo_edit* report);

/* Of the last edit that succeeded. */
THIGMO_API thigmo_code thigmo_world_pieces(thigmo_world world, thigmo_plant* to, size_t room,
                                           size_t* count);
THIGMO_API thigmo_code thigmo_world_splits(thigmo_world world, thigmo_split* to, size_t room,
                                           size_t* count);

/* ---- Time ---- */

/* Moves everything by dt seconds on so many threads; 0: as many as the machine has. The bits are the same for any
 * number of them. */
THIGMO_API thigmo_code thigmo_world_step(thigmo_world world, double dt, int32_t threads);

/* The caller's own threads: `run` calls work(data, i) for every i below `count`, in any order, on any threads, and
 * comes back when all are done. */
typedef struct thigmo_jobs {
  void (*run)(void* user, size_t count, void (*work)(const void* data, size_t i), const void* data);
  void* user;
  int32_t threads; /* that `run` has, about; work is divided accordingly */
} thigmo_jobs;
THIGMO_API thigmo_code thigmo_world_step_with_jobs(thigmo_world world, double dt,
                                                   const thigmo_jobs* jobs);

THIGMO_API thigmo_code thigmo_world_time(thigmo_world world, double* to); /* [s] */

typedef enum thigmo_event_kind {
  THIGMO_ADDED = 0,   /* a plant came into the world */
  THIGMO_REMOVED = 1, /* a plant or a segment with all on it left it */
  THIGMO_CUT = 2,     /* `other` is the piece that was cut off at `segment` */
  THIGMO_GRAFTED = 3, /* on `segment`; `other` is the plant that this was before */
  THIGMO_CHANGED = 4, /* grew, thickened or is made of something else now */
  THIGMO_TOUCHED = 5, /* a plant met the ground */
  THIGMO_SLEPT = 6,   /* a plant came to rest and costs nothing until something moves it */
  THIGMO_WOKE = 7,
  THIGMO_STOPPED = 8 /* a plant's motion could not be continued */
} thigmo_event_kind;
/* "added", "removed", ...; "unknown" for what is no kind of event. */
THIGMO_API const char* thigmo_event_name(int32_t kind);
typedef struct thigmo_event {
  int32_t kind; /* a thigmo_event_kind */
  double time;  /* [s] */
  thigmo_plant plant;
  thigmo_segment segment; /* names nothing where the whole plant is meant */
  thigmo_plant other;
} thigmo_event;
/* Of the last step, and of what was called since: who asks once before each step misses none. */
THIGMO_API thigmo_code thigmo_world_events(thigmo_world world, thigmo_event* to, size_t room,
                                           size_t* count);
/* Whether a plant sleeps. */
THIGMO_API thigmo_code thigmo_world_asleep(thigmo_world world, thigmo_plant plant, int32_t* to);

/* ---- Where everything is ---- */

/* How transforms are laid out in the caller's memory, one after the other. */
typedef enum thigmo_layout {
  THIGMO_POSITION_ROTATION = 0, /* 3 + 4 numbers: position, unit quaternion w, x, y, z */
  THIGMO_MATRIX_3X4 = 1,        /* 12 numbers, row by row: rotation and position */
  THIGMO_MATRIX_4X4_COLUMNS = 2 /* 16 numbers, column by column, as OpenGL and three.js have it */
} thigmo_layout;
/* How many numbers one transform has; 0: this is no layout. */
THIGMO_API size_t thigmo_numbers_of(int32_t layout);
/* Of all segments of a plant. Here `room` and `count` are in numbers. */
THIGMO_API thigmo_code thigmo_world_transforms(thigmo_world world, thigmo_plant plant,
                                               int32_t layout, double* to, size_t room,
                                               size_t* count);
THIGMO_API thigmo_code thigmo_world_transforms_float(thigmo_world world, thigmo_plant plant,
                                                     int32_t layout, float* to, size_t room,
                                                     size_t* count);

typedef struct thigmo_motion {
  thigmo_vec3 velocity;         /* of the segment's base [m/s] */
  thigmo_vec3 angular_velocity; /* world axes [rad/s] */
} thigmo_motion;
THIGMO_API thigmo_code thigmo_world_velocities(thigmo_world world, thigmo_plant plant,
                                               thigmo_motion* to, size_t room, size_t* count);

/* What the section at a segment's base carries: of what is beyond on what is before. World axes. */
typedef struct thigmo_section_load {
  thigmo_vec3 force;  /* [N] */
  thigmo_vec3 moment; /* [N m] */
  double stress;      /* extreme fibre, of tension or pressure and bending [Pa] */
} thigmo_section_load;
THIGMO_API thigmo_code thigmo_world_section_loads(thigmo_world world, thigmo_plant plant,
                                                  thigmo_section_load* to, size_t room,
                                                  size_t* count);

/* Momentum of a plant, about the origin of the world. */
typedef struct thigmo_momentum {
  double mass;         /* [kg] */
  thigmo_vec3 center;  /* of mass [m] */
  thigmo_vec3 linear;  /* [kg m/s] */
  thigmo_vec3 angular; /* [kg m^2/s] */
} thigmo_momentum;
THIGMO_API thigmo_code thigmo_world_momentum(thigmo_world world, thigmo_plant plant,
                                             thigmo_momentum* to);

typedef struct thigmo_ray {
  thigmo_vec3 origin;    /* [m] */
  thigmo_vec3 direction; /* of any length above 0 */
  double reach;          /* how far it is followed [m] */
} thigmo_ray;
/* Where a ray, or the nearest point, meets the stem of a plant. */
typedef struct thigmo_picked {
  int32_t hit; /* a flag; no: nothing was met, and all else is zero */
  thigmo_plant plant;
  thigmo_segment segment;
  double along;         /* 0: base of the segment, 1: its tip */
  thigmo_vec3 position; /* on its surface [m] */
  double distance;      /* from where the ray begins, or from the point asked for [m] */
} thigmo_picked;
THIGMO_API thigmo_code thigmo_world_pick(thigmo_world world, const thigmo_ray* ray,
                                         thigmo_picked* to);
/* The nearest to a point, not further away than `within` [m]. */
THIGMO_API thigmo_code thigmo_world_nearest(thigmo_world world, thigmo_vec3 point, double within,
                                            thigmo_picked* to);

/* A point of a segment that thigmo_world_probes tells of from now on, wherever the segment goes. Each has a name of its
 * own. */
THIGMO_API thigmo_code thigmo_world_add_probe(thigmo_world world, const char* name,
                                              thigmo_segment segment, double along);
THIGMO_API thigmo_code thigmo_world_remove_probe(thigmo_world world, const char* name);
/* Its name is good until the next call on the world. Its numbers are none (NAN) once its segment is gone. */
typedef struct thigmo_probe {
  const char* name;
  thigmo_vec3 position; /* [m] */
  thigmo_vec3 velocity; /* [m/s] */
} thigmo_probe;
THIGMO_API thigmo_code thigmo_world_probes(thigmo_world world, thigmo_probe* to, size_t room,
                                           size_t* count);

/* ---- Surfaces ---- */

/* How finely the surface of a plant is made. */
typedef struct thigmo_surface_detail {
  int32_t sides; /* 12; around the thickest stem; thinner ones have fewer, 3 at least */
  int32_t
      weld; /* a flag; yes: side branches and their parents are one surface, where that can be */
  double min_radius; /* stems that are thinner everywhere are left out [m] */
  double leaf_share; /* 1; part of the leaves kept, each larger so that their area stays */
  double root_flare; /* how much wider the foot of a stem is: 0.5 is half more */
} thigmo_surface_detail;
THIGMO_API thigmo_surface_detail thigmo_default_surface_detail(void);

/* A plant at rest as triangles, counter-clockwise seen from outside. All is good until the surface is freed and never
 * changes. */
typedef struct thigmo_mesh {
  size_t vertices;
  size_t indices;         /* three a triangle */
  const float* positions; /* three numbers a vertex [m] */
  const float* normals;   /* three numbers a vertex, unit */
  const float* colours;   /* three numbers a vertex, linear red, green and blue */
  const float* uvs;       /* two numbers a vertex */
  const uint32_t* index;
  /* For graphics cards: the segments that a vertex follows, and how much each. The weights of a vertex sum to one; what
   * is not needed is segment 0 with weight 0. */
  const uint32_t* joints; /* four a vertex */
  const float* weights;   /* four a vertex */
} thigmo_mesh;
/* Where its vertices are now; good until the surface follows again or is freed. */
typedef struct thigmo_shape {
  size_t vertices;
  const float* positions; /* three numbers a vertex [m] */
  const float* normals;   /* three numbers a vertex, unit */
} thigmo_shape;

/* Null: the default detail. The caller frees it. */
THIGMO_API thigmo_code thigmo_surface_create(thigmo_world world, thigmo_plant plant,
                                             const thigmo_surface_detail* detail,
                                             thigmo_surface* to);
THIGMO_API thigmo_code thigmo_surface_mesh(thigmo_surface surface, thigmo_mesh* to);
/* Moves it to where the plant's segments are. An edit that changes how many they are asks for a new surface. */
THIGMO_API thigmo_code thigmo_surface_follow(thigmo_surface surface, thigmo_world world,
                                             thigmo_plant plant, thigmo_shape* to);
/* What moves it on a graphics card: for each segment the matrix that takes points of the surface at rest to where the
 * segment has them now, 16 numbers column by column. A vertex is at the sum of weight times matrix times position at
 * rest, its normal along the sum of weight times matrix times normal. `room` and `count` are in numbers. */
THIGMO_API thigmo_code thigmo_surface_joint_matrices(thigmo_surface surface, thigmo_world world,
                                                     thigmo_plant plant, float* to, size_t room,
                                                     size_t* count);
/* A null handle is freed already. */
THIGMO_API thigmo_code thigmo_surface_free(thigmo_surface surface);

/* ---- Accounts ---- */

typedef struct thigmo_energies {
  double kinetic, elastic, gravitational; /* [J] */
} thigmo_energies;
THIGMO_API thigmo_code thigmo_world_energies(thigmo_world world, thigmo_energies* to);

/* The work that forces did since thigmo_world_keep_account, and what was lost [J]. */
typedef struct thigmo_works {
  double by_air;
  double by_loads;  /* forces, moments and grabs */
  double by_ground; /* mostly friction */
  double by_base;   /* what moves the roots */
  double by_edits;  /* what cuts, grafts and changes brought, or took where negative */
  double lost_in_joints;
  double lost_by_mass;
  double numerical; /* what the scheme took out, and the error of the account */
} thigmo_works;
/* From now on account is kept for the plants that are there; steps take longer. */
THIGMO_API thigmo_code thigmo_world_keep_account(thigmo_world world);
/* Zero where none is kept. */
THIGMO_API thigmo_code thigmo_world_account(thigmo_world world, thigmo_works* to);

/* Of small motions about rest, without gravity [Hz]. */
THIGMO_API thigmo_code thigmo_world_first_frequency(thigmo_world world, thigmo_plant plant,
                                                    double* to);
/* What steps of dt do to that frequency: found over true, less 1; negative, they slow it. */
THIGMO_API thigmo_code thigmo_world_frequency_error(thigmo_world world, thigmo_plant plant,
                                                    double dt, double* to);
/* Of the main axis's sway about its present pose, under gravity [Hz]. */
THIGMO_API thigmo_code thigmo_world_sway_frequency(thigmo_world world, thigmo_plant plant,
                                                   double* to);

/* How steps went, since the world was made but for `substeps`. */
typedef struct thigmo_record {
  int64_t rejected_steps; /* substeps that were taken back and halved */
  int64_t braked_joints;  /* that whirled too fast for the smallest substep, counted in each anew */
  int64_t coarse_steps;   /* of single plants, that took more passes than a step may */
  double
      energy_gain; /* of a plant that no load worked on, over its largest kinetic energy, at most; above
                             0.02 the motion is not to be trusted */
  int32_t substeps; /* that the last step was taken in, of the plant that needed most */
} thigmo_record;
THIGMO_API thigmo_code thigmo_world_record(thigmo_world world, thigmo_record* to);

/* What was warned of, completed or repaired when plants were made; good until the next call on the world. */
THIGMO_API thigmo_code thigmo_world_note_count(thigmo_world world, size_t* to);
THIGMO_API thigmo_code thigmo_world_note(thigmo_world world, size_t number, thigmo_diagnostic* to);

/* ---- Keeping it ---- */

/* Equal for worlds whose states have the same bits. */
THIGMO_API thigmo_code thigmo_world_state_hash(thigmo_world world, uint64_t* to);

/* Good until the world is saved or its log is asked for again, or until it is freed. */
typedef struct thigmo_bytes {
  const void* data;
  size_t size;
} thigmo_bytes;
/* All of a world, whatever was done to it before. */
THIGMO_API thigmo_code thigmo_world_save(thigmo_world world, thigmo_bytes* to);
/* A world from such bytes, which goes on with the same bits; ids mean in it what they meant. Bytes that are damaged or
 * forged are refused. The caller frees it. */
THIGMO_API thigmo_code thigmo_world_restore(const void* data, size_t size, thigmo_world* to);

/* From now on all calls that change the world are kept, with the world as it is now and, after every so many steps, its
 * state; 0: its state at the end alone. */
THIGMO_API thigmo_code thigmo_world_keep_log(thigmo_world world, int32_t check_every);
/* The log as text, a call a line. */
THIGMO_API thigmo_code thigmo_world_log(thigmo_world world, thigmo_bytes* to);
/* What came of a log. Texts of the difference are good until the world is freed. */
typedef struct thigmo_replay {
  thigmo_world world;           /* as it is after the last call; the caller frees it */
  int64_t steps;                /* that were made again */
  uint64_t state_hash;          /* of the world now */
  int32_t differs;              /* a flag; no: all of it came again, with the same bits */
  thigmo_diagnostic difference; /* what was first not as it is in the log, and in which line */
} thigmo_replay;
/* Makes all calls of a log again. Refused, with line and column, is what is no log. */
THIGMO_API thigmo_code thigmo_world_replay(const void* log, size_t size, int32_t threads,
                                           thigmo_replay* to);

/* NOLINTEND(readability-identifier-naming, modernize-use-using) */

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* THIGMO_C_H */
