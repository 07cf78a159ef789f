#ifndef THIGMO_TESTS_CAPI_CHECK_H
#define THIGMO_TESTS_CAPI_CHECK_H

/* Checks for tests in C99. A check that fails says where and what, and the program goes on. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "thigmo/c.h"

extern int failed_checks;

#define CHECK(condition)                                                            \
  do {                                                                              \
    if (!(condition)) {                                                             \
      ++failed_checks;                                                              \
      fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition); \
    }                                                                               \
  } while (0)

/* The call must succeed. */
#define MUST(call)                                                                           \
  do {                                                                                       \
    const thigmo_code its_code = (call);                                                     \
    if (its_code != THIGMO_OK) {                                                             \
      ++failed_checks;                                                                       \
      fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, thigmo_error_message()); \
    }                                                                                        \
  } while (0)

/* The call must be refused with this code, and say something. */
#define REFUSES(code, call)                                                                \
  do {                                                                                     \
    const thigmo_code its_code = (call);                                                   \
    if (its_code != (code) || strlen(thigmo_error_message()) < 10) {                       \
      ++failed_checks;                                                                     \
      fprintf(stderr, "%s:%d: %s gives %d instead of %s: %s\n", __FILE__, __LINE__, #call, \
              (int)its_code, #code, thigmo_error_message());                               \
    }                                                                                      \
  } while (0)

#define NEAR(found, expected, tolerance)                                                        \
  do {                                                                                          \
    const double its_value = (found), its_goal = (expected);                                    \
    if (!(fabs(its_value - its_goal) <= (tolerance))) {                                         \
      ++failed_checks;                                                                          \
      fprintf(stderr, "%s:%d: %s is %.17g, not %.17g\n", __FILE__, __LINE__, #found, its_value, \
              its_goal);                                                                        \
    }                                                                                           \
  } while (0)

/* What most tests begin with. */
thigmo_world new_world(void);
thigmo_plant add_level_rod(
    thigmo_world world); /* of 20 segments, 1 m long, along x, without gravity's sag */
thigmo_plant add_tree(thigmo_world world); /* of the gallery */
void run(thigmo_world world, int steps);
uint64_t hash_of(thigmo_world world);
size_t segments_of(thigmo_world world, thigmo_plant plant);

void test_plants(void);
void test_places(void);
void test_surroundings(void);
void test_edits(void);
void test_surfaces(void);
void test_accounts(void);
void test_keeping(void);
void test_misuse(void);
void test_threads(void);
void test_zeros(void);

#endif
