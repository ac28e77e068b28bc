
#include "models/documents/json_writer.hpp"
#include "reports/expectations/check_report.hpp"
#include "reports/text/json_text.hpp"
#include "reports/text/names.hpp"
#include "sim/run/records/byte_archive.hpp"

namespace spillway::reports {
namespace {

using Json = documents::JsonText;

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
          {"outcome", name_of(verdict.outcome)},
          {"place", place_json(verdict.where, sources)},
          {"not_tested", verdict.outcome == study::Verdict::unknown ? verdict.why_open : ""},
          {"undecided", verdict.outcome == study::Verdict::undecided ? verdict.why_open : ""},
          {"failures", std::move(failures)}};
}

struct VerdictMembers {
  template <class Archive>
  static void visit(Archive& archive, run::ArchiveOf<Verdict> auto& verdict) {
    archive(verdict.outcome, verdict.title, verdict.failures, verdict.why_open, verdict.where);
  }
  template <class Archive>
  static void visit(Archive& archive, run::ArchiveOf<Failure> auto& failure) {
    archive(failure.row, failure.column, failure.expected, failure.documented, failure.exact, failure.simulated,
            failure.message, failure.where);
  }
};

}  // namespace

std::string format_check_json(const std::vector<CheckedScenario>& scenarios, const std::vector<Sources>& sources) {
  Json rows = Json::array();
  std::size_t good = 0;
  std::size_t open = 0;
  for (std::size_t i = 0; i < scenarios.size(); ++i) {
    Json verdicts = Json::array();
    for (const Verdict& verdict : scenarios[i].verdicts) {
      verdicts.push_back(verdict_json(verdict, sources[i]));
    }
    good += passed(scenarios[i]) ? 1U : 0U;
    open += is_open(scenarios[i]) ? 1U : 0U;
    Json row = {{"file", scenarios[i].file},
                {"scenario", scenarios[i].name},
                {"passed", passed(scenarios[i])},
                {"crash", scenarios[i].crash.empty() ? Json(nullptr) : Json(scenarios[i].crash)},
                {"expectations", std::move(verdicts)}};
    if (!scenarios[i].known_differences.empty()) {
      row.add("known_differences", scenarios[i].known_differences);
    }
    rows.push_back(row);
  }
  const Json document{{"schema_version", 1},
                      {"passed", good},
                      {"failed", scenarios.size() - good - open},
                      {"undecided", open},
                      {"scenarios", std::move(rows)}};
  return json_lines(document.text());
}

std::string verdicts_to_bytes(const Verdicts& verdicts) {
  return run::to_bytes<VerdictMembers>(verdicts);
}

Verdicts verdicts_from_bytes(const std::string& bytes) {
  return run::from_bytes<VerdictMembers, Verdicts>(bytes);
}

}  // namespace spillway::reports
