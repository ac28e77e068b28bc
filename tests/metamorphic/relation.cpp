#include "tests/metamorphic/relation.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>

#include "models/numeric/hash.hpp"
#include "tests/support/g_test.hpp"
#include "tests/support/sanitizers.hpp"

namespace spillway::metamorphic {

namespace {

constexpr double tolerance = 1e-12;
// Of the whole suite: how likely a false alarm is, by chance alone, shared by at most so many relations.
constexpr double false_alarms = 1e-4;
constexpr double most_relations = 100.0;

bool alike(double left, double right) {
  return std::abs(left - right) <= tolerance;
}

std::string words(const Row& row) {
  return fmt::format("{} -> {} from {} to {} ns", row.client, row.service, row.start.count(), row.end.count());
}

std::string words(const Place& place) {
  return fmt::format("{}: {} P{} availability {} zone {} {} subset {} via {}, {}", words(place.row), place.cluster,
                     place.priority, place.availability, place.zone, place.node, place.subset, place.via,
                     place.endpoint);
}

std::string words(const std::optional<double>& share) {
  return share ? fmt::format("{}", *share) : "?";
}

std::string words(const Cell& cell) {
  return fmt::format("exact {}, at rest {}, {} requests, {} attempts", words(cell.exact), cell.at_rest, cell.requests,
                     cell.attempts);
}

bool is_of_shares(Promise promise) {
  return promise == Promise::shares || promise == Promise::known_shares;
}

bool shares_agree(Promise promise, const Cell& left, const Cell& right) {
  if (promise == Promise::counts) {
    return true;
  }
  if (left.exact && right.exact) {
    return alike(*left.exact, *right.exact);
  }
  return promise == Promise::known_shares || (!left.exact && !right.exact && alike(left.at_rest, right.at_rest));
}

bool cells_agree(Promise promise, const Cell& left, const Cell& right) {
  const bool counted = is_of_shares(promise) || (left.requests == right.requests && left.attempts == right.attempts);
  return counted && shares_agree(promise, left, right);
}

std::string difference_of_cells(Promise promise, const Answers& base, const Answers& variant) {
  const auto missing = [](const Place& place, const Cell& cell, const char* side) {
    return words(place) + ": only in the " + side + ": " + words(cell);
  };
  // What may have got nothing by chance is no difference where shares are compared.
  const auto counts = [&](const Cell& cell) {
    return is_of_shares(promise)        ? cell.exact.value_or(0.0) > tolerance
           : promise == Promise::counts ? cell.attempts > 0
                                        : true;
  };
  for (const auto& [place, cell] : base.cells) {
    const auto found = variant.cells.find(place);
    if (found == variant.cells.end()) {
      if (counts(cell)) {
        return missing(place, cell, "base");
      }
    } else if (!cells_agree(promise, cell, found->second)) {
      return words(place) + ":\n  base    " + words(cell) + "\n  variant " + words(found->second);
    }
  }
  for (const auto& [place, cell] : variant.cells) {
    if (!base.cells.contains(place) && counts(cell)) {
      return missing(place, cell, "variant");
    }
  }
  return "";
}

std::string difference_of_levels(const Answers& base, const Answers& variant) {
  for (const auto& [place, level] : base.levels) {
    const auto found = variant.levels.find(place);
    if (found == variant.levels.end()) {
      return fmt::format("{}: {} P{}: only in the base", words(place.row), place.cluster, place.priority);
    }
    if (level != found->second) {
      return fmt::format("{}: {} P{}: hosts, healthy, degraded, load, degraded load, panic: {} and {}",
                         words(place.row), place.cluster, place.priority, fmt::join(level, " "),
                         fmt::join(found->second, " "));
    }
  }
  return variant.levels.size() == base.levels.size() ? "" : "a priority only in the variant";
}

std::string difference_of_ends(Promise promise, const Answers& base, const Answers& variant) {
  for (const auto& [row, ended] : base.ended) {
    const auto found = variant.ended.find(row);
    if (found == variant.ended.end()) {
      return words(row) + ": a row only in the base";
    }
    if (ended.counts != found->second.counts) {
      return fmt::format("{}: outcomes {} and {}", words(row), fmt::join(ended.counts, " "),
                         fmt::join(found->second.counts, " "));
    }
    if (promise == Promise::everything && ended.latency != found->second.latency) {
      return words(row) + ": latencies differ";
    }
  }
  return base.ended.size() == variant.ended.size() ? "" : "a row only in the variant";
}

// The counts of a row on both sides, by place; whether every share of it is exact on both.
struct CountedRow {
  std::map<Place, std::pair<std::uint64_t, std::uint64_t>> counts = {};
  bool exact = true;
};

// G of two samples against their common shares.
double chance_of(const CountedRow& row, double left_sent, double right_sent) {
  std::vector<std::pair<double, double>> cells;
  double left = 0.0;
  double right = 0.0;
  for (const auto& [place, counts] : row.counts) {
    cells.emplace_back(counts.first, counts.second);
    left += static_cast<double>(counts.first);
    right += static_cast<double>(counts.second);
  }
  cells.emplace_back(left_sent - left, right_sent - right);  // what found no host
  std::ranges::sort(cells, {}, [](const auto& cell) { return cell.first + cell.second; });
  constexpr double least = 10.0;  // of both sides together
  for (std::size_t cell = 0; cell + 1 < cells.size(); ++cell) {
    if (cells[cell].first + cells[cell].second < least) {
      cells[cell + 1].first += std::exchange(cells[cell].first, 0.0);
      cells[cell + 1].second += std::exchange(cells[cell].second, 0.0);
    }
  }
  std::erase_if(cells, [](const auto& cell) { return cell.first + cell.second <= 0.0; });
  if (cells.size() < 2 || left_sent <= 0.0 || right_sent <= 0.0) {
    return 1.0;
  }
  double g = 0.0;
  for (const auto& [first, second] : cells) {
    const double share = (first + second) / (left_sent + right_sent);
    g += first > 0.0 ? 2.0 * first * std::log(first / (left_sent * share)) : 0.0;
    g += second > 0.0 ? 2.0 * second * std::log(second / (right_sent * share)) : 0.0;
  }
  return support::chi_square_survival(g, cells.size() - 1);
}

std::vector<RowChance> chances_of(const Answers& base, const Answers& variant) {
  std::map<Row, CountedRow> rows;
  for (const auto& [place, cell] : base.cells) {
    CountedRow& row = rows[place.row];
    row.counts[place].first = cell.requests;
    row.exact = row.exact && cell.exact.has_value();
  }
  for (const auto& [place, cell] : variant.cells) {
    CountedRow& row = rows[place.row];
    row.counts[place].second = cell.requests;
    row.exact = row.exact && cell.exact.has_value();
  }
  std::vector<RowChance> chances;
  for (const auto& [row, counted] : rows) {
    if (counted.exact && base.ended.contains(row) && variant.ended.contains(row)) {
      chances.push_back({chance_of(counted, static_cast<double>(base.ended.at(row).counts[0]),
                                   static_cast<double>(variant.ended.at(row).counts[0])),
                         words(row)});
    }
  }
  return chances;
}

// Rows of the base that are compared.
Answers compared_rows(Answers answers, const std::function<bool(const Row&)>& compared) {
  return compared ? translated(answers, {{}, {}, compared}) : std::move(answers);
}

// Shares of a run in which proxies eject or check hosts are those of the states that it met, which draws decide. Mode
// exact knows no draws: what it calls exact, a run must count.
Answers with_shares_of_mode_exact(Answers counted, const Answers& exact) {
  for (auto& [place, cell] : counted.cells) {
    const auto found = exact.cells.find(place);
    cell.exact = found == exact.cells.end() ? std::optional(0.0) : found->second.exact;
    cell.at_rest = found == exact.cells.end() ? 0.0 : found->second.at_rest;
  }
  for (const auto& [place, cell] : exact.cells) {
    counted.cells.try_emplace(place, cell);
  }
  return counted;
}

Answers answers_for(Promise promise, const std::function<Answers(const run::Options&)>& answers,
                    const run::Options& options) {
  if (!is_of_shares(promise)) {
    return answers(options);
  }
  run::Options exact = options;
  exact.mode = scenario::Mode::exact;
  return with_shares_of_mode_exact(answers(options), answers(exact));
}

struct RelationTally {
  std::size_t tried = 0;
  std::size_t broken = 0;
  std::size_t spoilt_found = 0;  // variants that were spoilt, and found to be so
  std::vector<RowChance> chances = {};
};

Comparison compare_with(const Json& base, const Variant& variant, Promise promise) {
  const auto of_variant = [&](const run::Options& options) {
    return variant.text.empty() ? answers_of(variant.scenario, options)
                                : answers_of_text("scenario.yaml", variant.text, options);
  };
  const Answers right = answers_for(promise, of_variant, variant.options);
  Answers left = answers_for(promise, [&](const run::Options& options) { return answers_of(base, options); }, {});
  if (!left.refused.empty() || !right.refused.empty()) {
    return {"refused:\n" + left.refused + "and\n" + right.refused, {}};
  }
  return compare(promise, compared_rows(std::move(left), variant.compared),
                 compared_rows(translated(right, variant.translation), variant.compared));
}

// Another answer, as a wrong program would give it: other draws, or other shares.
Variant spoilt(Variant variant, Promise promise) {
  Json& scenario = variant.scenario;
  scenario = is_of_shares(promise) ? with_other_shares(std::move(scenario)) : with_other_draws(std::move(scenario));
  if (!variant.text.empty()) {
    variant.text = scenario.dump();
  }
  return variant;
}

void try_on(const std::string& world, Json base, Dice dice, Promise promise, const Change& change,
            RelationTally& tally) {
  std::optional<Variant> variant = change(base, dice);
  if (!variant) {
    return;
  }
  ++tally.tried;
  Comparison comparison = compare_with(base, *variant, promise);
  for (RowChance& row : comparison.chances) {
    row.row = world + ", " + row.row;
    tally.chances.push_back(std::move(row));
  }
  if (!comparison.difference.empty()) {
    ++tally.broken;
    FAIL_CHECK(world << ": " << comparison.difference << "\nbase: " << base.dump()
                     << "\nvariant: " << variant->scenario.dump());
  } else if (tally.spoilt_found == 0) {
    const Comparison of_spoilt = compare_with(base, spoilt(std::move(*variant), promise), promise);
    tally.spoilt_found += of_spoilt.difference.empty() || of_spoilt.difference.starts_with("refused") ? 0 : 1;
  }
}

}  // namespace

Comparison compare(Promise promise, const Answers& base, const Answers& variant) {
  Comparison comparison;
  comparison.difference = difference_of_levels(base, variant);
  if (comparison.difference.empty()) {
    comparison.difference = difference_of_cells(promise, base, variant);
  }
  if (is_of_shares(promise)) {
    comparison.chances = chances_of(base, variant);
  } else if (comparison.difference.empty()) {
    comparison.difference = difference_of_ends(promise, base, variant);
  }
  return comparison;
}

Trials trials_of(const std::string& relation) {
  constexpr std::uint64_t sample = 30;
  constexpr std::size_t stride = 9;
  const std::uint64_t own = numeric::xxhash64(relation) % 1'000'000 * 1'000;
  if (const char* asked = std::getenv("SPILLWAY_METAMORPHIC")) {
    return {own, std::strtoull(asked, nullptr, 10), 1};
  }
  return {own, support::cases_of(sample), stride * support::stride_of_cases};
}

void for_each_world(const TryIt& try_it, const Draw& draw) {
  const Trials trials = trials_of(Catch::getResultCapture().getCurrentTestName());
  for (std::uint64_t number = trials.first; number < trials.first + trials.count; ++number) {
    if (!try_it(fmt::format("drawn world {}", number), draw(number), Dice(number))) {
      return;
    }
  }
  const std::vector<CommittedWorld>& committed = committed_worlds();
  for (std::size_t place = trials.first / 1'000 % trials.committed_stride; place < committed.size();
       place += trials.committed_stride) {
    if (!try_it(committed[place].file, committed[place].scenario, Dice(place))) {
      return;
    }
  }
}

void check_relation(Promise promise, const Change& change, const Draw& draw) {
  constexpr std::size_t most_shown = 3;
  RelationTally tally;
  for_each_world(
      [&](const std::string& world, const Json& scenario, Dice dice) {
        try_on(world, scenario, std::move(dice), promise, change, tally);
        return tally.broken < most_shown;
      },
      draw);
  INFO("applied to " << tally.tried << " scenarios");
  CHECK(tally.tried >= support::cases_of(6));
  CHECK((tally.spoilt_found > 0 || tally.broken > 0));
  double least = 1.0;
  for (const RowChance& of : tally.chances) {
    INFO(of.row);
    CHECK(of.chance > false_alarms / most_relations / static_cast<double>(tally.chances.size()));
    least = std::min(least, of.chance);
  }
  if (std::getenv("SPILLWAY_TALLY") != nullptr) {
    fmt::print("{}: {} scenarios, {} rows by a G-test, least chance {}\n",
               Catch::getResultCapture().getCurrentTestName(), tally.tried, tally.chances.size(), least);
  }
}

}  // namespace spillway::metamorphic
