#include "api/call_log.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/grown_plant.h"
#include "base/base64.h"
#include "base/text.h"

namespace thigmo {
namespace {

std::string text_of(SegmentId id) { return fmt::format("{}:{}", id.number, id.birth); }

// Bytes as lines that begin with a space.
std::string data_lines(std::string_view bytes) {
  constexpr std::size_t width = 120;
  const std::string text = base64_from_bytes(bytes);
  std::string lines;
  lines.reserve(text.size() + 2 * (text.size() / width + 1));
  for (std::size_t i = 0; i < text.size(); i += width) {
    lines += ' ';
    lines.append(text, i, width);
    lines += '\n';
  }
  return lines;
}

// Writes arguments as they stand in a line.
class ArgumentWriter {
 public:
  explicit ArgumentWriter(std::string& line) : line_(line) {}

  void operator()(const char* key, double value) { put(key, text_from_number(value)); }
  void operator()(const char* key, std::uint64_t value) { put(key, fmt::format("{}", value)); }
  void operator()(const char* key, bool value) { put(key, value ? "true" : "false"); }
  void operator()(const char* key, PlantId id) { put(key, gives_of(id)); }
  void operator()(const char* key, SegmentId id) { put(key, text_of(id)); }
  void operator()(const char* key, ForceId id) { put(key, gives_of(id)); }
  void operator()(const char* key, GrabId id) { put(key, gives_of(id)); }
  void operator()(const char* key, GraftRest rest) {
    put(key, rest == GraftRest::as_before ? "as_before" : "as_it_is");
  }
  template <std::size_t Count>
  void operator()(const char* key, const std::array<double, Count>& values) {
    std::string text;
    for (const double value : values) {
      if (!text.empty()) text += ',';
      text += text_from_number(value);
    }
    put(key, text);
  }
  void operator()(const char* key, const std::vector<Placing>& places) {
    std::string text;
    for (const auto& [p, turn] : places) {
      if (!text.empty()) text += ';';
      text += fmt::format("{},{},{},{}", p[0], p[1], p[2], turn);
    }
    put(key, text);
  }
  // Runs of names that follow each other as first-last:birth.
  void operator()(const char* key, const std::vector<SegmentId>& ids) {
    std::string text;
    for (std::size_t i = 0; i < ids.size();) {
      std::size_t end = i + 1;
      while (end < ids.size() && ids[end].birth == ids[i].birth &&
             ids[end].number == ids[end - 1].number + 1) {
        ++end;
      }
      if (!text.empty()) text += ',';
      text += end - i == 1 ? text_of(ids[i])
                           : fmt::format("{}-{}", ids[i].number, text_of(ids[end - 1]));
      i = end;
    }
    put(key, text);
  }
  void operator()(const char* key, const std::string& text) { put(key, quoted(text)); }
  void hash(const char* key, std::uint64_t value) { put(key, fmt::format("{:016x}", value)); }
  void data(const std::string& bytes) { data_ = &bytes; }
  const std::string* data() const { return data_; }

 private:
  void put(const char* key, std::string_view value) { line_ += fmt::format(" {}={}", key, value); }
  static std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
      const auto byte = static_cast<unsigned char>(c);
      if (c == '"' || c == '\\' || byte < 0x20) {
        out += fmt::format("\\{:02x}", byte);
      } else {
        out += c;
      }
    }
    return out + '"';
  }

  std::string& line_;
  const std::string* data_ = nullptr;
};

}  // namespace

CallLog::CallLog(std::string_view start, int check_every) : check_every_(check_every) {
  start_ =
      std::make_shared<const std::string>(fmt::format("{}\nworld\n", log_head) + data_lines(start));
}

void CallLog::add_line(const Call& call, std::string_view gives, std::string& to) const {
  std::visit(
      [&](const auto& known) {
        to += known.name;
        ArgumentWriter writer(to);
        known.visit(writer, known);
        if (!gives.empty()) to += fmt::format(" gives={}", gives);
        to += '\n';
        if (writer.data() != nullptr) to += data_lines(*writer.data());
      },
      call);
}

void CallLog::add_pending_steps(std::string& to) const {
  if (pending_.times > 0) add_line(pending_, {}, to);
}

void CallLog::add(const Call& call, std::string_view gives) {
  add_pending_steps(lines_);
  pending_.times = 0;
  add_line(call, gives, lines_);
}

void CallLog::add_step(double seconds, const Simulation& simulation) {
  if (pending_.times > 0 && pending_.seconds != seconds) {
    add_pending_steps(lines_);
    pending_.times = 0;
  }
  pending_.seconds = seconds;
  ++pending_.times;
  ++steps_;
  if (check_every_ <= 0 || steps_ % static_cast<std::uint64_t>(check_every_) != 0) return;
  add(StateCheck{.steps = steps_, .hash = state_hash(simulation)});
}

std::uint64_t CallLog::number_of(const GrownPlant& plant) {
  const auto is_same = [&](const GrownPlant& known) {
    return GrownPlantAccess::content(known) == GrownPlantAccess::content(plant);
  };
  const auto known = std::find_if(plants_.begin(), plants_.end(), is_same);
  const auto number = static_cast<std::uint64_t>(known - plants_.begin());
  if (known != plants_.end()) return number;
  plants_.push_back(plant);
  add(PlantCall{.number = number, .bytes = GrownPlantAccess::bytes(plant)});
  return number;
}

std::string CallLog::text(const Simulation& now) const {
  std::string text = *start_ + lines_;
  add_pending_steps(text);
  add_line(StateCheck{.steps = steps_, .hash = state_hash(now)}, {}, text);
  return text;
}

std::string gives_of(Done) { return {}; }
std::string gives_of(PlantId id) { return fmt::format("{}:{}", id.slot, id.generation); }
std::string gives_of(const std::vector<PlantId>& ids) {
  std::string text;
  for (const PlantId id : ids) {
    if (!text.empty()) text += ',';
    text += gives_of(id);
  }
  return text;
}
std::string gives_of(ForceId id) { return fmt::format("{}", id.number); }
std::string gives_of(GrabId id) { return fmt::format("{}", id.number); }
std::string gives_of(const EditReport& report) {
  std::string text = gives_of(report.pieces);
  for (const Split& split : report.splits) text += fmt::format("/{}", text_of(split.upper));
  return text;
}

}  // namespace thigmo
