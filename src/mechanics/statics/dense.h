#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace thigmo {

// A small square matrix, by rows.
class DenseMatrix {
 public:
  explicit DenseMatrix(std::size_t size = 0) : size_(size), values_(size * size) {}
  double& at(std::size_t row, std::size_t column) { return values_[row * size_ + column]; }
  double at(std::size_t row, std::size_t column) const { return values_[row * size_ + column]; }
  std::size_t size() const { return size_; }

 private:
  std::size_t size_;
  std::vector<double> values_;
};

// The triangular factors of a matrix, rows exchanged for the largest pivot.
class DenseLu {
 public:
  DenseLu() = default;
  explicit DenseLu(DenseMatrix matrix) : lu_(std::move(matrix)), row_(lu_.size()) {
    const std::size_t n = lu_.size();
    for (std::size_t k = 0; k < n; ++k) {
      std::size_t best = k;
      for (std::size_t i = k + 1; i < n; ++i) {
        if (std::abs(lu_.at(i, k)) > std::abs(lu_.at(best, k))) best = i;
      }
      row_[k] = best;
      if (best != k) {
        sign_ = -sign_;
        for (std::size_t j = 0; j < n; ++j) std::swap(lu_.at(k, j), lu_.at(best, j));
      }
      regular_ = lu_.at(k, k) != 0 && std::isfinite(lu_.at(k, k));
      if (!regular_) return;
      if (lu_.at(k, k) < 0) sign_ = -sign_;
      for (std::size_t i = k + 1; i < n; ++i) {
        const double part = lu_.at(i, k) /= lu_.at(k, k);
        for (std::size_t j = k + 1; j < n; ++j) lu_.at(i, j) -= part * lu_.at(k, j);
      }
    }
  }

  int determinant_sign() const { return regular_ ? sign_ : 0; }
  bool regular() const { return regular_; }

  std::vector<double> solve(std::vector<double> x) const {
    const std::size_t n = lu_.size();
    for (std::size_t k = 0; k < n; ++k) std::swap(x[k], x[row_[k]]);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < i; ++j) x[i] -= lu_.at(i, j) * x[j];
    }
    for (std::size_t i = n; i-- > 0;) {
      for (std::size_t j = i + 1; j < n; ++j) x[i] -= lu_.at(i, j) * x[j];
      x[i] /= lu_.at(i, i);
    }
    return x;
  }

 private:
  DenseMatrix lu_;
  std::vector<std::size_t> row_;
  int sign_ = 1;
  bool regular_ = true;
};

}  // namespace thigmo
