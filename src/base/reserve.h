#pragma once

#include <memory>

namespace thigmo {

struct ReserveBlock;

// Memory kept for destructors that allocate, as those of nlohmann-json's values do: where they find none, the
// program ends. When `new` fails, all reserves are given back before std::bad_alloc is thrown, so that values
// that are destroyed on the way find memory. Where nothing fails, a reserve must be given back before its
// values are destroyed: declare it behind them, or call give_back().
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
