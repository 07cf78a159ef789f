#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

#include "grammar/rewrite/module_string.h"

namespace thigmo {

class ContextTables;

// A string being read, with the tables that a search for context needs.
struct StringView {
  const Kind* kinds = nullptr;
  const double* parameters = nullptr;
  std::size_t size = 0;
  // With context only: for a bracket its partner (size or -1 when it has none), for every module
  // the index of its first parameter. Null where the string has no brackets, or no context has
  // parameters.
  const std::int32_t* partner = nullptr;
  const std::int32_t* parameter_at = nullptr;
  ContextTables* tables = nullptr;  // for searches that pass many modules
};

// For every module the nearest one to its left and right that a search finds which passes over one
// set of ignored modules; -1 where there is none. Thousands of branches at one node, or ignored
// modules in a row, are then passed at once.
struct ContextPaths {
  Buffer<std::int32_t> left, right;          // empty: there was no room
  std::atomic<std::int64_t> generation = 0;  // of the string it was made for
};

// The tables of a StringView. A class, because threads share them while they are made.
class ContextTables {
 public:
  StringView view(const Program& program, const ModuleString& string, bool has_brackets);

  // Made by the first search that asks for them; any thread may. Null: there is no room for more.
  const ContextPaths* paths(const Program& program, const StringView& string, std::int32_t ignore);

 private:
  bool make_room(std::size_t modules);
  void find_parameters(const Program& program, const ModuleString& string);
  void find_partners(const Program& program, const ModuleString& string);

  Buffer<std::int32_t> partner_, parameter_at_, open_;
  std::vector<ContextPaths> paths_;  // one for each set of Program::ignored
  std::size_t held_ = 0;             // modules of all of them
  std::int64_t generation_ = 0, full_ = -1;
  std::mutex making_;
};

}  // namespace thigmo
