#include <nlohmann/json.hpp>
#include <string_view>

#include "reports/expectations/check_report.hpp"
#include "reports/text/json_text.hpp"

namespace spillway::reports {
namespace {

using Json = nlohmann::ordered_json;

std::string_view verdict_name(Outcome outcome) {
  switch (outcome) {
    case Outcome::holds:
      return "holds";
    case Outcome::fails:
      return "fails";
    case Outcome::not_tested:
      return "not_tested";
    case Outcome::undecided:
      return "undecided";
  }
  return "";
}

Json place_json(const Span& where, const Sources& sources) {
  return {{"file", where.file < sources.size() ? sources[where.file].name : ""},
          {"line", where.line},
          {"column", where.column}};
}

Json failure_json(const Failure& failure, const Sources& sources) {
  return {{"message", failure.message},   {"place", place_json(failure.where, sources)},
          {"row", failure.row},           {"column", failure.column},
          {"expected", failure.expected}, {"documented", failure.documented},
          {"exact", failure.exact},       {"simulated", failure.simulated}};
}

Json verdict_json(const Verdict& verdict, const Sources& sources) {
  Json failures = Json::array();
  for (const Failure& failure : verdict.failures) {
    failures.push_back(failure_json(failure, sources));
  }
  return {{"title", verdict.title},
          {"outcome", verdict_name(verdict.outcome)},
          {"place", place_json(verdict.where, sources)},
          {"not_tested", verdict.not_tested},
          {"undecided", verdict.undecided},
          {"failures", std::move(failures)}};
}

Json span_to_json(const Span& span) {
  return {span.file, span.line, span.column, span.length};
}

Span span_from_json(const Json& json) {
  return {json.at(0), json.at(1), json.at(2), json.at(3)};
}

}  // namespace

std::string format_check_json(const std::vector<CheckedScenario>& scenarios, const std::vector<Sources>& sources) {
  Json rows = Json::array();
  std::size_t good = 0;
  for (std::size_t i = 0; i < scenarios.size(); ++i) {
    Json verdicts = Json::array();
    for (const Verdict& verdict : scenarios[i].verdicts) {
      verdicts.push_back(verdict_json(verdict, sources[i]));
    }
    good += passed(scenarios[i]) ? 1U : 0U;
    rows.push_back({{"file", scenarios[i].file},
                    {"scenario", scenarios[i].name},
                    {"passed", passed(scenarios[i])},
                    {"crash", scenarios[i].crash.empty() ? Json(nullptr) : Json(scenarios[i].crash)},
                    {"expectations", std::move(verdicts)}});
    if (!scenarios[i].known_differences.empty()) {
      rows.back()["known_differences"] = scenarios[i].known_differences;
    }
  }
  const Json document{
      {"schema_version", 1}, {"passed", good}, {"failed", scenarios.size() - good}, {"scenarios", std::move(rows)}};
  return json_lines(document.dump(-1, ' ', false, Json::error_handler_t::replace));
}

std::string verdicts_to_bytes(const Verdicts& verdicts) {
  Json rows = Json::array();
  for (const Verdict& verdict : verdicts) {
    Json failures = Json::array();
    for (const Failure& failure : verdict.failures) {
      failures.push_back({failure.row, failure.column, failure.expected, failure.documented, failure.exact,
                          failure.simulated, failure.message, span_to_json(failure.where)});
    }
    rows.push_back({static_cast<int>(verdict.outcome), verdict.title, std::move(failures), verdict.not_tested,
                    span_to_json(verdict.where), verdict.undecided});
  }
  const std::vector<std::uint8_t> bytes = Json::to_cbor(rows);
  return {bytes.begin(), bytes.end()};
}

Verdicts verdicts_from_bytes(const std::string& bytes) {
  Verdicts verdicts;
  for (const Json& row : Json::from_cbor(bytes)) {
    Verdict& verdict = verdicts.emplace_back();
    verdict.outcome = static_cast<Outcome>(row.at(0).get<int>());
    verdict.title = row.at(1);
    for (const Json& failure : row.at(2)) {
      verdict.failures.push_back({failure.at(0), failure.at(1), failure.at(2), failure.at(3), failure.at(4),
                                  failure.at(5), failure.at(6), span_from_json(failure.at(7))});
    }
    verdict.not_tested = row.at(3);
    verdict.where = span_from_json(row.at(4));
    verdict.undecided = row.at(5);
  }
  return verdicts;
}

}  // namespace spillway::reports
