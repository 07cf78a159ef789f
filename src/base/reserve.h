#pragma once

#include <cstddef>
#include <memory>

namespace thigmo {

struct ReserveBlock;

// Memory kept back for the moment when there is no more of it: then all reserves are given back, and only
// then std::bad_alloc is thrown. It is for what allocates in its destructors, as nlohmann-json's values do:
// while the failure is on its way they find what they need, where the program would end otherwise. A reserve
// that stands behind such a value in its struct is given back before the value goes in peace, too.
class Reserve {
 public:
  Reserve() = default;
  explicit Reserve(double bytes);
  void give_back();

 private:
  struct Remove {
    void operator()(ReserveBlock* block) const;
  };
  std::unique_ptr<ReserveBlock, Remove> block_;
};

// What the destructors of so many values of nlohmann-json may allocate [bytes]: a list of them all that grows
// by doubling.
inline double reserve_for_json(double values) { return 48 * values; }

}  // namespace thigmo
