#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <tuple>

#include "reports/diff/context_words.hpp"
#include "reports/diff/figure_words.hpp"

namespace spillway::reports {
namespace {

using diff::Context;
using diff::Difference;
using diff::Figure;

// Returns the relative change of a latency. p99 counts twice, so another quantile is preferred only if it changes more
// than twice as much.
double weight_of_latency(const diff::SimulatedFigure& figure) {
  const double part = figure.before > 0.0 ? std::abs(figure.change()) / figure.before : 1.0;
  return figure.figure == Figure::p99 ? 2.0 * part : part;
}

bool reports_latency(Figure figure) {
  return figure == Figure::p50 || figure == Figure::p90 || figure == Figure::p99;
}

// Returns the most important figure: failures come first, with the runs themselves before planned failures, then
// latency, attempts and utilisation. Within a kind the largest change wins.
template <class Counts>
const diff::SimulatedFigure* most_important(const Difference& difference, Counts counts) {
  const auto rank = [&](const diff::SimulatedFigure& figure) {
    const bool in_run = difference.contexts[figure.context].kind == Context::Kind::run;
    const bool latency = reports_latency(figure.figure);
    const int kind = figure.figure == Figure::failed ? 0 : latency ? 1 : 2 + static_cast<int>(figure.figure);
    const double amount = latency ? weight_of_latency(figure) : std::abs(figure.change());
    return std::tuple(kind, in_run ? 0 : 1, -amount);
  };
  const diff::SimulatedFigure* found = nullptr;
  for (const diff::SimulatedFigure& figure : difference.simulated.figures) {
    if (figure.differs() && counts(figure) && (found == nullptr || rank(figure) < rank(*found))) {
      found = &figure;
    }
  }
  return found;
}

// True if lower is better. Utilisation has no better direction, nor has one kind of failure that may replace another.
bool has_a_good_side(const diff::SimulatedFigure& figure) {
  return figure.figure == Figure::failed || figure.figure == Figure::attempts || reports_latency(figure.figure);
}

// True for a latency while more requests fail: the remaining successful requests may be the easy ones.
bool is_of_survivors(const Difference& difference, const diff::SimulatedFigure& figure) {
  const std::vector<diff::SimulatedFigure>& all = difference.simulated.figures;
  return reports_latency(figure.figure) && std::any_of(all.begin(), all.end(), [&](const diff::SimulatedFigure& other) {
           return other.figure == Figure::failed && other.differs() && other.change() > 0.0 &&
                  other.context == figure.context && other.client == figure.client && other.service == figure.service;
         });
}

// Returns "failed requests of frontend rise from 0.52 % to 2.34 %, to 4.5 times as many".
std::string figure_clause(const Difference& difference, const diff::SimulatedFigure* figure) {
  const bool plural =
      figure->figure <= Figure::last_kind || figure->figure == Figure::attempts || figure->figure == Figure::throughput;
  const char* const verb = figure->change() > 0.0 ? (plural ? "rise" : "rises") : (plural ? "fall" : "falls");
  const std::string whose = figure->figure == Figure::utilisation ? " in " + figure->zone
                            : figure->client.empty()              ? " for " + figure->service
                                                                  : " of " + figure->client;
  const double factor = figure->before > 0.0 ? figure->after / figure->before : 0.0;
  constexpr double worth_saying = 1.5;
  const std::string times = factor >= worth_saying ? fmt::format(" (x {})", three_digits(factor)) : "";
  const std::string before = figure_text(figure->figure, figure->before);
  const std::string after = figure_text(figure->figure, figure->after);
  const std::string from_to = before != after ? fmt::format("from {} to {}{}", before, after, times)
                                              : fmt::format("from {} by {}", before, figure_amount_text(*figure));
  return fmt::format("{}{} {} {}{}", figure_name(figure->figure), whose, verb, from_to,
                     circumstance(difference.contexts[figure->context], true));
}

}  // namespace

bool compares_latency(const diff::Simulated& simulated) {
  return std::any_of(simulated.no_difference.begin(), simulated.no_difference.end(),
                     [](const diff::NoDifference& of) { return of.figure == Figure::p99; });
}

std::string simulated_clause(const Difference& difference) {
  const diff::SimulatedFigure* const worse = most_important(
      difference, [](const diff::SimulatedFigure& figure) { return has_a_good_side(figure) && figure.change() > 0.0; });
  const diff::SimulatedFigure* const better = most_important(difference, [&](const diff::SimulatedFigure& figure) {
    return has_a_good_side(figure) && figure.change() < 0.0 && !is_of_survivors(difference, figure);
  });
  if (worse != nullptr && better != nullptr) {
    return figure_clause(difference, worse) + ", but " + figure_clause(difference, better);
  }
  const auto* const either = most_important(difference, [](const diff::SimulatedFigure& /*any*/) { return true; });
  return either == nullptr ? "" : figure_clause(difference, either);
}

}  // namespace spillway::reports
