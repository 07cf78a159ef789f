#include "base/budget.h"

#include <fmt/format.h>

namespace thigmo {

Result<Done> spend(Budget& budget, double count, double bytes_each, std::string_view what) {
  const double bytes = count * bytes_each;
  if (!(bytes <= budget.bytes)) {
    return Diagnostic{.message = fmt::format(
                          "{:.3g} {} would take {:.3g} GB of memory; {:.3g} GB are left of the "
                          "{:.3g} GB that one file may take",
                          count, what, bytes * 1e-9, budget.bytes * 1e-9, budget.all * 1e-9),
                      .file = budget.file};
  }
  budget.bytes -= bytes;
  return Done{};
}

}  // namespace thigmo
