#include "tests/conformance/messages.hpp"

#include <stdexcept>

#include "models/documents/parse.hpp"

namespace spillway::conformance {

using scenario::document::Node;

Node node_of(const json& value) {
  scenario::Sources sources{{"case.json", value.dump()}};
  scenario::Diagnostics problems;
  auto node = scenario::document::parse(sources, 0, problems);
  if (!node) {
    throw std::invalid_argument("cannot read " + value.dump());
  }
  return *std::move(node);
}

config::Refusal refusal_among(const scenario::Diagnostics& problems, const json& read) {
  config::Refusal refused;
  for (const scenario::Diagnostic& problem : problems) {
    if (problem.severity != scenario::Severity::error) {
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
