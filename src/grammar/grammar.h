#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "grammar/rewrite/module_string.h"
#include "grammar/rewrite/options.h"
#include "grammar/turtle/environment.h"
#include "grammar/turtle/growth.h"

namespace thigmo {

// A model that was read and compiled without error. Cheap to copy.
struct Grammar {
  std::shared_ptr<const Program> program;
  std::string file;
  std::string text;
  std::map<std::string, std::string> includes = {};  // texts of the included files, by path
};

// The dialects, by the end of the file's name: .abs is an articulated-body string of LSDL
// (grammar/dialects/articulated.h), .sbt the notation of soft-body trees (grammar/dialects/soft_body.h), everything
// else this language.
Result<Grammar> parse_grammar(std::string_view file, std::string_view text,
                              const ReadFile& read_include = {});

// The model with other values for its #define constants.
Result<Grammar> with_constants(const Grammar& grammar, const std::map<std::string, double>& values);

// The string after the steps of the options, or of the file.
Result<ModuleString> derive(const Grammar& grammar, const GrowOptions& options = {});

// The same with the births of all modules, for who wants to know which rule wrote what.
Result<ModuleString> derive_with_births(const Grammar& grammar, const GrowOptions& options = {});

// derive, then homomorphism and turtle.
Result<Growth> grow(const Grammar& grammar, const GrowOptions& options = {});
Result<Growth> interpret(const ModuleString& string, const GrowOptions& options = {});

// The same without the plant itself, for strings whose plant would not fit into memory: counts and
// boxes only.
Result<Growth> measure(const ModuleString& string, const GrowOptions& options = {});

}  // namespace thigmo
