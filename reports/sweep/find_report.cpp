#include "reports/sweep/find_report.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "models/documents/json_writer.hpp"
#include "reports/document/document.hpp"
#include "reports/document/sheet.hpp"
#include "reports/sweep/show.hpp"
#include "reports/text/escapes.hpp"
#include "reports/text/json_text.hpp"
#include "sim/plan/objectives.hpp"
#include "sim/study/verdict.hpp"
#include "sim/sweep/find.hpp"

namespace spillway::reports {
namespace {

using sweep::FindText;
using sweep::Found;
using sweep::Trial;
using sweep::Verdict;

const char* judgement_text(study::Verdict judgement) {
  switch (judgement) {
    case study::Verdict::met:
      return "OK";
    case study::Verdict::undecided:
    case study::Verdict::unknown:
      return "open";
    case study::Verdict::missed:
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
  if (finding.low == finding.high) {
    return sweep_figure_text(figure, *finding.mean);  // exact
  }
  return fmt::format("{} ({} to {})", sweep_figure_text(figure, *finding.mean),
                     sweep_figure_text(figure, std::max(finding.low, 0.0)), sweep_figure_text(figure, finding.high));
}

std::string under(const Verdict& verdict) {
  return (verdict.finding.whose.empty() ? "" : " of " + printable(verdict.finding.whose)) +
         (verdict.failure.empty() ? "" : " under failure " + verdict.failure);
}

std::string goal_text(const FindText& text, const Trial& trial) {
  if (!trial.goal) {
    return "unknown";
  }
  return measured(*text.goal, *trial.goal) + (trial.goal_failure.empty() ? "" : " under failure " + trial.goal_failure);
}

bool contains(const std::vector<std::string>& values, const std::string& value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

std::string mark_of(const FindText& text, const Found& found, const Trial& trial) {
  if (contains(found.unproven, trial.value)) {
    return "not when simulated again";
  }
  if (!text.goal || trial.judgement != study::Verdict::met) {
    return judgement_text(trial.judgement);
  }
  return found.answer && found.answer->value == trial.value ? "best"
         : contains(found.as_good, trial.value)             ? "as good"
                                                            : "";
}

// Returns by condition if any value was judged by it.
std::vector<bool> shown_conditions(const Found& found) {
  std::vector<bool> shown(found.conditions.size());
  for (const Trial& trial : found.trials) {
    for (const Verdict& verdict : trial.verdicts) {
      shown[verdict.condition] = true;
    }
  }
  return shown;
}

Sheet trials_sheet(const FindText& text, const Found& found) {
  Sheet sheet{"trials", {{"value", true}}, {}};
  if (text.goal) {
    sheet.fields.push_back({text.goal->name, true});
  }
  const std::vector<bool> shown = shown_conditions(found);
  for (std::size_t condition = 0; condition < shown.size(); ++condition) {
    if (shown[condition]) {
      sheet.fields.push_back({found.conditions[condition].text, true});
    }
  }
  sheet.fields.push_back({""});
  for (const Trial& trial : found.trials) {
    std::vector<std::string> cells{trial.value};
    if (text.goal) {
      cells.push_back(goal_text(text, trial));
    }
    for (const Verdict& verdict : trial.verdicts) {
      cells.push_back(measured(found.conditions[verdict.condition].figure, verdict.finding) + under(verdict));
    }
    cells.resize(sheet.fields.size() - 1);  // a stable value has no verdict on stability, the last condition
    cells.emplace_back(mark_of(text, found, trial));
    sheet.rows.push_back(std::move(cells));
  }
  return sheet;
}

std::string proof_line(const FindText& text, const Found& found, const Trial& trial) {
  std::string line =
      fmt::format("proof at {}: {}", trial.value,
                  text.goal ? text.goal->name + " " + goal_text(text, trial) : judgement_text(trial.judgement));
  for (const Verdict& verdict : trial.verdicts) {
    const sweep::Figure& figure = found.conditions[verdict.condition].figure;
    line += fmt::format(", {} {}{}", figure.name, measured(figure, verdict.finding), under(verdict));
  }
  return line;
}

std::string open_text(const std::vector<std::string>& open) {
  return open.size() == 1 ? "not decided at " + open.front()
                          : fmt::format("not decided from {} to {}", open.front(), open.back());
}

// Describes the nearest value beyond the answer. A value failed only if it failed both times.
std::string beyond_text(const Found& found) {
  if (!found.beyond) {
    return "the end of the range";
  }
  if (found.open.empty()) {
    return "fails at " + found.beyond->value;
  }
  const std::string open = open_text(found.open);
  const bool to_the_end = found.open.back() == found.beyond->value;
  return open + (to_the_end ? ", the end of the range" : ", fails at " + found.beyond->value);
}

std::string answer_text(const FindText& text, const Found& found) {
  const char* const best = text.maximise ? "highest" : "lowest";
  if (!found.answer && !found.open.empty()) {
    return fmt::format("no value of {} is proven to meet the conditions with {} replications: {}", key_of(text),
                       text.replications, open_text(found.open));
  }
  if (!found.answer) {
    return fmt::format("none of {} values of {} that were tried meets the conditions: nearest is {}",
                       found.trials.size(), key_of(text), found.beyond ? found.beyond->value : "none");
  }
  if (text.goal) {
    return fmt::format("{} {} at {} {}: {}", best, text.goal->name, key_of(text), found.answer->value,
                       goal_text(text, *found.answer));
  }
  return fmt::format("{} {}: {}, ", best, key_of(text), found.answer->value) + beyond_text(found);
}

// Returns the nearest of all values that failed; empty if none did.
std::string nearest_that_fails(const FindText& text, const Found& found) {
  const Trial* nearest = nullptr;
  for (const Trial& trial : found.trials) {
    const bool is_nearer =
        nearest == nullptr || (text.maximise ? trial.number > nearest->number : trial.number < nearest->number);
    nearest = trial.judgement == study::Verdict::missed && is_nearer ? &trial : nearest;
  }
  return found.answer && nearest != nullptr ? nearest->value : "";
}

std::string setting_of(const Found& found) {
  return found.path + "=" + found.answer->value;
}

std::string plan_command(const FindText& text, const Found& found) {
  std::vector<std::string> words{"spillway", "plan", text.scenario, "--set", setting_of(found)};
  if (text.seed) {
    words.insert(words.end(), {"--set", "seed=" + std::to_string(*text.seed)});
  }
  return shell_line(words);
}

// Returns the command that simulates the answer, as the search did without failures.
std::string again_command(const FindText& text, const Found& found) {
  std::vector<std::string> words{"spillway", "run", text.scenario, "--set", setting_of(found)};
  if (text.seed) {
    words.insert(words.end(), {"--seed", std::to_string(*text.seed)});
  }
  words.insert(words.end(), {"--replications", std::to_string(text.replications)});
  return shell_line(words);
}

documents::JsonText json_of(const FindText& text, const Found& found, const Trial& trial) {
  using Json = documents::JsonText;
  const auto condition_json = [&](const Verdict& verdict) -> Json {
    return {{"condition", found.conditions[verdict.condition].text},
            {"failure", verdict.failure},
            {"whose", verdict.finding.whose},
            {"mean", verdict.finding.mean},
            {"low", verdict.finding.low},
            {"high", verdict.finding.high},
            {"judgement", judgement_text(verdict.finding.judgement)}};
  };
  Json json = {{"value", trial.value}, {"number", trial.number}, {"judgement", judgement_text(trial.judgement)}};
  if (text.goal) {
    json.add("goal", {{"failure", trial.goal_failure},
                      {"mean", trial.goal ? Json(*trial.goal->mean) : Json()},
                      {"low", trial.goal ? Json(trial.goal->low) : Json()},
                      {"high", trial.goal ? Json(trial.goal->high) : Json()}});
  }
  json.add("conditions", json_array(trial.verdicts, condition_json));
  return json;
}

std::string find_json(const FindText& text, const Found& found) {
  using Json = documents::JsonText;
  const auto trial_json = [&](const Trial& one) { return json_of(text, found, one); };
  const auto or_null = [&](const std::optional<Trial>& one) { return one ? trial_json(*one) : Json(); };
  Json json = {{"schema_version", 1}, {"key", key_of(text)}, {"maximise", text.maximise}};
  if (text.goal) {
    json.add("goal", text.goal->name);
    json.add("as_good", found.as_good);
  } else {
    json.add("monotone", found.monotone);
    json.add("open", found.open);
  }
  json.add_members_of({{"unproven", found.unproven},
                       {"answer", or_null(found.answer)},
                       {"beyond", or_null(found.beyond)},
                       {"proof", or_null(found.proof)},
                       {"proof_beyond", or_null(found.proof_beyond)}});
  if (text.goal) {
    json.add_members_of({{"below", or_null(found.below)}, {"proof_below", or_null(found.proof_below)}});
  }
  json.add_members_of({{"command", found.answer ? Json(again_command(text, found)) : Json()},
                       {"binding", found.binding ? Json(found.conditions[found.binding->condition].text) : Json()},
                       {"binding_failure", found.binding ? Json(found.binding->failure) : Json()},
                       {"trials", json_array(found.trials, trial_json)}});
  return json_lines(json.text());
}

// Returns the lines below the answer.
std::vector<std::string> remarks(const FindText& text, const Found& found) {
  std::vector<std::string> lines;
  if (text.goal && found.answer && found.as_good.size() > 1) {
    lines.push_back(fmt::format("equally good within the intervals of these runs: {} of {} values, from {} to {}",
                                found.as_good.size(), found.trials.size(), found.as_good.front(),
                                found.as_good.back()));
  }
  if (found.binding && found.beyond) {
    const sweep::Condition& condition = found.conditions[found.binding->condition];
    lines.push_back(fmt::format("tightest: {}, which is {} at {}{}", condition.text,
                                measured(condition.figure, found.binding->finding), found.beyond->value,
                                under(*found.binding)));
    if (condition.assumed) {
      lines.emplace_back(
          "a queue without a limit grows as long as its rate lasts, whatever a short run shows; a "
          "condition on utilisation replaces this one");
    }
  }
  for (const auto* proof : {&found.proof, &found.proof_below, &found.proof_beyond}) {
    if (*proof) {
      lines.push_back(proof_line(text, found, **proof));
    }
  }
  if (!found.monotone) {
    lines.emplace_back("not monotone: no single value separates OK from failed; found by successive halving");
  }
  if (const std::string nearest = text.goal || found.beyond ? "" : nearest_that_fails(text, found); !nearest.empty()) {
    lines.push_back(
        fmt::format("the conditions are met at this end of the range alone and fail at {}: {} finds how far "
                    "they are met",
                    nearest, text.maximise ? "--minimise" : "--maximise"));
  }
  if (!found.unproven.empty()) {
    lines.push_back(fmt::format("not proven: {} met the conditions in the search, but not when simulated again",
                                fmt::join(found.unproven, ", ")));
  }
  if (found.answer) {
    lines.push_back((text.under_failures ? "simulate it without a failure: " : "simulate it: ") +
                    again_command(text, found));
    if (text.under_failures) {
      lines.push_back("judge the file's own objectives under its failures: " + plan_command(text, found));
    }
  }
  return lines;
}

}  // namespace

std::string format_found(const FindText& text, const Found& found, Format format, const Look& look) {
  const auto page = [&](Page& whole) {
    whole.paragraph({answer_text(text, found)});
    whole.attached().list(remarks(text, found), 1);
    whole.sheet(trials_sheet(text, found));
  };
  return reports::format({.page = page,
                          .records = [&] { return trials_sheet(text, found); },
                          .wide = page,
                          .json = [&](const Sink& sink) { sink(find_json(text, found)); }},
                         format, look);
}

}  // namespace spillway::reports
