#pragma once

// Shuffles of two vectors by places that are known only when the program runs.

#include "math/lane_vector.h"

namespace thigmo {

// Bytes of the widest register that the processor shuffles by places in another register; 0: by none.
#if defined(__AVX512F__)
inline constexpr int shuffled_bytes = 64;
#elif defined(__AVX2__)
inline constexpr int shuffled_bytes = 32;
#elif defined(__SSSE3__) || defined(__wasm_simd128__) || defined(__aarch64__)
inline constexpr int shuffled_bytes = 16;
#else
inline constexpr int shuffled_bytes = 0;
#endif

// The bytes of a table of 16 at `places`; zero where a place is 16 or more.
using Bytes16 = Vector<unsigned char, 16>;
[[gnu::always_inline]] inline Bytes16 bytes_at(const Bytes16& table, const Bytes16& places) {
#if defined(__SSSE3__)
  // pshufb takes a place modulo 16, and gives zero where its highest bit is set.
  const __m128i at = _mm_adds_epu8(as_bytes_of<__m128i>(places), _mm_set1_epi8(0x70));
  return as_bytes_of<Bytes16>(_mm_shuffle_epi8(as_bytes_of<__m128i>(table), at));
#elif defined(__wasm_simd128__)
  return as_bytes_of<Bytes16>(
      wasm_i8x16_swizzle(as_bytes_of<v128_t>(table), as_bytes_of<v128_t>(places)));
#elif defined(__aarch64__)
  return as_bytes_of<Bytes16>(
      vqtbl1q_u8(as_bytes_of<uint8x16_t>(table), as_bytes_of<uint8x16_t>(places)));
#else
  Bytes16 result;
  for (int i = 0; i < 16; ++i) result[i] = places[i] < 16 ? table[places[i]] : 0;
  return result;
#endif
}

// One register of 16 bytes, byte by byte.
template <class T, int count>
[[gnu::always_inline]] inline Vector<T, count> shuffled_by_bytes(Vector<T, count> a,
                                                                 Vector<T, count> b,
                                                                 PlacesOf<T, count> places) {
  static_assert(sizeof a == 16);
  const auto bytes = as_bytes_of<Bytes16>(places);
  Bytes16 at;
  if constexpr (sizeof(T) == 8) {
    const Bytes16 lowest =
        __builtin_shufflevector(bytes, bytes, 0, 0, 0, 0, 0, 0, 0, 0, 8, 8, 8, 8, 8, 8, 8, 8);
    at = (lowest << 3) + Bytes16{0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7};
  } else {
    const Bytes16 lowest =
        __builtin_shufflevector(bytes, bytes, 0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12);
    at = (lowest << 2) + Bytes16{0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3};
  }
  // Places of b are those from 16 on; below that the difference wraps around.
  const Bytes16 from_a = bytes_at(as_bytes_of<Bytes16>(a), at),
                from_b = bytes_at(as_bytes_of<Bytes16>(b), at - static_cast<unsigned char>(16));
  return as_bytes_of<Vector<T, count>>(from_a | from_b);
}

#if defined(__AVX512VL__)
[[gnu::always_inline]] inline Vector<double, 2> shuffled_register(Vector<double, 2> a,
                                                                  Vector<double, 2> b,
                                                                  PlacesOf<double, 2> places) {
  return _mm_permutex2var_pd(a, as_bytes_of<__m128i>(places), b);
}
[[gnu::always_inline]] inline Vector<float, 4> shuffled_register(Vector<float, 4> a,
                                                                 Vector<float, 4> b,
                                                                 PlacesOf<float, 4> places) {
  return _mm_permutex2var_ps(a, as_bytes_of<__m128i>(places), b);
}
[[gnu::always_inline]] inline Vector<double, 4> shuffled_register(Vector<double, 4> a,
                                                                  Vector<double, 4> b,
                                                                  PlacesOf<double, 4> places) {
  return _mm256_permutex2var_pd(a, as_bytes_of<__m256i>(places), b);
}
[[gnu::always_inline]] inline Vector<float, 8> shuffled_register(Vector<float, 8> a,
                                                                 Vector<float, 8> b,
                                                                 PlacesOf<float, 8> places) {
  return _mm256_permutex2var_ps(a, as_bytes_of<__m256i>(places), b);
}
#else
[[gnu::always_inline]] inline Vector<double, 2> shuffled_register(Vector<double, 2> a,
                                                                  Vector<double, 2> b,
                                                                  PlacesOf<double, 2> places) {
  return shuffled_by_bytes<double, 2>(a, b, places);
}
[[gnu::always_inline]] inline Vector<float, 4> shuffled_register(Vector<float, 4> a,
                                                                 Vector<float, 4> b,
                                                                 PlacesOf<float, 4> places) {
  return shuffled_by_bytes<float, 4>(a, b, places);
}
#if defined(__AVX2__)
// Both vectors by places modulo 8, of which the next bit chooses.
[[gnu::always_inline]] inline Vector<float, 8> shuffled_register(Vector<float, 8> a,
                                                                 Vector<float, 8> b,
                                                                 PlacesOf<float, 8> places) {
  const auto at = as_bytes_of<__m256i>(places);
  const __m256 from_b = as_bytes_of<__m256>(_mm256_slli_epi32(at, 28));
  return _mm256_blendv_ps(_mm256_permutevar8x32_ps(a, at), _mm256_permutevar8x32_ps(b, at), from_b);
}
// A double is two floats: place p is 2p and 2p + 1.
[[gnu::always_inline]] inline Vector<double, 4> shuffled_register(Vector<double, 4> a,
                                                                  Vector<double, 4> b,
                                                                  PlacesOf<double, 4> places) {
  const auto low = as_bytes_of<__m256i>(places + places);
  const __m256i both = _mm256_shuffle_epi32(low, 0xa0),
                at = _mm256_or_si256(both, _mm256_set1_epi64x(0x100000000));
  return as_bytes_of<Vector<double, 4>>(shuffled_register(as_bytes_of<Vector<float, 8>>(a),
                                                          as_bytes_of<Vector<float, 8>>(b),
                                                          as_bytes_of<PlacesOf<float, 8>>(at)));
}
#endif
#endif
#if defined(__AVX512F__)
[[gnu::always_inline]] inline Vector<double, 8> shuffled_register(Vector<double, 8> a,
                                                                  Vector<double, 8> b,
                                                                  PlacesOf<double, 8> places) {
  return _mm512_permutex2var_pd(a, as_bytes_of<__m512i>(places), b);
}
[[gnu::always_inline]] inline Vector<float, 16> shuffled_register(Vector<float, 16> a,
                                                                  Vector<float, 16> b,
                                                                  PlacesOf<float, 16> places) {
  return _mm512_permutex2var_ps(a, as_bytes_of<__m512i>(places), b);
}
#endif

// Lanes of a and b side by side: place p < count is a's lane p, from `count` on b's. Places are below
// 2 count. In registers where the processor can, else through memory.
template <class T, int count>
[[gnu::always_inline]] inline Vector<T, count> shuffled(Vector<T, count> a, Vector<T, count> b,
                                                        PlacesOf<T, count> places) {
  constexpr int bytes = sizeof a;
  if constexpr (bytes >= 16 && bytes <= shuffled_bytes) {
    return shuffled_register(a, b, places);
  } else if constexpr (bytes > shuffled_bytes && shuffled_bytes > 0) {
    // Each half of the result from all of a and from all of b, of which a bit of the place chooses.
    constexpr int half = count / 2;
    using Whole = typename PlaceFor<T>::Type;
    const auto from = [&](PlacesOf<T, half> at) __attribute__((always_inline)) {
      const PlacesOf<T, half> within = at & static_cast<Whole>(count - 1);
      const Vector<T, half> of_a =
          shuffled<T, half>(low_half<T, count>(a), high_half<T, count>(a), within);
      const Vector<T, half> of_b =
          shuffled<T, half>(low_half<T, count>(b), high_half<T, count>(b), within);
      return at < static_cast<Whole>(count) ? of_a : of_b;
    };
    return joined<T, half>(from(low_half<Whole, count>(places)),
                           from(high_half<Whole, count>(places)));
  } else {
    T both[2 * count];
    __builtin_memcpy(both, &a, sizeof a);
    __builtin_memcpy(both + count, &b, sizeof b);
    Vector<T, count> result{};
    for (int i = 0; i < count; ++i) result[i] = both[places[i]];
    return result;
  }
}

}  // namespace thigmo
