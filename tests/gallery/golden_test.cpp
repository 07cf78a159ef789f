// The bits of every scenario of the gallery, so that a change of them is seen in review. The table is
// tests/data/golden_hashes.tsv; `tools/golden --renew` writes it anew.

#include <gtest/gtest.h>
#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "app/common.h"
#include "mechanics/kernel/processor.h"
#include "mechanics/step/step.h"
#include "simulation/advance.h"

namespace thigmo::golden_test {
namespace {

namespace fs = std::filesystem;

const fs::path source = THIGMO_SOURCE_DIR;
const fs::path table_path = source / "tests/data/golden_hashes.tsv";
constexpr std::array processors{Processor::generic, Processor::avx2, Processor::avx512};
constexpr int steps = 40;

// Where a*b+c may be rounded once, which multiplications are joined so is up to the compiler, and the last
// bits of sines are up to the C library.
std::string maker() {
#if defined(__GNUC__) && !defined(__clang__) && defined(__GLIBC__)
  return "g++ " + std::to_string(__GNUC__) + ", glibc " + gnu_get_libc_version();
#else
  return "another compiler";
#endif
}

#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__)
constexpr bool as_released = true;
#else
constexpr bool as_released = false;
#endif

// The hashes of a scenario: where it starts, then after the steps on each kind of processor.
using Row = std::array<std::string, 1 + processors.size()>;
struct Table {
  std::string maker;
  std::map<std::string, Row> rows;  // by scenario
};

Table read_table() {
  Table table;
  std::ifstream file(table_path);
  std::string line;
  while (std::getline(file, line)) {
    constexpr std::string_view made_by = "# made by ";
    if (line.starts_with(made_by)) table.maker = line.substr(made_by.size());
    if (line.empty() || line.starts_with("#")) continue;
    std::istringstream words(line);
    std::string name;
    words >> name;
    for (std::string& hash : table.rows[name]) words >> hash;
  }
  return table;
}

void write_table(const Table& table) {
  std::ofstream file(table_path);
  file << "# State hashes of the gallery's scenarios: at the start, and after " << steps
       << " steps on each kind of processor.\n# tools/golden --renew writes this table.\n# made by "
       << table.maker << "\n# scenario\tstart\tgeneric\tavx2\tavx512\n";
  for (const auto& [name, row] : table.rows) {
    file << name;
    for (const std::string& hash : row) file << '\t' << hash;
    file << '\n';
  }
}

std::string hash_of(const Simulation& simulation) {
  std::ostringstream text;
  text << std::hex << state_hash(simulation);
  return text.str();
}

Result<Simulation> make(const fs::path& file, double& step) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  const Result<Scenario> scenario = parse_scenario(file.string(), text.str());
  if (!scenario) return scenario.diagnostics();
  step = scenario->step;
  return make_simulation(*scenario, read_any, read_tree);
}

Row row_of(const fs::path& file) {
  Row row;
  row.fill("-");
  for (std::size_t k = 0; k < processors.size(); ++k) {
    if (processors[k] > best_processor()) continue;
    double step = 0;
    Result<Simulation> simulation = make(file, step);
    EXPECT_TRUE(simulation) << (simulation ? "" : to_string(simulation.diagnostics()));
    if (!simulation) return row;
    row[0] = hash_of(*simulation);
    for (SimulatedPlant& plant : simulation->plants) {
      const Mechanism& mechanism = plant.model->mechanism;
      plant.workspace = make_workspace(make_step_model(mechanism, processors[k]));
    }
    EXPECT_TRUE(advance({.step = step, .end_step = steps, .threads = 2}, *simulation));
    row[k + 1] = hash_of(*simulation);
  }
  return row;
}

std::vector<fs::path> scenarios() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(source / "gallery/scenarios")) {
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  }
  return files;
}

TEST(Golden, ScenariosOfTheGalleryKeepTheirBits) {
  if (!as_released) GTEST_SKIP() << "other optimizations round otherwise";
  const bool renew = std::getenv("THIGMO_RENEW_GOLDEN") != nullptr;
  const Table golden = read_table();
  // A table that cannot be read would differ from every program, and nothing would ever be compared.
  if (!renew) {
    ASSERT_FALSE(golden.maker.empty()) << table_path << " does not say what it was made by";
    ASSERT_FALSE(golden.rows.empty()) << table_path << " has no rows";
  }
  if (!renew && golden.maker != maker()) {
    GTEST_SKIP() << "the table was made by " << golden.maker << ", this program by " << maker();
  }
  Table here{.maker = maker(), .rows = {}};
  for (const fs::path& file : scenarios()) here.rows[file.stem().string()] = row_of(file);
  if (renew) {
    write_table(here);
    return;
  }
  for (const auto& [name, row] : here.rows) {
    ASSERT_TRUE(golden.rows.contains(name)) << name << ": run tools/golden --renew";
    for (std::size_t k = 0; k < row.size(); ++k) {
      if (row[k] == "-") continue;  // a processor that this machine has not
      EXPECT_EQ(row[k], golden.rows.at(name)[k])
          << name << ", column " << k + 2
          << ": if other bits are meant, tools/golden --renew, and say why in the commit";
    }
  }
  EXPECT_EQ(here.rows.size(), golden.rows.size()) << "scenarios that are no more";
}

}  // namespace
}  // namespace thigmo::golden_test
