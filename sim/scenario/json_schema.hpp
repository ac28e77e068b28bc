// The published JSON Schema of scenario files (draft-07), made from the same descriptions that the reader follows.
//
// scenarios/schema/scenario.json is this text; `spillway schema > scenarios/schema/scenario.json` renews it after a
// change of the grammar, and a test compares the two.
#pragma once

#include <string>

namespace spillway::scenario {

[[nodiscard]] std::string json_schema();

}  // namespace spillway::scenario
