#include "mesh/strap.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "base/random.h"
#include "mesh/organ.h"
#include "mesh/palette.h"
#include "mesh/tube_rings.h"

namespace thigmo {
namespace {

using std::numbers::pi;

// A needle or blade along its segment, which starts on it and reaches its end; one that goes on from
// near its tip may bend off.
bool is_piece(const Plant& plant, const Organ& organ, const MeshOptions& options) {
  if (!is_narrow_leaf(organ)) return false;
  if (!(organ.length > 0) || !(organ.width > 0) || has_user_mesh(organ, options)) return false;
  const Segment& s = at(plant.segments, organ.segment);
  const Vec3 base = base_in_segment(organ);
  const Vec3 along = rotate(segment_from_organ(organ), {0, 1, 0});
  const double least = base.y > 0.5 * s.length ? 0.5 : 0.97;
  return along.y > least && std::hypot(base.x, base.z) < 0.5 * organ.width &&
         base.y + organ.length > 0.95 * s.length;
}

// Whether it covers the segment, rather than going on from its tip.
bool covers(const Plant& plant, const Organ& organ) {
  return base_in_segment(organ).y < 0.3 * at(plant.segments, organ.segment).length;
}

// One row of a strap.
struct Row {
  Ring ring;
  Vec3 across_world, up_world;
  double along = 0;  // from the strap's start [m]
  double half = 0;   // of the width [m]
  Index piece = 0;   // organ
};

// Widths are known in the middle of the pieces; between them they follow a cubic through these.
class WidthProfile {
 public:
  void add(double along, double width) { knots_.push_back({along, width}); }

  double at(double along) const {
    if (along <= knots_.front().along) return knots_.front().width;
    if (along >= knots_.back().along) return knots_.back().width;
    std::size_t i = 0;
    while (knots_[i + 1].along < along) ++i;
    const double h = knots_[i + 1].along - knots_[i].along, t = (along - knots_[i].along) / h;
    const double a = knots_[i].width, b = knots_[i + 1].width, s = 1 - t;
    return a * (1 + 2 * t) * s * s + b * t * t * (3 - 2 * t) +
           h * t * s * (slope(i) * s - slope(i + 1) * t);
  }

 private:
  struct Knot {
    double along = 0, width = 0;
  };
  double slope(std::size_t i) const {
    if (i == 0 || i + 1 == knots_.size()) return 0;
    return (knots_[i + 1].width - knots_[i - 1].width) /
           (knots_[i + 1].along - knots_[i - 1].along);
  }
  std::vector<Knot> knots_;
};

class StrapWriter {
 public:
  StrapWriter(const Plant& plant, const Tube& tube, const Strap& strap, const Pose& rest)
      : plant_(plant), strap_(strap), rest_(rest), rings_(tube_rings(plant, rest, tube)) {
    for (const Index piece : strap.pieces) {
      const Organ& organ = at(plant.organs, piece);
      if (covers(plant, organ)) bearers_.push_back({organ.segment, piece});
    }
  }

  std::vector<Row> rows(double width_factor) {
    lay_rows();
    add_tip();
    fill_widths(width_factor);
    return std::move(rows_);
  }

 private:
  struct Bearer {
    Index segment = 0, piece = 0;
  };

  Index piece_on(Index segment) const {
    for (const Bearer& b : bearers_) {
      if (b.segment == segment) return b.piece;
    }
    return no_index;
  }

  Vec3 upper_side(Index piece) const {
    const Organ& o = at(plant_.organs, piece);
    return rotate(at(rest_.world_from_segment, o.segment) * segment_from_organ(o), {0, 0, 1});
  }

  // A row at every ring that the midrib has from the first piece's joint on, but not two within a
  // tenth of the width.
  void lay_rows() {
    const double least = 0.1 * static_cast<double>(first().width);
    for (std::size_t i = 0; i < rings_.size(); ++i) {
      const Ring& ring = rings_[i];
      Vec3 up;
      Index piece = no_index;
      for (std::size_t k = 0; k < 2 && ring.joint[k] != no_index; ++k) {
        const Index found = piece_on(ring.joint[k]);
        if (found == no_index) continue;
        up += upper_side(found) * static_cast<double>(ring.weight[k]);
        piece = found;
      }
      if (piece == no_index) continue;
      const bool last = i + 1 == rings_.size();
      if (!rows_.empty() && !last && ring.along - rows_.back().ring.along < least) continue;
      add_row(ring, up, piece);
    }
  }

  void add_row(const Ring& ring, const Vec3& up, Index piece) {
    const Vec3 across =
        normalized(cross(ring.tangent_world, up), any_perpendicular(ring.tangent_world));
    const double along =
        rows_.empty() ? 0 : rows_.back().along + ring.along - rows_.back().ring.along;
    rows_.push_back({.ring = ring,
                     .across_world = across,
                     .up_world = cross(across, ring.tangent_world),
                     .along = along,
                     .piece = piece});
  }

  const Organ& first() const { return at(plant_.organs, strap_.pieces.front()); }
  const Organ& last() const { return at(plant_.organs, strap_.pieces.back()); }

  // What reaches beyond the last segment goes with it: a quadratic Bézier curve that turns into the last
  // piece's direction and hangs over like a blade's end.
  void add_tip() {
    const Row from = rows_.back();
    const Segment& s = at(plant_.segments, last().segment);
    const double reach =
        std::max(base_in_segment(last()).y + last().length - s.length, 0.02 * s.length);
    const double droop = 0.7 * leaf_form(last().shape).droop;
    const Quat world_from_piece =
        at(rest_.world_from_segment, last().segment) * segment_from_organ(last());
    const Vec3 up = rotate(world_from_piece, {0, 0, 1});
    const Vec3 end = (rotate(world_from_piece, {0, 1, 0}) - up * droop) * reach;
    const Vec3 middle = from.ring.tangent_world * (0.35 * reach);
    for (const double t : {0.15, 0.3, 0.45, 0.6, 0.8, 1.0}) {
      const double s1 = 1 - t;
      Ring ring = from.ring;
      ring.joint = {last().segment, no_index};
      ring.weight = {1, 0};
      ring.centre_world += middle * (2 * s1 * t) + end * (t * t);
      ring.tangent_world = normalized(middle * s1 + (end - middle) * t, from.ring.tangent_world);
      ring.along = from.ring.along + t * reach;
      add_row(ring, from.up_world * s1 + up * t, strap_.pieces.back());
    }
  }

  void fill_widths(double factor) {
    const double total = rows_.back().along;
    WidthProfile profile;
    profile.add(0, 0.8 * static_cast<double>(first().width));
    for (const Bearer& b : bearers_) {
      double low = total, high = 0;
      for (const Row& row : rows_) {
        if (row.piece != b.piece) continue;
        low = std::min(low, row.along);
        high = std::max(high, row.along);
      }
      if (low > high) continue;  // too short for a row of its own
      const double middle = 0.5 * (low + high);
      if (middle > 0 && middle < total) profile.add(middle, at(plant_.organs, b.piece).width);
    }
    profile.add(total, 0);
    for (Row& row : rows_) {
      row.half = std::max(0.5 * factor * profile.at(row.along), 5e-5 * first().width);
    }
  }

  const Plant& plant_;
  const Strap& strap_;
  const Pose& rest_;
  std::vector<Ring> rings_;
  std::vector<Bearer> bearers_;
  std::vector<Row> rows_;
};

constexpr std::array<double, 5> columns{-1.0, -0.55, 0.0, 0.55, 1.0};

// Gutters at the foot that open towards the tip, with waving margins.
OrganSurface strap_surface(std::span<const Row> rows, const Vec3f& colour, double phase) {
  OrganSurface shape;
  double widest = 0;
  for (const Row& row : rows) widest = std::max(widest, row.half);
  const double total = rows.back().along;
  for (const Row& row : rows) {
    const double t = total > 0 ? row.along / total : 0;
    const double fold = 0.45 * (1 - t) + 0.15 * t;
    for (const double side : columns) {
      const double s = std::abs(side);
      const double wave =
          0.09 * s * s * std::sin(2 * pi * row.along / (5 * widest) + phase + (side < 0 ? 1.9 : 0));
      shape.positions.push_back(row.ring.centre_world + row.across_world * (side * row.half) +
                                row.up_world * ((fold * s * std::sqrt(s) + wave) * row.half));
      shape.uvs.push_back(
          {static_cast<float>(0.5 + 0.5 * side * row.half / widest), static_cast<float>(t)});
      shape.colours.push_back(side == 0 ? colour * 1.12f : colour);
    }
  }
  for (std::uint32_t row = 0; row + 1 < rows.size(); ++row) {
    for (std::uint32_t k = 0; k + 1 < columns.size(); ++k) {
      const auto wide = static_cast<std::uint32_t>(columns.size());
      const std::uint32_t a = row * wide + k, d = a + wide;
      shape.indices.insert(shape.indices.end(), {a, a + 1, d + 1, a, d + 1, d});
    }
  }
  compute_normals(shape);
  compute_tangents(shape);
  return shape;
}

}  // namespace

std::vector<Strap> find_straps(const Plant& plant, std::span<const Tube> tubes,
                               const MeshOptions& options) {
  std::vector<std::vector<Index>> on_segment(plant.segments.size());
  bool any = false;
  for (std::size_t i = 0; i < plant.organs.size(); ++i) {
    if (!is_piece(plant, plant.organs[i], options)) continue;
    at(on_segment, plant.organs[i].segment).push_back(static_cast<Index>(i));
    any = true;
  }
  std::vector<Strap> straps;
  for (std::size_t t = 0; any && t < tubes.size(); ++t) {
    // The run of segments up to the tube's tip that bear one covering piece each; on the last there may
    // be one more, which goes on from the tip.
    Strap strap{.tube = t, .pieces = {}};
    bool ended = false;
    for (const Index s : tubes[t].segments) {
      const std::vector<Index>& here = at(on_segment, s);
      const bool piece = !here.empty() && covers(plant, at(plant.organs, here.front()));
      if (ended || (!piece && !strap.pieces.empty())) {
        ended = true;
        break;
      }
      if (!piece) continue;
      strap.pieces.push_back(here.front());
      if (s != tubes[t].segments.back() || here.size() < 2) continue;
      if (!covers(plant, at(plant.organs, here[1]))) strap.pieces.push_back(here[1]);
    }
    if (!ended && strap.pieces.size() >= 2) straps.push_back(std::move(strap));
  }
  return straps;
}

void add_strap(const Plant& plant, const Tube& tube, const Strap& strap, double width_factor,
               Index number, SkinnedMesh& mesh) {
  const std::vector<Row> rows = StrapWriter(plant, tube, strap, mesh.rest).rows(width_factor);
  const double phase = 2 * pi * unit_from_bits(mix_bits(static_cast<std::uint64_t>(number), 13));
  const OrganSurface shape =
      strap_surface(rows, organ_colour(at(plant.organs, strap.pieces.front()), number), phase);
  const auto narrow = [](const Vec3& v) {
    return Vec3f{static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
  };
  const auto first = static_cast<std::uint32_t>(mesh.positions.size());
  for (const Vec3& p : shape.positions) mesh.positions.push_back(narrow(p));
  for (const Vec3& n : shape.normals) mesh.normals.push_back(narrow(n));
  mesh.tangents.insert(mesh.tangents.end(), shape.tangents.begin(), shape.tangents.end());
  mesh.uvs.insert(mesh.uvs.end(), shape.uvs.begin(), shape.uvs.end());
  mesh.colours.insert(mesh.colours.end(), shape.colours.begin(), shape.colours.end());
  for (const std::uint32_t i : shape.indices) mesh.indices.push_back(first + i);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const Ring& ring = rows[r].ring;
    SkinGroup group{.first_vertex = first + static_cast<std::uint32_t>(r * columns.size()),
                    .vertex_count = static_cast<std::uint32_t>(columns.size()),
                    .joint = {ring.joint[0], 0, 0, 0},
                    .organ = rows[r].piece};
    if (ring.joint[1] != no_index) {
      group.joint[1] = ring.joint[1];
      group.weight = {ring.weight[0], ring.weight[1], 0, 0};
    }
    mesh.groups.push_back(group);
  }
}

}  // namespace thigmo
