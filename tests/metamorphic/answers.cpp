#include "tests/metamorphic/answers.hpp"

#include <cmath>
#include <limits>

#include "sim/scenario/client.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::metamorphic {

namespace {

Row row_of(const scenario::Scenario& scenario, const run::Epoch& epoch) {
  return {scenario.clients[epoch.client.value].name, scenario.services[epoch.service.value].name, epoch.start,
          epoch.end};
}

using EpochKey = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;

EpochKey key_of(const auto& of) {
  return {of.client.value, of.service.value, of.epoch};
}

void add_levels(const run::Epoch& epoch, const Row& row, Answers& answers) {
  for (const run::PriorityHealth& level : epoch.health->priorities) {
    if (level.hosts == 0) {
      continue;  // as a priority that is left out
    }
    answers.levels[{row, level.cluster, level.priority.value}] = {
        level.hosts, level.healthy, level.degraded, level.load, level.degraded_load, level.panic ? 1U : 0U};
  }
}

Ended ended_of(const run::Outcomes& of) {
  Ended ended{{of.sent, of.retries}, {}};
  std::copy(of.counts.all.begin(), of.counts.all.end(), ended.counts.begin() + 2);
  return ended;
}

Place place_of(const run::Share& share, Row row) {
  return {std::move(row), share.cluster, share.priority.value, static_cast<int>(share.availability),
          share.region,   share.zone,    share.sub_zone,       share.node,
          share.subset,   share.via,     share.endpoint};
}

// Adds a cell or a row of counts to what is there.
void add_cell(const Cell& cell, Cell& sum) {
  sum.requests += cell.requests;
  sum.attempts += cell.attempts;
  sum.at_rest = std::max(sum.at_rest, cell.at_rest);
  if (!cell.exact || !sum.exact) {
    sum.exact.reset();
  } else if (!(std::abs(*cell.exact - *sum.exact) < 1e-12)) {
    sum.exact = std::numeric_limits<double>::quiet_NaN();
  }
}

void add_ended(const Ended& ended, Ended& sum) {
  for (std::size_t count = 0; count < sum.counts.size(); ++count) {
    sum.counts[count] += ended.counts[count];
  }
  sum.latency.reset();
}

std::string with_names(std::string text, const Translation& translation) {
  for (const auto& [from, to] : translation.names) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
      text.replace(at, from.size(), to);
    }
  }
  return text;
}

Row with_names(const Row& row, const Translation& translation) {
  Row result = {with_names(row.client, translation), with_names(row.service, translation), row.start, row.end};
  return translation.row ? translation.row(std::move(result)) : result;
}

std::uint32_t with_names(std::uint32_t priority, const Translation& translation) {
  const auto found = translation.priorities.find(priority);
  return found == translation.priorities.end() ? priority : found->second;
}

Place with_names(const Place& place, const Translation& translation) {
  Place result = place;
  result.row = with_names(place.row, translation);
  result.priority = with_names(place.priority, translation);
  for (std::string* text : {&result.cluster, &result.region, &result.zone, &result.sub_zone, &result.node,
                            &result.subset, &result.via, &result.endpoint}) {
    *text = with_names(std::move(*text), translation);
  }
  return result;
}

}  // namespace

Answers answers_of(const scenario::Scenario& scenario, const run::Results& results) {
  Answers answers;
  answers.fingerprint = results.result_fingerprint;
  std::map<EpochKey, Row> rows;
  for (const run::Epoch& epoch : results.epochs) {
    const Row& row = rows[{epoch.client.value, epoch.service.value, epoch.index}] = row_of(scenario, epoch);
    add_levels(epoch, row, answers);
  }
  for (const run::Share& share : results.shares) {
    const Cell cell{share.exact, share.at_rest, share.requests.value_or(0), share.attempts.value_or(0)};
    if (share.at_rest == 0.0 && share.exact.value_or(1.0) == 0.0 && cell.attempts == 0) {
      continue;  // as rows that are left out
    }
    const auto [found, added] = answers.cells.try_emplace(place_of(share, rows.at(key_of(share))), cell);
    if (!added) {
      Cell& sum = found->second;  // alike but for what makes no name, as two subsets of one description
      sum.exact = sum.exact && cell.exact ? std::optional(*sum.exact + *cell.exact) : std::nullopt;
      sum.at_rest += cell.at_rest;
      sum.requests += cell.requests;
      sum.attempts += cell.attempts;
    }
  }
  for (const run::Outcomes& outcomes : results.outcomes) {
    answers.ended[rows.at(key_of(outcomes))] = ended_of(outcomes);
  }
  for (const run::Latency& latency : results.latency) {
    answers.ended[rows.at(key_of(latency))].latency = {latency.p50, latency.p90, latency.p99, latency.max};
  }
  return answers;
}

Answers answers_of_text(const std::string& name, const std::string& text, const run::Options& options) {
  const scenario::Reading reading = scenario::read_scenario_text(name, text);
  if (reading.scenario) {
    return answers_of(*reading.scenario, run::run(*reading.scenario, options));
  }
  Answers answers;
  for (const Diagnostic& problem : reading.diagnostics) {
    if (problem.severity == Severity::error) {
      answers.refused += problem.code + ": " + problem.message + "\n";
    }
  }
  return answers;
}

Answers answers_of(const Json& scenario, const run::Options& options) {
  return answers_of_text("scenario.json", scenario.dump(2), options);
}

Answers translated(const Answers& answers, const Translation& translation) {
  Answers result;
  result.refused = answers.refused;
  result.fingerprint = answers.fingerprint;
  const auto keeps = [&](const Row& row) { return !translation.keeps || translation.keeps(row); };
  for (const auto& [place, cell] : answers.cells) {
    if (keeps(place.row)) {
      const auto [found, added] = result.cells.try_emplace(with_names(place, translation), cell);
      if (!added) {
        add_cell(cell, found->second);
      }
    }
  }
  for (const auto& [row, ended] : answers.ended) {
    if (keeps(row)) {
      const auto [found, added] = result.ended.try_emplace(with_names(row, translation), ended);
      if (!added) {
        add_ended(ended, found->second);
      }
    }
  }
  for (const auto& [place, level] : answers.levels) {
    if (keeps(place.row)) {
      const LevelPlace of = {with_names(place.row, translation), with_names(place.cluster, translation),
                             with_names(place.priority, translation)};
      result.levels.try_emplace(of, level);
    }
  }
  return result;
}

}  // namespace spillway::metamorphic
