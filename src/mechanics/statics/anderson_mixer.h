#pragma once

#include <utility>
#include <vector>

#include "mechanics/statics/dense.h"

namespace thigmo {

// Anderson's mixing for x = g(x): of the last few rounds the combination, with weights of sum one,
// whose misses g - x are smallest together, and its g.
class AndersonMixer {
 public:
  std::vector<double> next(const std::vector<double>& x, const std::vector<double>& g) {
    constexpr std::size_t depth = 5;
    if (g_.size() == depth) {
      g_.erase(g_.begin());
      miss_.erase(miss_.begin());
    }
    g_.push_back(g);
    miss_.emplace_back(x.size());
    for (std::size_t k = 0; k < x.size(); ++k) miss_.back()[k] = g[k] - x[k];
    // Least squares for the weights w of all rounds but the last, over differences from it.
    const std::size_t m = g_.size() - 1;
    std::vector<double> mixed = g;
    if (m == 0) return mixed;
    const auto difference = [&](std::size_t i, std::size_t k) {
      return miss_[i][k] - miss_.back()[k];
    };
    DenseMatrix normal(m);
    std::vector<double> right(m);
    double trace = 0;
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t k = 0; k < x.size(); ++k) {
        for (std::size_t j = 0; j < m; ++j) normal.at(i, j) += difference(i, k) * difference(j, k);
        right[i] -= difference(i, k) * miss_.back()[k];
      }
      trace += normal.at(i, i);
    }
    for (std::size_t i = 0; i < m; ++i) normal.at(i, i) += 1e-12 * trace;
    const DenseLu factors(std::move(normal));
    if (!factors.regular()) return mixed;
    const std::vector<double> weight = factors.solve(std::move(right));
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t k = 0; k < x.size(); ++k) mixed[k] += weight[i] * (g_[i][k] - g[k]);
    }
    return mixed;
  }

 private:
  std::vector<std::vector<double>> g_, miss_;
};

}  // namespace thigmo
