#include "tests/conformance/messages.hpp"

#include <stdexcept>

#include "models/documents/parse.hpp"

namespace spillway::conformance {

using documents::Node;

Node node_of(const json& value) {
  Sources sources{{"case.json", value.dump()}};
  Diagnostics problems;
  auto node = documents::parse(sources, 0, problems);
  if (!node) {
    throw std::invalid_argument("cannot read " + value.dump());
  }
  return *std::move(node);
}

config::Refusal refusal_among(const Diagnostics& problems, const json& read) {
  config::Refusal refused;
  for (const Diagnostic& problem : problems) {
    if (problem.severity != Severity::error) {
      continue;
    }
    std::string text = problem.message + ": " + problem.label;
    for (const std::string& note : problem.notes) {
      text += "\n" + note;
    }
    if (text.find("Envoy refuses") == std::string::npos) {
      throw std::invalid_argument("cannot read " + read.dump() + ": " + text);
    }
    refused = refused ? refused : config::Reason{std::move(text), {}};
  }
  return refused;
}

void throw_refused(const config::Reason& reason, const json& read) {
  throw std::invalid_argument("refused: " + read.dump() + ": " + reason.text);
}

}  // namespace spillway::conformance
