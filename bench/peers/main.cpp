#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "bench/bench.h"
#include "bench/peers/peers.h"
#include "bench/peers/trees.h"

namespace thigmo::bench {
namespace {

constexpr double frame = 1.0 / 60;    // [s]
constexpr double settling_time = 40;  // [s]
constexpr int blocks = 20;

// Programs hold the same tree when the accelerations of all joints in a random motion differ by no more
// than this part of the largest (thigmo keeps some numbers of a step as floats), and when all tips come
// to rest this close to each other, in sizes of the tree.
constexpr double same_acceleration = 1e-3, same_pose = 1e-3;

double largest(const std::vector<Vec3>& vectors) {
  double most = 0;
  for (const Vec3& v : vectors) most = length(v) <= most ? most : length(v);  // NaN counts
  return most;
}

double largest_difference(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, length(a[i] - b[i]));
  return most;
}

// One program and thigmo with the same tree.
struct Comparison {
  std::string program, tree;
  std::size_t bodies = 0;
  double mean_depth = 0;
  double thigmo_ns = 0, peer_ns = 0;    // per body and step
  double peer_setup = 0;                // [s]
  double acceleration_difference = 0;   // over the largest
  double sag = 0, pose_difference = 0;  // over the size of the tree
  double needed = 0;                    // times faster that thigmo should be; 0: nothing was asked
  bool same() const {
    return acceleration_difference <= same_acceleration && pose_difference <= same_pose;
  }
};

void settle(Peer& peer) {
  for (double time = 0; time < settling_time; time += frame) {
    if (!peer.step()) throw std::runtime_error(peer.name() + " gave up while the tree settled");
  }
}

// Seconds a step while the tree falls from its straight pose: at rest nothing would be shown.
double fall_seconds(Peer& peer, const JointMotion& start, int steps) {
  peer.set(start);
  peer.step();
  return best_cpu_seconds(1,
                          [&] {
                            for (int i = 0; i < steps; ++i) peer.step();
                          }) /
         steps;
}

using MakePeer = std::unique_ptr<Peer> (*)(const Mechanism& mechanism, double step);

// `steps` are those of a measured fall.
Comparison compare(const Tree& tree, MakePeer make_peer, int steps, double needed) {
  const Mechanism& mechanism = tree.mechanism;
  Comparison c{.tree = tree.name,
               .bodies = mechanism.body.size(),
               .mean_depth = tree.mean_depth,
               .needed = needed};
  const std::unique_ptr<Peer> thigmo = make_thigmo(mechanism, frame);
  std::unique_ptr<Peer> peer;
  c.peer_setup = best_cpu_seconds(1, [&] { peer = make_peer(mechanism, frame); });
  c.program = peer->name();

  const JointMotion start = at_rest(mechanism), motion = random_motion(mechanism);
  thigmo->set(motion);
  peer->set(motion);
  const std::vector<Vec3> ours = thigmo->accelerations();
  c.acceleration_difference = largest_difference(ours, peer->accelerations()) / largest(ours);

  thigmo->set(start);
  peer->set(start);
  const std::vector<Vec3> straight = thigmo->tips();
  double size = 0;
  for (const Vec3& tip : straight)
    size = std::max(size, length(tip - mechanism.body.front().base_in_parent));
  settle(*thigmo);
  settle(*peer);
  c.sag = largest_difference(thigmo->tips(), straight) / size;
  c.pose_difference = largest_difference(thigmo->tips(), peer->tips()) / size;

  // In turns, so that what slows the machine down slows both.
  const double per_body = 1e9 / static_cast<double>(c.bodies);
  c.thigmo_ns = c.peer_ns = std::numeric_limits<double>::infinity();
  for (int block = 0; block < blocks; ++block) {
    c.thigmo_ns = std::min(c.thigmo_ns, fall_seconds(*thigmo, start, 30) * per_body);
    c.peer_ns = std::min(c.peer_ns, fall_seconds(*peer, start, steps) * per_body);
  }
  return c;
}

void print(const Comparison& c) {
  const double ratio = c.peer_ns / c.thigmo_ns;
  fmt::print("{:<13} {:<7} {:>6} {:>6.1f} {:>8.0f} {:>8.0f} {:>9.1f} {:>8} {:>9.2f} {:>9.1e} ",
             c.program, c.tree, c.bodies, c.mean_depth, c.thigmo_ns, c.peer_ns, ratio,
             c.needed == 0       ? ""
             : ratio >= c.needed ? fmt::format("{} met", c.needed)
                                 : fmt::format("{} MISSED", c.needed),
             c.peer_setup, c.acceleration_difference);
  fmt::print("{:>5.1f} % {:>9.1e}{}\n", 100 * c.sag, c.pose_difference,
             c.same() ? "" : "  NOT THE SAME TREE");
}

// Steps that a program lasts when nothing damps the tree; at most 10 s of them.
void show_undamped(Tree tree, MakePeer make_peer) {
  for (Body& body : tree.mechanism.body) body.damping_time = 0;
  const std::unique_ptr<Peer> peer = make_peer(tree.mechanism, frame);
  peer->set(at_rest(tree.mechanism));
  int steps = 0;
  while (steps < 600 && peer->step() && std::isfinite(largest(peer->tips()))) ++steps;
  fmt::print("{}, {} of {} bodies without damping: {}\n", peer->name(), tree.name,
             tree.mechanism.body.size(),
             steps < 600 ? fmt::format("gives up after {} steps", steps) : "10 s are stable");
}

int run(const std::string& gallery) {
  fmt::print(
      "Trees of soft wood fall under their weight, steps of 1/60 s, one core. Times are for\n"
      "one body and one step, the best of {} falls.\n\n",
      blocks);
  fmt::print("{:<13} {:<7} {:>6} {:>6} {:>8} {:>8} {:>9} {:>8} {:>9} {:>9} {:>7} {:>9}\n", "", "",
             "bodies", "mean", "thigmo", "peer", "thigmo is", "", "peer's", "accel.", "sag",
             "pose");
  fmt::print("{:<13} {:<7} {:>6} {:>6} {:>8} {:>8} {:>9} {:>8} {:>9} {:>9} {:>7} {:>9}\n", "", "",
             "", "depth", "[ns]", "[ns]", "times", "target", "set-up[s]", "differ", "/ size",
             "differs");
  std::vector<Comparison> rows;
  const auto show = [&rows](const Tree& tree, MakePeer make, int steps, double needed) {
    rows.push_back(compare(tree, make, steps, needed));
    print(rows.back());
  };
#ifdef THIGMO_WITH_DART
  show(random_tree(300, 7), make_dart, 30, 12);
  show(gallery_tree(gallery, "oak", {{"TRUNK", 0.064}}, 0.2), make_dart, 30, 12);
  show(gallery_tree(gallery, "willow", {{"TRUNK", 0.043}}, 1), make_dart, 30, 12);
  show(gallery_tree(gallery, "palm", {{"FRONDS", 10}}, 1), make_dart, 30, 12);
  show(level_rod(90), make_dart, 30, 0);
#endif
#ifdef THIGMO_WITH_MUJOCO
  show(random_tree(1000, 26), make_mujoco, 2, 150);
  show(gallery_tree(gallery, "oak", {{"TRUNK", 0.12}}, 0.2), make_mujoco, 2, 150);
  show(gallery_tree(gallery, "willow", {{"TRUNK", 0.08}}, 1), make_mujoco, 2, 150);
  show(gallery_tree(gallery, "palm", {{"FRONDS", 34}}, 1), make_mujoco, 2, 150);
  show(level_rod(90), make_mujoco, 2, 0);
#endif
  fmt::print("\n");
  const Tree oak = gallery_tree(gallery, "oak", {{"TRUNK", 0.064}}, 0.2);
  show_undamped(oak, make_thigmo);
#ifdef THIGMO_WITH_DART
  show_undamped(oak, make_dart);
#endif
#ifdef THIGMO_WITH_MUJOCO
  show_undamped(oak, make_mujoco);
#endif
  if (rows.empty()) {
    fmt::print("no other program was found when this was built: tools/bootstrap --peers\n");
    return 1;
  }
  fmt::print(
      "\naccel.: of all joints in one random motion, over the largest. pose: tips at rest after {} "
      "s\n"
      "over the size of the tree; sag: how far they fell.\n",
      settling_time);
  return std::all_of(rows.begin(), rows.end(), [](const Comparison& c) { return c.same(); }) ? 0
                                                                                             : 1;
}

}  // namespace
}  // namespace thigmo::bench

int main(int argument_count, char** arguments) {
  try {
    return thigmo::bench::run(argument_count > 1 ? arguments[1] : "gallery");
  } catch (const std::exception& failure) {
    fmt::print(stderr, "{}\n", failure.what());
    return 1;
  }
}
