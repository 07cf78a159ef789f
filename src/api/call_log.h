#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/calls.h"
#include "simulation/simulation.h"

namespace thigmo {

inline constexpr std::string_view log_head = "thigmo log 1";

// The calls made on a world since the log began, a line each: a name, arguments key=value, and after "gives=" the
// names that the world gave. Bytes follow a line as base64, in lines that begin with a space; # begins a remark.
// Equal steps are one line. A copy goes its own way.
class CallLog {
 public:
  // From a saved world on. The state is noted after every so many steps; 0: at the end alone.
  CallLog(std::string_view start, int check_every);

  void add(const Call& call, std::string_view gives = {});
  void add_step(double seconds, const Simulation& simulation);
  // The number that a plant has in this log, which holds it from then on.
  std::uint64_t number_of(const GrownPlant& plant);

  // All of it, to the state as it is now.
  std::string text(const Simulation& now) const;

 private:
  void add_line(const Call& call, std::string_view gives, std::string& to) const;
  void add_pending_steps(std::string& to) const;

  std::shared_ptr<const std::string> start_;  // its lines
  int check_every_;
  std::string lines_;
  std::vector<GrownPlant> plants_;
  StepCall pending_{.times = 0};  // not in the lines yet
  std::uint64_t steps_ = 0;
};

// What calls give, for a log.
std::string gives_of(Done);
std::string gives_of(PlantId id);
std::string gives_of(const std::vector<PlantId>& ids);
std::string gives_of(ForceId id);
std::string gives_of(GrabId id);
std::string gives_of(const EditReport& report);

}  // namespace thigmo
