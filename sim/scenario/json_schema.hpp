// The published JSON Schema of scenario files (draft-07), derived from the descriptions that the reader uses.
//
// scenarios/schema/scenario.json is this text; after a change of the grammar, run `spillway schema >
// scenarios/schema/scenario.json`. A test compares the two.
#pragma once

#include <string>

namespace spillway::scenario {

[[nodiscard]] std::string json_schema();

}  // namespace spillway::scenario
