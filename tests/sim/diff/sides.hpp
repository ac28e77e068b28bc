// Two sides of a difference from texts.
#pragma once

#include <catch2/catch.hpp>
#include <string>

#include "models/documents/parse.hpp"
#include "sim/diff/compare.hpp"

namespace spillway::support {

inline diff::Side side_of(const std::string& name, const std::string& text) {
  Sources sources = {{name, text}};
  Diagnostics problems;
  auto root = documents::parse(sources, 0, problems);
  REQUIRE(root);
  scenario::ScenarioTemplate base(*root, sources);
  for (const Diagnostic& problem : base.reading().diagnostics) {
    if (problem.severity == Severity::error) {
      UNSCOPED_INFO(problem.message + " " + problem.label);
    }
  }
  REQUIRE(base.reading().scenario);
  return {name, *root, std::move(base)};
}

inline diff::Difference difference_of(const std::string& before, const std::string& after) {
  diff::Side old_side = side_of("before.yaml", before);
  diff::Side new_side = side_of("after.yaml", after);
  diff::match_names(old_side, new_side);
  return diff::compare(old_side, new_side, {});
}

inline const diff::Part* part_of(const std::vector<diff::Part>& parts, const std::string& name) {
  for (const diff::Part& part : parts) {
    if (part.name == name) {
      return &part;
    }
  }
  return nullptr;
}

// "60 -> 100", in percent; "" where the part does not change.
inline std::string change_of(const std::vector<diff::Part>& parts, const std::string& name) {
  const diff::Part* const part = part_of(parts, name);
  const auto percent = [](double share) {
    std::string text = std::to_string(share * 100.0);
    text.erase(text.find_last_not_of('0') + 1);
    return text.back() == '.' ? text.substr(0, text.size() - 1) : text;
  };
  return part == nullptr ? "" : percent(part->before) + " -> " + percent(part->after);
}

}  // namespace spillway::support
