#pragma once

#include <cmath>

namespace thigmo {

// Vectors and 3×3 blocks over any number type with + - * /: double, float, or a SIMD lane pack.
// Plain aggregates without padding, so that arrays of them are arrays of numbers.

template <class Real>
struct Vec3T {
  Real x{}, y{}, z{};

  constexpr Vec3T& operator+=(const Vec3T& b) { return *this = *this + b; }
  constexpr Vec3T& operator-=(const Vec3T& b) { return *this = *this - b; }
  constexpr Vec3T& operator*=(const Real& s) { return *this = *this * s; }

  friend constexpr Vec3T operator+(const Vec3T& a, const Vec3T& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
  }
  friend constexpr Vec3T operator-(const Vec3T& a, const Vec3T& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
  }
  friend constexpr Vec3T operator-(const Vec3T& a) { return {-a.x, -a.y, -a.z}; }
  friend constexpr Vec3T operator*(const Vec3T& a, const Real& s) {
    return {a.x * s, a.y * s, a.z * s};
  }
  friend constexpr Vec3T operator*(const Real& s, const Vec3T& a) { return a * s; }
  friend constexpr Vec3T operator/(const Vec3T& a, const Real& s) {
    return {a.x / s, a.y / s, a.z / s};
  }
  friend constexpr bool operator==(const Vec3T&, const Vec3T&) = default;
};

using Vec3 = Vec3T<double>;

template <class Real>
constexpr Real dot(const Vec3T<Real>& a, const Vec3T<Real>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

template <class Real>
constexpr Vec3T<Real> cross(const Vec3T<Real>& a, const Vec3T<Real>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// Component by component.
template <class Real>
constexpr Vec3T<Real> scale(const Vec3T<Real>& a, const Vec3T<Real>& b) {
  return {a.x * b.x, a.y * b.y, a.z * b.z};
}

template <class Real>
constexpr Real squared_length(const Vec3T<Real>& a) {
  return dot(a, a);
}

inline double length(const Vec3& a) { return std::sqrt(dot(a, a)); }

// The unit vector along a; `fallback` when a has no direction.
inline Vec3 normalized(const Vec3& a, const Vec3& fallback = {0, 1, 0}) {
  const double l = length(a);
  return l > 0 ? a / l : fallback;
}

inline bool is_finite(const Vec3& a) {
  return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}

// Some unit vector perpendicular to the unit vector a.
inline Vec3 any_perpendicular(const Vec3& a) {
  const Vec3 helper = std::abs(a.x) < 0.7 ? Vec3{1, 0, 0} : Vec3{0, 0, 1};
  return normalized(cross(a, helper));
}

// A general 3×3 block, by rows.
template <class Real>
struct Mat3T {
  Vec3T<Real> row_x{}, row_y{}, row_z{};

  friend constexpr Mat3T operator+(const Mat3T& a, const Mat3T& b) {
    return {a.row_x + b.row_x, a.row_y + b.row_y, a.row_z + b.row_z};
  }
  friend constexpr Mat3T operator-(const Mat3T& a, const Mat3T& b) {
    return {a.row_x - b.row_x, a.row_y - b.row_y, a.row_z - b.row_z};
  }
  friend constexpr Mat3T operator*(const Mat3T& a, const Real& s) {
    return {a.row_x * s, a.row_y * s, a.row_z * s};
  }
  friend constexpr Vec3T<Real> operator*(const Mat3T& a, const Vec3T<Real>& v) {
    return {dot(a.row_x, v), dot(a.row_y, v), dot(a.row_z, v)};
  }
  friend constexpr Mat3T operator*(const Mat3T& a, const Mat3T& b) {
    const auto row = [&b](const Vec3T<Real>& r) {
      return b.row_x * r.x + b.row_y * r.y + b.row_z * r.z;
    };
    return {row(a.row_x), row(a.row_y), row(a.row_z)};
  }
};

using Mat3 = Mat3T<double>;

template <class Real>
constexpr Mat3T<Real> transposed(const Mat3T<Real>& a) {
  return {{a.row_x.x, a.row_y.x, a.row_z.x},
          {a.row_x.y, a.row_y.y, a.row_z.y},
          {a.row_x.z, a.row_y.z, a.row_z.z}};
}

// aᵀ v without forming aᵀ.
template <class Real>
constexpr Vec3T<Real> transposed_times(const Mat3T<Real>& a, const Vec3T<Real>& v) {
  return a.row_x * v.x + a.row_y * v.y + a.row_z * v.z;
}

// The matrix of v ↦ a × v.
template <class Real>
constexpr Mat3T<Real> cross_matrix(const Vec3T<Real>& a) {
  const Real zero{};
  return {{zero, -a.z, a.y}, {a.z, zero, -a.x}, {-a.y, a.x, zero}};
}

// A symmetric 3×3 block: six numbers, so that rounding cannot make it unsymmetric.
template <class Real>
struct Sym3T {
  Real xx{}, xy{}, xz{}, yy{}, yz{}, zz{};

  friend constexpr bool operator==(const Sym3T&, const Sym3T&) = default;
  constexpr Sym3T& operator+=(const Sym3T& b) { return *this = *this + b; }

  friend constexpr Sym3T operator+(const Sym3T& a, const Sym3T& b) {
    return {a.xx + b.xx, a.xy + b.xy, a.xz + b.xz, a.yy + b.yy, a.yz + b.yz, a.zz + b.zz};
  }
  friend constexpr Sym3T operator-(const Sym3T& a, const Sym3T& b) {
    return {a.xx - b.xx, a.xy - b.xy, a.xz - b.xz, a.yy - b.yy, a.yz - b.yz, a.zz - b.zz};
  }
  friend constexpr Sym3T operator*(const Sym3T& a, const Real& s) {
    return {a.xx * s, a.xy * s, a.xz * s, a.yy * s, a.yz * s, a.zz * s};
  }
  friend constexpr Vec3T<Real> operator*(const Sym3T& a, const Vec3T<Real>& v) {
    return {a.xx * v.x + a.xy * v.y + a.xz * v.z, a.xy * v.x + a.yy * v.y + a.yz * v.z,
            a.xz * v.x + a.yz * v.y + a.zz * v.z};
  }
};

using Sym3 = Sym3T<double>;

template <class Real>
constexpr Mat3T<Real> full(const Sym3T<Real>& a) {
  return {{a.xx, a.xy, a.xz}, {a.xy, a.yy, a.yz}, {a.xz, a.yz, a.zz}};
}

// The symmetric part of a.
template <class Real>
constexpr Sym3T<Real> symmetric_part(const Mat3T<Real>& a) {
  const Real half = Real(0.5);
  return {a.row_x.x, (a.row_x.y + a.row_y.x) * half, (a.row_x.z + a.row_z.x) * half,
          a.row_y.y, (a.row_y.z + a.row_z.y) * half, a.row_z.z};
}

template <class Real>
constexpr Sym3T<Real> diagonal(const Vec3T<Real>& d) {
  const Real zero{};
  return {d.x, zero, zero, d.y, zero, d.z};
}

template <class Real>
constexpr Sym3T<Real> identity_times(const Real& s) {
  const Real zero{};
  return {s, zero, zero, s, zero, s};
}

// v vᵀ.
template <class Real>
constexpr Sym3T<Real> outer(const Vec3T<Real>& v) {
  return {v.x * v.x, v.x * v.y, v.x * v.z, v.y * v.y, v.y * v.z, v.z * v.z};
}

// a diag(d) aᵀ: a diagonal block seen from another frame.
template <class Real>
constexpr Sym3T<Real> conjugate(const Mat3T<Real>& a, const Vec3T<Real>& d) {
  const Vec3T<Real> x = scale(a.row_x, d), y = scale(a.row_y, d), z = scale(a.row_z, d);
  return {dot(x, a.row_x), dot(x, a.row_y), dot(x, a.row_z),
          dot(y, a.row_y), dot(y, a.row_z), dot(z, a.row_z)};
}

// a s aᵀ: a symmetric block seen from another frame.
template <class Real>
constexpr Sym3T<Real> conjugate(const Mat3T<Real>& a, const Sym3T<Real>& s) {
  const Vec3T<Real> x = s * a.row_x, y = s * a.row_y, z = s * a.row_z;
  return {dot(x, a.row_x), dot(x, a.row_y), dot(x, a.row_z),
          dot(y, a.row_y), dot(y, a.row_z), dot(z, a.row_z)};
}

// The inverse, by cofactors. The block must be positive definite.
template <class Real>
constexpr Sym3T<Real> inverse(const Sym3T<Real>& a) {
  const Real cxx = a.yy * a.zz - a.yz * a.yz;
  const Real cxy = a.xz * a.yz - a.xy * a.zz;
  const Real cxz = a.xy * a.yz - a.xz * a.yy;
  const Real inverse_determinant = Real(1.0) / (a.xx * cxx + a.xy * cxy + a.xz * cxz);
  return Sym3T<Real>{cxx,
                     cxy,
                     cxz,
                     a.xx * a.zz - a.xz * a.xz,
                     a.xy * a.xz - a.xx * a.yz,
                     a.xx * a.yy - a.xy * a.xy} *
         inverse_determinant;
}

// The x with a x = b, by Cramer's rule.
template <class Real>
constexpr Vec3T<Real> solve(const Mat3T<Real>& a, const Vec3T<Real>& b) {
  const Vec3T<Real> yz = cross(a.row_y, a.row_z), zx = cross(a.row_z, a.row_x),
                    xy = cross(a.row_x, a.row_y);
  return (yz * b.x + zx * b.y + xy * b.z) / dot(a.row_x, yz);
}

}  // namespace thigmo
