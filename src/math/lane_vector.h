#pragma once

// The compiler's vector types, for any kind and number of lanes, which gcc and clang take alike for AVX-512,
// AVX2, SSE2, NEON and WebAssembly. What is wider than the processor's registers is done by halves.
// All of it is always inlined, so that no code for one processor is run on another.

#if defined(__SSSE3__)
#include <immintrin.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

#include <type_traits>
#include <utility>

namespace thigmo {

template <class T, int count>
struct VectorOf {
  typedef T Type __attribute__((vector_size(count * sizeof(T))));
};
template <class T, int count>
using Vector = typename VectorOf<T, count>::Type;

// The integer that names a lane in a shuffle: as many bytes as the lane has.
template <class T>
struct PlaceFor;
template <>
struct PlaceFor<double> {
  using Type = long long;
};
template <>
struct PlaceFor<float> {
  using Type = int;
};
template <class T, int count>
using PlacesOf = Vector<typename PlaceFor<T>::Type, count>;

// What comparing two vectors gives: all bits of a lane, or none.
template <class T, int count>
using BitsOf = decltype(Vector<T, count>{} < Vector<T, count>{});

// The same bytes as another type.
template <class To, class From>
[[gnu::always_inline]] inline To as_bytes_of(const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  __builtin_memcpy(&to, &from, sizeof to);
  return to;
}

// ---- parts ----

// Lanes of a and b side by side, by places that the compiler knows.
template <class T, int count, int... places>
[[gnu::always_inline]] inline Vector<T, sizeof...(places)> picked(Vector<T, count> a,
                                                                  Vector<T, count> b) {
  return __builtin_shufflevector(a, b, places...);
}

// `length` lanes of a and b side by side, from `first` on.
template <class T, int count, int first, int length>
[[gnu::always_inline]] inline Vector<T, length> stretch_of(Vector<T, count> a, Vector<T, count> b) {
  return [&]<int... i>(std::integer_sequence<int, i...>) __attribute__((always_inline)) {
    return picked<T, count, (first + i)...>(a, b);
  }
  (std::make_integer_sequence<int, length>{});
}

template <class T, int count>
[[gnu::always_inline]] inline Vector<T, count / 2> low_half(Vector<T, count> v) {
  return stretch_of<T, count, 0, count / 2>(v, v);
}
template <class T, int count>
[[gnu::always_inline]] inline Vector<T, count / 2> high_half(Vector<T, count> v) {
  return stretch_of<T, count, count / 2, count / 2>(v, v);
}
// Of two halves the whole.
template <class T, int half>
[[gnu::always_inline]] inline Vector<T, 2 * half> joined(Vector<T, half> low,
                                                         Vector<T, half> high) {
  return stretch_of<T, half, 0, 2 * half>(low, high);
}

// ---- other kinds of numbers ----

// Each lane as `To`. Where the result has more bytes the compilers convert by halves of a register, so the
// instructions are named.
template <class To, class From, int count>
[[gnu::always_inline]] inline Vector<To, count> converted(Vector<From, count> v) {
  constexpr bool widens = sizeof(To) > sizeof(From);
  if constexpr (std::is_same_v<To, From>) {
    return v;
  } else if constexpr (widens && std::is_same_v<To, double>) {
#ifdef __AVX512F__
    if constexpr (count == 8 && std::is_same_v<From, float>) return _mm512_maskz_cvtps_pd(0xff, v);
    if constexpr (count == 8 && std::is_same_v<From, int>)
      return _mm512_maskz_cvtepi32_pd(0xff, as_bytes_of<__m256i>(v));
#endif
#ifdef __AVX__
    if constexpr (count == 4 && std::is_same_v<From, float>) return _mm256_cvtps_pd(v);
    if constexpr (count == 4 && std::is_same_v<From, int>)
      return _mm256_cvtepi32_pd(as_bytes_of<__m128i>(v));
    if constexpr (count > 4)
      return joined<To, count / 2>(converted<To, From, count / 2>(low_half<From, count>(v)),
                                   converted<To, From, count / 2>(high_half<From, count>(v)));
#endif
    return __builtin_convertvector(v, Vector<To, count>);
  } else {
    return __builtin_convertvector(v, Vector<To, count>);
  }
}

// ---- comparisons ----

// Whether any lane of a comparison is set.
template <class T, int count>
[[gnu::always_inline]] inline bool any_set(BitsOf<T, count> bits) {
  constexpr int bytes = sizeof bits;
#ifdef __AVX512F__
  if constexpr (bytes == 64) {
    const __m512i m = as_bytes_of<__m512i>(bits);
    return _mm512_test_epi64_mask(m, m) != 0;
  }
#endif
#ifdef __AVX__
  if constexpr (bytes == 32) return _mm256_movemask_ps(as_bytes_of<__m256>(bits)) != 0;
#endif
#if defined(__SSSE3__)
  if constexpr (bytes == 16) return _mm_movemask_ps(as_bytes_of<__m128>(bits)) != 0;
#elif defined(__wasm_simd128__)
  if constexpr (bytes == 16) return wasm_v128_any_true(as_bytes_of<v128_t>(bits));
#endif
  if constexpr (bytes == 8) {
    return as_bytes_of<long long>(bits) != 0;
  } else {
    using Whole = typename PlaceFor<T>::Type;
    const auto lanes = as_bytes_of<Vector<Whole, count>>(bits);
    const auto both = low_half<Whole, count>(lanes) | high_half<Whole, count>(lanes);
    if constexpr (bytes == 16) {
      return as_bytes_of<long long>(both) != 0;
    } else {
      return any_set<T, count / 2>(as_bytes_of<BitsOf<T, count / 2>>(both));
    }
  }
}

}  // namespace thigmo
