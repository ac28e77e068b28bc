// One result in several formats: the same figures.
#include "reports/formats.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "reports/shares/group_by.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "tests/metamorphic/relation.hpp"
#include "tests/metamorphic/tree.hpp"

using namespace spillway;
using namespace spillway::metamorphic;

namespace {

// A world that was simulated, to be written down.
struct Written {
  scenario::Reading reading;
  run::Results results;

  explicit Written(const Json& scenario)
      : reading(scenario::read_scenario_text("scenario.json", scenario.dump())),
        results(run::run(reading.scenario.value(), {})) {}

  [[nodiscard]] std::string as(reports::Format format, const reports::Dimensions& by) const {
    return reports::format({*reading.scenario, results, {}, {}, {}}, format, by, {});
  }
};

using Fields = std::vector<std::string>;

// RFC 4180: commas between fields, quotes twice within quotes.
std::vector<Fields> csv_lines(const std::string& text) {
  std::vector<Fields> lines(1, Fields(1));
  bool quoted = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '"') {
      const bool twice = quoted && at + 1 < text.size() && text[at + 1] == '"';
      lines.back().back() += twice ? "\"" : "";
      at += twice ? 1 : 0;
      quoted = twice ? quoted : !quoted;
    } else if (!quoted && text[at] == ',') {
      lines.back().emplace_back();
    } else if (!quoted && text[at] == '\n') {
      lines.emplace_back(1);
    } else {
      lines.back().back() += text[at];
    }
  }
  lines.pop_back();
  return lines;
}

// A value of JSON as CSV has it.
std::string as_field(const Json& value) {
  return value.is_null() ? "" : value.is_string() ? value.get<std::string>() : value.dump();
}

bool same_figure(const std::string& left, const std::string& right) {
  if (left == right) {
    return true;
  }
  char* end = nullptr;
  const double number = std::strtod(left.c_str(), &end);
  return !left.empty() && *end == '\0' && !right.empty() && number == std::strtod(right.c_str(), &end) && *end == '\0';
}

// The first difference between rows whose columns have names and the rows of `shares` of a JSON; empty if there is
// none.
std::string difference_of_rows(const Fields& columns, const std::vector<Fields>& rows, const Json& shares) {
  if (rows.size() != shares.size()) {
    return std::to_string(rows.size()) + " rows for " + std::to_string(shares.size());
  }
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (std::size_t column = 0; column < columns.size(); ++column) {
      if (!shares[row].contains(columns[column])) {
        continue;  // times of the epoch
      }
      const std::string expected = as_field(shares[row][columns[column]]);
      if (!same_figure(rows[row].at(column), expected)) {
        return "row " + std::to_string(row) + ", " + columns[column] + ": " + rows[row][column] + " for " + expected;
      }
    }
  }
  return "";
}

// The share rows of CSV, and what JSON says of requests without a host, which have rows of their own there.
struct CsvShares {
  Fields columns;
  std::vector<Fields> rows;
  std::multimap<std::string, double> without_host;  // by epoch, client and service
};

CsvShares csv_shares(const std::string& text) {
  CsvShares shares;
  std::vector<Fields> lines = csv_lines(text);
  shares.columns = lines.front();
  const auto column = [&](const char* name) {
    return static_cast<std::size_t>(std::find(shares.columns.begin(), shares.columns.end(), name) -
                                    shares.columns.begin());
  };
  for (std::size_t line = 1; line < lines.size(); ++line) {
    Fields& row = lines[line];
    if (row.at(column("availability")) != "none") {
      shares.rows.push_back(std::move(row));
    } else if (!row.at(column("exact")).empty()) {
      shares.without_host.emplace(row.at(column("epoch")) + row.at(column("client")) + row.at(column("service")),
                                  std::stod(row.at(column("exact"))));
    }
  }
  return shares;
}

// Every share of the table in parts of one, by row: `84 % (84.02)` is the exact one and the counted one.
std::vector<std::multimap<double, double>> markdown_rows(const std::string& text) {
  static const std::regex cell("([0-9.]+|\\?) %? ?\\(([0-9.]+)\\)");
  std::vector<std::multimap<double, double>> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::multimap<double, double> shares;
    for (std::sregex_iterator found(line.begin(), line.end(), cell), end; found != end; ++found) {
      const std::string exact = (*found)[1];
      if (line.front() == '|' && exact != "?") {
        shares.emplace(std::stod(exact), std::stod((*found)[2]));
      }
    }
    if (line.front() == '|' && !shares.empty()) {
      rows.push_back(std::move(shares));
    }
  }
  return rows;
}

}  // namespace

TEST_CASE("CSV has the figures of JSON") {
  bool spoilt_found = false;
  for_each_world([&](const std::string& world, const Json& scenario, Dice) {
    INFO(world << ": " << scenario.dump());
    const Written written(scenario);
    const auto by = reports::Dimensions::everything();
    const Json document = Json::parse(written.as(reports::Format::json, by));
    const CsvShares found = csv_shares(written.as(reports::Format::csv, by));
    CHECK(difference_of_rows(found.columns, found.rows, document["shares"]) == "");
    std::multimap<std::string, double> without_host;
    for (const Json& epoch : document["epochs"]) {
      if (epoch.contains("no_host") && epoch["no_host"].is_number()) {
        without_host.emplace(
            epoch["index"].dump() + epoch["client"].get<std::string>() + epoch["service"].get<std::string>(),
            epoch["no_host"].get<double>());
      }
    }
    CHECK(found.without_host == without_host);
    if (!spoilt_found) {
      const CsvShares other = csv_shares(Written(with_other_draws(scenario)).as(reports::Format::csv, by));
      spoilt_found = !difference_of_rows(other.columns, other.rows, document["shares"]).empty();
    }
    return true;
  });
  CHECK(spoilt_found);
}

TEST_CASE("figures by zone are the sums of those by endpoint") {
  using Cells = std::map<std::string, std::pair<double, double>>;
  const auto sums = [](const Written& written, const reports::Dimensions& by) {
    Cells cells;
    const Json document = Json::parse(written.as(reports::Format::json, by));
    for (const Json& share : document["shares"]) {
      auto& [exact, requests] =
          cells[share["epoch"].dump() + share["client"].dump() + share["service"].dump() + share["zone"].dump()];
      exact += share["exact"].is_null() ? std::nan("") : share["exact"].get<double>();
      requests += share["requests"].is_null() ? 0.0 : share["requests"].get<double>();
    }
    return cells;
  };
  const auto difference = [](const Cells& zones, const Cells& endpoints) -> std::string {
    for (const auto& [place, zone] : zones) {
      const auto found = endpoints.find(place);
      const auto [exact, requests] = found == endpoints.end() ? std::pair(std::nan(""), 0.0) : found->second;
      if (requests != zone.second || (!std::isnan(exact) && !(zone.first == Approx(exact).margin(1e-9)))) {
        return place;
      }
    }
    return "";
  };
  bool spoilt_found = false;
  for_each_world([&](const std::string& world, const Json& scenario, Dice) {
    INFO(world << ": " << scenario.dump());
    const Written written(scenario);
    const Cells zones = sums(written, {reports::Dimension::client, reports::Dimension::zone});
    CHECK(difference(zones, sums(written, reports::Dimensions::everything())) == "");
    spoilt_found =
        spoilt_found ||
        !difference(zones, sums(Written(with_other_draws(scenario)), reports::Dimensions::everything())).empty();
    return true;
  });
  CHECK(spoilt_found);
}

TEST_CASE("Markdown has the figures of JSON, rounded") {
  bool spoilt_found = false;
  for_each_world([&](const std::string& world, const Json& drawn, Dice) {
    Json scenario = drawn;
    scenario["clients"] = only(drawn["clients"][0]);
    if (mentions_any(scenario, {"policies", "resources", "weighted_clusters"})) {
      return true;  // a split service has a table for each part
    }
    INFO(world << ": " << scenario.dump());
    const Written written(scenario);
    const reports::Dimensions by = {reports::Dimension::client, reports::Dimension::zone};
    const Json document = Json::parse(written.as(reports::Format::json, by));
    std::map<std::size_t, std::vector<std::pair<double, double>>> expected;
    for (const Json& share : document["shares"]) {
      if (share["exact"].is_number() && share["simulated"].is_number()) {
        expected[share["epoch"].get<std::size_t>()].emplace_back(100.0 * share["exact"].get<double>(),
                                                                 100.0 * share["simulated"].get<double>());
      }
    }
    const auto rows = markdown_rows(written.as(reports::Format::markdown, by));
    if (expected.empty() || document["epochs"].size() != rows.size()) {
      return true;
    }
    const auto difference = [&](const auto& printed_rows) -> std::string {
      for (const auto& [epoch, shares] : expected) {
        for (const auto& [exact, simulated] : shares) {
          bool found = false;
          for (const auto& [printed, counted] : printed_rows.at(epoch)) {
            found = found || (std::abs(printed - exact) <= 0.00501 && std::abs(counted - simulated) <= 0.00501);
          }
          if (!found) {
            return "epoch " + std::to_string(epoch) + ": " + std::to_string(exact) + " (" + std::to_string(simulated) +
                   ")";
          }
        }
      }
      return "";
    };
    CHECK(difference(rows) == "");
    if (!spoilt_found) {
      const auto other = markdown_rows(Written(with_other_draws(scenario)).as(reports::Format::markdown, by));
      spoilt_found = other.size() == rows.size() && !difference(other).empty();
    }
    return true;
  });
  CHECK(spoilt_found);
}
