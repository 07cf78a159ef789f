#pragma once

// Vectors and matrices of packs: with half the digits, lane by lane, and lanes picked from two packs.

#include <cstdint>

#include "math/lane_rotation.h"
#include "mechanics/schedule/schedule.h"

namespace thigmo {

// Half the digits.
template <class Real>
struct ShorterVector {
  Short<Real> x, y, z;
  ShorterVector() = default;
  ShorterVector(const Vec3T<Real>& v) : x(v.x), y(v.y), z(v.z) {}
  operator Vec3T<Real>() const { return {x, y, z}; }
};
template <class Real>
struct ShorterBlock {
  Short<Real> xx, xy, xz, yy, yz, zz;
  ShorterBlock() = default;
  ShorterBlock(const Sym3T<Real>& s) : xx(s.xx), xy(s.xy), xz(s.xz), yy(s.yy), yz(s.yz), zz(s.zz) {}
  operator Sym3T<Real>() const { return {xx, xy, xz, yy, yz, zz}; }
};
template <class Real>
struct ShorterMatrix {
  ShorterVector<Real> row_x, row_y, row_z;
  ShorterMatrix() = default;
  ShorterMatrix(const Mat3T<Real>& m) : row_x(m.row_x), row_y(m.row_y), row_z(m.row_z) {}
  operator Mat3T<Real>() const { return {row_x, row_y, row_z}; }
};

// One lane as plain numbers.
template <class Real>
inline Vec3 get(const Vec3T<Real>& v, int lane) {
  return {v.x[lane], v.y[lane], v.z[lane]};
}
template <class Real>
inline Quat get(const QuatT<Real>& q, int lane) {
  return {q.w[lane], q.x[lane], q.y[lane], q.z[lane]};
}
template <class Real>
inline void set(Vec3T<Real>& to, int lane, const Vec3& v) {
  to.x.set(lane, v.x);
  to.y.set(lane, v.y);
  to.z.set(lane, v.z);
}
template <class Real>
inline void set(QuatT<Real>& to, int lane, const Quat& q) {
  to.w.set(lane, q.w);
  to.x.set(lane, q.x);
  to.y.set(lane, q.y);
  to.z.set(lane, q.z);
}
template <class Real>
inline void set(ShorterVector<Real>& to, int lane, const Vec3& v) {
  to.x.set(lane, v.x);
  to.y.set(lane, v.y);
  to.z.set(lane, v.z);
}
template <class Real>
inline void set(ShorterBlock<Real>& to, int lane, const Sym3& s) {
  to.xx.set(lane, s.xx);
  to.xy.set(lane, s.xy);
  to.xz.set(lane, s.xz);
  to.yy.set(lane, s.yy);
  to.yz.set(lane, s.yz);
  to.zz.set(lane, s.zz);
}
template <class Real>
inline void add_to_lane(Sym3T<Real>& to, int lane, const Sym3& s) {
  to.xx.set(lane, to.xx[lane] + s.xx);
  to.xy.set(lane, to.xy[lane] + s.xy);
  to.xz.set(lane, to.xz[lane] + s.xz);
  to.yy.set(lane, to.yy[lane] + s.yy);
  to.yz.set(lane, to.yz[lane] + s.yz);
  to.zz.set(lane, to.zz[lane] + s.zz);
}

// One lane as a number of the same processor.
template <class Real>
inline Vec3T<typename Real::Alone> lane_of(const Vec3T<Real>& v, int lane) {
  return {v.x[lane], v.y[lane], v.z[lane]};
}
template <class Real>
inline QuatT<typename Real::Alone> lane_of(const QuatT<Real>& q, int lane) {
  return {q.w[lane], q.x[lane], q.y[lane], q.z[lane]};
}
template <class Real>
inline Sym3T<typename Real::Alone> lane_of(const Sym3T<Real>& s, int lane) {
  return {s.xx[lane], s.xy[lane], s.xz[lane], s.yy[lane], s.yz[lane], s.zz[lane]};
}
template <class Real>
inline Mat3T<typename Real::Alone> lane_of(const Mat3T<Real>& m, int lane) {
  return {lane_of(m.row_x, lane), lane_of(m.row_y, lane), lane_of(m.row_z, lane)};
}
template <class Real>
inline Vec3T<typename Real::Alone> lane_of(const ShorterVector<Real>& v, int lane) {
  return {v.x[lane], v.y[lane], v.z[lane]};
}
template <class Real>
inline Mat3T<typename Real::Alone> lane_of(const ShorterMatrix<Real>& m, int lane) {
  return {lane_of(m.row_x, lane), lane_of(m.row_y, lane), lane_of(m.row_z, lane)};
}
template <class Real>
inline void set_lane(Vec3T<Real>& to, int lane, const Vec3T<typename Real::Alone>& v) {
  to.x.set(lane, v.x.value);
  to.y.set(lane, v.y.value);
  to.z.set(lane, v.z.value);
}
template <class Real>
inline void set_lane(Sym3T<Real>& to, int lane, const Sym3T<typename Real::Alone>& m) {
  to.xx.set(lane, m.xx.value);
  to.xy.set(lane, m.xy.value);
  to.xz.set(lane, m.xz.value);
  to.yy.set(lane, m.yy.value);
  to.yz.set(lane, m.yz.value);
  to.zz.set(lane, m.zz.value);
}
template <class Real>
inline void set_lane(QuatT<Real>& to, int lane, const QuatT<typename Real::Alone>& q) {
  to.w.set(lane, q.w.value);
  to.x.set(lane, q.x.value);
  to.y.set(lane, q.y.value);
  to.z.set(lane, q.z.value);
}

// The places of lanes in two packs side by side, and what lies there.
template <class Real>
[[gnu::always_inline]] inline typename Real::Places places(const std::uint8_t* bytes) {
  static_assert(2 * Real::width <= 256);
  typename Real::Places result{};
  for (int i = 0; i < Real::width; ++i) result[i] = bytes[i];
  return result;
}
template <class Real>
inline Vec3T<Real> shuffled(const Vec3T<Real>& a, const Vec3T<Real>& b,
                            const typename Real::Places& p) {
  return {shuffled(a.x, b.x, p), shuffled(a.y, b.y, p), shuffled(a.z, b.z, p)};
}
template <class Real>
inline QuatT<Real> shuffled(const QuatT<Real>& a, const QuatT<Real>& b,
                            const typename Real::Places& p) {
  return {shuffled(a.w, b.w, p), shuffled(a.x, b.x, p), shuffled(a.y, b.y, p),
          shuffled(a.z, b.z, p)};
}

}  // namespace thigmo
