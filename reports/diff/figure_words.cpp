#include "reports/diff/figure_words.hpp"

#include <array>
#include <cmath>
#include <fmt/format.h>

#include "reports/requests/kinds_of_failure.hpp"
#include "reports/text/percent.hpp"
#include "reports/text/text_table.hpp"
#include "sim/scenario/outcome.hpp"

namespace spillway::reports {
namespace {

using diff::Difference;
using diff::Figure;

bool is_number(Figure figure) {
  return figure == Figure::attempts || figure == Figure::throughput;
}

// Formats without sign: "1.82 points", "12 ms", "0.2".
std::string amount_text(Figure figure, double amount) {
  return is_latency(figure)  ? duration_text(amount)
         : is_number(figure) ? three_digits(amount)
                             : three_digits(amount * 100.0) + " points";
}

std::string no_difference_text(const diff::NoDifference& of) {
  return fmt::format("{} ({})", figure_name(of.figure),
                     of.within > 0.0 ? "within " + amount_text(of.figure, of.within) : "identical");
}

}  // namespace

std::string three_digits(double value) {
  constexpr int most = 6;
  int decimals = 2;
  for (double scaled = std::abs(value); scaled >= 10.0 && decimals > 0; scaled /= 10.0) {
    --decimals;
  }
  for (double scaled = std::abs(value); scaled > 0.0 && scaled < 1.0 && decimals < most; scaled *= 10.0) {
    ++decimals;
  }
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (decimals > 0) {
    text.erase(text.find_last_not_of('0') + 1);
    text.erase(text.find_last_not_of('.') + 1);
  }
  return text;
}

std::string figure_name(Figure figure) {
  if (const auto kind = diff::kind_of_failed(figure)) {
    return kind_of_failure(*kind).requests;
  }
  switch (figure) {
    case Figure::failed:
      return "failed requests";
    case Figure::p50:
      return "p50 of successful answers";
    case Figure::p90:
      return "p90 of successful answers";
    case Figure::p99:
      return "p99 of successful answers";
    case Figure::attempts:
      return "attempts for each request";
    case Figure::throughput:
      return "answers per second";
    case Figure::utilisation:
      return "utilisation of the busiest endpoint";
    case Figure::share:
      return "shares of traffic";
    default:
      return "";
  }
}

std::string figure_key(Figure figure) {
  if (const auto kind = diff::kind_of_failed(figure)) {
    return outcome_name(*kind);
  }
  constexpr std::array keys{"p50", "p90", "p99", "attempts", "throughput", "utilisation", "share"};
  return figure == Figure::failed ? "failed"
                                  : keys[static_cast<std::size_t>(figure) - static_cast<std::size_t>(Figure::p50)];
}

std::string figure_text(Figure figure, double value) {
  return is_latency(figure)  ? duration_text(value)
         : is_number(figure) ? three_digits(value)
                             : three_digits(value * 100.0) + " %";
}

std::string figure_amount_text(const diff::SimulatedFigure& figure) {
  return amount_text(figure.figure, std::abs(figure.change()));
}

std::string figure_change_text(const diff::SimulatedFigure& figure) {
  const std::string change =
      (figure.change() < 0.0 ? "-" : "+") + amount_text(figure.figure, std::abs(figure.change()));
  return figure.half_width > 0.0 ? change + " +- " + amount_text(figure.figure, figure.half_width)
                                 : change + " in every replication";
}

std::vector<std::string> simulated_lines(const Difference& difference) {
  const diff::Simulated& simulated = difference.simulated;
  if (simulated.replications == 0) {
    return {};
  }
  std::vector<std::string> lines = {fmt::format(
      "simulated: {} replications of each side with the same draws (seed {}){}, {} requests in all; the intervals (+-) "
      "together have a confidence of {}",
      simulated.replications, simulated.seed,
      simulated.failures == 0
          ? std::string()
          : fmt::format(", without and with {} failure{}", simulated.failures, simulated.failures == 1 ? "" : "s"),
      with_thousands(simulated.requests), exact_percent(simulated.confidence))};
  std::vector<std::string> same;
  for (const diff::NoDifference& of : simulated.no_difference) {
    same.push_back(no_difference_text(of));
  }
  if (!same.empty()) {
    lines.push_back(std::string("no difference found") + (simulated.differs() ? ", where the tables show none" : "") +
                    ": " + joined(same, ", "));
  }
  if (!simulated.by_client) {
    lines.push_back("many clients: simulated figures are compared by service, for all clients together");
  }
  return lines;
}

std::vector<std::string> not_compared_lines(const Difference& difference) {
  std::vector<std::string> lines;
  for (const std::string& what : difference.not_compared) {
    lines.push_back("not compared: " + what);
  }
  return lines;
}

}  // namespace spillway::reports
