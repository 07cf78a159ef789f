#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "bench/peers/peers.h"

namespace thigmo::bench {
namespace {

// What writes the tree as MuJoCo's XML.
struct XmlWriter {
  const Mechanism& mechanism;
  std::vector<std::vector<std::size_t>> children;
  std::string text;

  void write(std::size_t i) {
    const Body& body = mechanism.body[i];
    const Quat& q = body.parent_from_rest;
    const Vec3& p = body.base_in_parent;
    // About the middle of mass: I - m (c² 1 - c cᵀ).
    const Vec3 c = body.first_moment / body.mass;
    const Sym3 m = widened(body.inertia) - (identity_times(dot(c, c)) - outer(c)) * body.mass;
    text += fmt::format(
        "<body name=\"{}\" pos=\"{} {} {}\" quat=\"{} {} {} {}\">"
        "<joint type=\"ball\" stiffness=\"{}\" damping=\"{}\"/>"
        "<inertial pos=\"{} {} {}\" mass=\"{}\" fullinertia=\"{} {} {} {} {} {}\"/>\n",
        i, p.x, p.y, p.z, q.w, q.x, q.y, q.z, body.stiffness.x,
        body.stiffness.x * body.damping_time, c.x, c.y, c.z, body.mass, m.xx, m.yy, m.zz, m.xy,
        m.xz, m.yz);
    for (std::size_t child : children[i]) write(child);
    text += "</body>\n";
  }
};

std::string xml_of(const Mechanism& mechanism, double step) {
  XmlWriter writer{mechanism, std::vector<std::vector<std::size_t>>(mechanism.body.size()), {}};
  writer.text = fmt::format(
      "<mujoco><compiler inertiafromgeom=\"false\"/><size njmax=\"1\" nconmax=\"1\"/>"
      "<option timestep=\"{}\" gravity=\"0 -9.81 0\" integrator=\"Euler\" jacobian=\"sparse\">"
      "<flag constraint=\"disable\" contact=\"disable\" actuation=\"disable\" sensor=\"disable\"/>"
      "</option><worldbody>\n",
      step);
  std::vector<std::size_t> on_base;
  for (std::size_t i = 0; i < mechanism.body.size(); ++i) {
    const Index parent = mechanism.parent[i];
    (parent == no_index ? on_base : writer.children[static_cast<std::size_t>(parent)]).push_back(i);
  }
  for (std::size_t i : on_base) writer.write(i);
  return writer.text + "</worldbody></mujoco>\n";
}

struct FreeModel {
  void operator()(mjModel* model) const { mj_deleteModel(model); }
};
struct FreeData {
  void operator()(mjData* data) const { mj_deleteData(data); }
};

std::unique_ptr<mjModel, FreeModel> load(const std::string& xml) {
  const auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
  const char* name = "tree.xml";
  mj_makeEmptyFileVFS(files.get(), name, static_cast<int>(xml.size()));
  std::memcpy(files->filedata[mj_findFileVFS(files.get(), name)], xml.data(), xml.size());
  char why[1000] = "";
  std::unique_ptr<mjModel, FreeModel> model(mj_loadXML(name, files.get(), why, sizeof why));
  mj_deleteVFS(files.get());
  if (!model) throw std::runtime_error(fmt::format("MuJoCo refuses the tree: {}", why));
  return model;
}

class Mujoco : public Peer {
 public:
  Mujoco(const Mechanism& mechanism, double step)
      : mechanism_(mechanism),
        model_(load(xml_of(mechanism, step))),
        data_(mj_makeData(model_.get())) {
    mju_user_warning = [](const char*) {};  // else it prints, and leaves a file
    for (std::size_t i = 0; i < mechanism.body.size(); ++i) {
      const int body = mj_name2id(model_.get(), mjOBJ_BODY, std::to_string(i).c_str());
      const int joint = model_->body_jntadr[body];
      body_.push_back(body);
      turn_.push_back(model_->jnt_qposadr[joint]);
      speed_.push_back(model_->jnt_dofadr[joint]);
    }
  }

  std::string name() const override { return fmt::format("MuJoCo {}", mj_versionString()); }

  void set(const JointMotion& motion) override {
    mj_resetData(model_.get(), data_.get());
    for (std::size_t i = 0; i < body_.size(); ++i) {
      const Quat& q = motion.rest_from_body[i];
      const Vec3& w = motion.velocity[i];
      const double turn[] = {q.w, q.x, q.y, q.z}, speed[] = {w.x, w.y, w.z};
      std::copy_n(turn, 4, data_->qpos + turn_[i]);
      std::copy_n(speed, 3, data_->qvel + speed_[i]);
    }
    mj_forward(model_.get(), data_.get());
  }

  bool step() override {
    mj_step(model_.get(), data_.get());
    // It begins anew, at rest, where numbers have become too large.
    for (int warning : {mjWARN_BADQPOS, mjWARN_BADQVEL, mjWARN_BADQACC}) {
      if (data_->warning[warning].number > 0) return false;
    }
    return true;
  }

  std::vector<Vec3> accelerations() override {
    mj_forward(model_.get(), data_.get());
    std::vector<Vec3> accelerations;
    for (int at : speed_) {
      const mjtNum* a = data_->qacc + at;
      accelerations.push_back({a[0], a[1], a[2]});
    }
    return accelerations;
  }

  std::vector<Vec3> tips() const override {
    std::vector<Vec3> tips;
    for (std::size_t i = 0; i < body_.size(); ++i) {
      const mjtNum* p = data_->xpos + 3 * body_[i];
      const mjtNum* q = data_->xquat + 4 * body_[i];
      tips.push_back(Vec3{p[0], p[1], p[2]} +
                     rotate(Quat{q[0], q[1], q[2], q[3]}, {0, mechanism_.body[i].length, 0}));
    }
    return tips;
  }

 private:
  const Mechanism& mechanism_;
  std::unique_ptr<mjModel, FreeModel> model_;
  std::unique_ptr<mjData, FreeData> data_;
  std::vector<int> body_, turn_, speed_;  // MuJoCo's numbers of each body, its turn and speed
};

}  // namespace

std::unique_ptr<Peer> make_mujoco(const Mechanism& mechanism, double step) {
  return std::make_unique<Mujoco>(mechanism, step);
}

}  // namespace thigmo::bench
