#pragma once

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

// Is it fast? Every figure is the best of several runs: the machines are shared and noisy, and noise
// only ever adds time.
namespace thigmo::bench {

struct Figure {
  std::string name;
  double value = 0;
  std::string unit;
  double target = 0;  // 0: none is set
  bool higher_is_better = true;
  bool met() const { return target == 0 || (higher_is_better ? value >= target : value <= target); }
};

// What the figures were measured on.
struct Machine {
  std::string kernels;  // what the sweeps of a step were compiled for: generic, AVX2, AVX-512
  int lanes = 0;        // doubles side by side in them, at most
  std::string model;    // of the processor; empty where the system does not say
  int threads = 0;      // that it runs at once
};
Machine this_machine();

struct Report {
  Machine machine;
  std::vector<Figure> figures;
  std::string failure;  // why the cases could not be run; empty when they were
};

// Best wall time of `runs` calls [s].
double best_seconds(int runs, const std::function<void()>& work);

// Best processor time of this thread [s]: what other programs take of the core does not count.
double best_cpu_seconds(int runs, const std::function<void()>& work);

// Gives memory that is free back to the system, so that what comes next finds none at hand.
void return_free_memory();

// Memory that the program holds at present [bytes]; 0 where the system does not say.
double resident_bytes();

// One part of the figures; `gallery` is the folder gallery/ of the source tree.
void bench_motion(const std::string& gallery, Report& report);
void bench_compiling(const std::string& gallery, Report& report);
void bench_grammar(const std::string& gallery, Report& report);
void bench_statics(const std::string& gallery, Report& report);
void bench_shape(const std::string& gallery, Report& report);
void bench_edits(const std::string& gallery, Report& report);
void bench_keys(const std::string& gallery, Report& report);  // as a part of edits

struct Part {
  std::string_view name;
  void (*run)(const std::string& gallery, Report& report);
};
inline constexpr std::array parts{
    Part{"motion", bench_motion},   Part{"compiling", bench_compiling},
    Part{"grammar", bench_grammar}, Part{"statics", bench_statics},
    Part{"shape", bench_shape},     Part{"edits", bench_edits}};

// The parts of these names, in the order of the list; none: all.
Report run_parts(const std::string& gallery, const std::vector<std::string>& names);

}  // namespace thigmo::bench
