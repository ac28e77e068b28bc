#include "reports/sweep/find_report.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "reports/sweep/show.hpp"
#include "reports/text/json_text.hpp"
#include "reports/text/sheet.hpp"

namespace spillway::reports {
namespace {

using plan::Judgement;
using sweep::FindText;
using sweep::Found;
using sweep::Trial;
using sweep::Verdict;

const char* judgement_text(Judgement judgement) {
  switch (judgement) {
    case Judgement::holds:
      return "OK";
    case Judgement::open:
      return "open";
    case Judgement::fails:
      return "fails";
  }
  return "";
}

std::string key_of(const FindText& text) {
  return text.key.substr(0, text.key.rfind('='));
}

std::string measured(const sweep::Figure& figure, const sweep::Finding& finding) {
  if (!finding.mean) {
    return "unknown";
  }
  return fmt::format("{} ({} to {})", sweep_figure_text(figure, *finding.mean),
                     sweep_figure_text(figure, std::max(finding.low, 0.0)), sweep_figure_text(figure, finding.high));
}

std::string under(const Verdict& verdict) {
  return verdict.failure.empty() ? "" : fmt::format(" while {} fails", verdict.failure);
}

Sheet trials_sheet(const FindText& text, const Found& found) {
  Sheet sheet{"trials", {{"value", true}}, {}};
  for (const sweep::Condition& condition : text.conditions) {
    sheet.fields.push_back({condition.text, true});
  }
  sheet.fields.push_back({""});
  for (const Trial& trial : found.trials) {
    std::vector<std::string> cells{trial.value};
    for (const Verdict& verdict : trial.verdicts) {
      cells.push_back(measured(text.conditions[verdict.condition].figure, verdict.finding) + under(verdict));
    }
    cells.emplace_back(judgement_text(trial.judgement));
    sheet.rows.push_back(std::move(cells));
  }
  return sheet;
}

std::string proof_line(const FindText& text, const Trial& trial) {
  std::string line = fmt::format(" proof at {}: {}", trial.value, judgement_text(trial.judgement));
  for (const Verdict& verdict : trial.verdicts) {
    const sweep::Figure& figure = text.conditions[verdict.condition].figure;
    line += fmt::format(", {} {}{}", figure.name, measured(figure, verdict.finding), under(verdict));
  }
  return line + '\n';
}

std::string answer_text(const FindText& text, const Found& found) {
  const char* const best = text.maximise ? "highest" : "lowest";
  if (!found.answer) {
    return fmt::format("no value of {} holds: nearest is {}\n", key_of(text),
                       found.beyond ? found.beyond->value : "none");
  }
  std::string line = fmt::format("{} {}: {}", best, key_of(text), found.answer->value);
  if (found.beyond) {
    line += fmt::format(", {} at {}\n", found.beyond->judgement == Judgement::fails ? "fails" : "not decided any more",
                        found.beyond->value);
  } else {
    line += ", the end of the range\n";
  }
  return line;
}

nlohmann::ordered_json json_of(const FindText& text, const Trial& trial) {
  using Json = nlohmann::ordered_json;
  Json json;
  json["value"] = trial.value;
  json["number"] = trial.number;
  json["judgement"] = judgement_text(trial.judgement);
  json["conditions"] = Json::array();
  for (const Verdict& verdict : trial.verdicts) {
    json["conditions"].push_back({{"condition", text.conditions[verdict.condition].text},
                                  {"failure", verdict.failure},
                                  {"mean", verdict.finding.mean ? Json(*verdict.finding.mean) : Json()},
                                  {"low", verdict.finding.low},
                                  {"high", verdict.finding.high},
                                  {"judgement", judgement_text(verdict.finding.judgement)}});
  }
  return json;
}

std::string find_json(const FindText& text, const Found& found) {
  using Json = nlohmann::ordered_json;
  Json json;
  json["schema_version"] = 1;
  json["key"] = key_of(text);
  json["maximise"] = text.maximise;
  json["monotone"] = found.monotone;
  const auto trial = [&](const char* name, const std::optional<Trial>& one) {
    json[name] = one ? json_of(text, *one) : Json();
  };
  trial("answer", found.answer);
  trial("beyond", found.beyond);
  trial("proof", found.proof);
  trial("proof_beyond", found.proof_beyond);
  json["binding"] = found.binding ? Json(text.conditions[found.binding->condition].text) : Json();
  json["binding_failure"] = found.binding ? Json(found.binding->failure) : Json();
  for (const Trial& one : found.trials) {
    json["trials"].push_back(json_of(text, one));
  }
  return json_lines(json.dump());
}

}  // namespace

std::string format_found(const FindText& text, const Found& found, Format format) {
  if (format == Format::json) {
    return find_json(text, found);
  }
  std::string output = answer_text(text, found);
  if (found.binding && found.beyond) {
    const sweep::Condition& condition = text.conditions[found.binding->condition];
    output +=
        fmt::format(" binding: {}, which is {} at {}{}\n", condition.text,
                    measured(condition.figure, found.binding->finding), found.beyond->value, under(*found.binding));
  }
  for (const auto* proof : {&found.proof, &found.proof_beyond}) {
    output += *proof ? proof_line(text, **proof) : "";
  }
  if (!found.monotone) {
    output += " not monotone: what holds is not split from what fails by one value; found by successive halving\n";
  }
  output += '\n';
  return output + (format == Format::markdown ? sheet_markdown(trials_sheet(text, found))
                                              : sheet_text(trials_sheet(text, found), 1, 3));
}

}  // namespace spillway::reports
