// What is wrong, or suspicious, in the input, and where: values, never exceptions, many at once.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/documents/source.hpp"

namespace spillway {

enum class Severity : std::uint8_t { error, warning };

// Codes are stable and listed in docs/diagnostics.md: SP0xx the file and its syntax or structure, SP1xx what it means,
// SP2xx and SP750 to SP789 lints (warnings), SP3xx what this version does not play yet, SP4xx what cannot be exported,
// SP6xx Kuma's documents, SP9xx the command line.
struct Diagnostic {
  Severity severity = Severity::error;
  std::string code;     // "SP104"
  std::string message;  // "unknown zone `zone-4`"
  Span where;
  std::string label;               // what stands beside the caret: "no zone of this name"
  std::vector<std::string> notes;  // what Envoy or Kuma would do, what there is
  std::vector<std::string> helps;  // what to write instead
};

using Diagnostics = std::vector<Diagnostic>;

}  // namespace spillway
