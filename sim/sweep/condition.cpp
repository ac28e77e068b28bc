#include "sim/sweep/condition.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

#include "models/config/trimmed.hpp"
#include "models/documents/grammar/scalars.hpp"
#include "models/documents/grammar/suggestion.hpp"
#include "sim/diff/paired.hpp"
#include "sim/run/share_interval.hpp"
#include "sim/scenario/client.hpp"
#include "sim/study/verdict.hpp"
#include "sim/sweep/figures.hpp"

namespace spillway::sweep {
namespace {

std::optional<double> limit_of(const std::string& text, Unit unit) {
  double number = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || number < 0.0) {
    return std::nullopt;
  }
  const std::string after = std::string(config::trimmed(std::string_view(end, text.data() + text.size()), " "));
  const std::string digits(text.data(), end);
  switch (unit) {
    case Unit::share:
      return after == "%" ? std::optional(number / 100.0)
                          : (after.empty() && number <= 1.0 ? std::optional(number) : std::nullopt);
    case Unit::seconds: {
      const auto duration = grammar::read_duration(digits + after);
      return duration ? std::optional(std::chrono::duration<double>(*duration).count()) : std::nullopt;
    }
    case Unit::count:
      break;
  }
  return after.empty() ? std::optional(number) : std::nullopt;
}

}  // namespace

std::variant<Condition, ConditionProblem> parse_condition(const std::string& text,
                                                          const std::vector<std::string>& event_names) {
  const auto trimmed = [](std::string_view part) { return std::string(config::trimmed(part, " ")); };
  const std::size_t sign = text.find_first_of("<>");
  if (sign == std::string::npos) {
    return ConditionProblem{fmt::format("`{}` is not a condition", text),
                            "a figure, < or >, and a limit, for example 'failed < 0.1 %' or 'p99 < 200ms'"};
  }
  const std::string name = trimmed(std::string_view(text).substr(0, sign));
  const auto figure = figure_of(name, event_names);
  if (!figure) {
    const std::vector<std::string> names = figure_names(event_names);
    const std::string nearest = grammar::nearest(name, names);
    return ConditionProblem{fmt::format("`{}` in `{}` is not a figure", name, text),
                            nearest.empty() ? fmt::format("there are share:ZONE, share:P1, {}", fmt::join(names, ", "))
                                            : fmt::format("did you mean `{}`?", nearest)};
  }
  const std::size_t after = sign + (text.substr(sign + 1).starts_with('=') ? 2 : 1);
  const std::string limit_text = trimmed(std::string_view(text).substr(after));
  const auto limit = limit_of(limit_text, figure->unit);
  if (!limit) {
    constexpr std::array what = {"a percentage", "a time", "a number from 0"};
    constexpr std::array such_as = {"80 %", "100ms", "5"};
    const auto unit = static_cast<std::size_t>(figure->unit);
    return ConditionProblem{
        fmt::format("`{}` in `{}` is not {}", limit_text, text, what[unit]),
        fmt::format("for example '{} {} {}'", name, text.substr(sign, after - sign), such_as[unit])};
  }
  const bool below = text[sign] == '<';
  return Condition{text, *figure, below, *limit, after > sign + 1 || (below && *limit == 0.0)};
}

Condition stability_condition() {
  return {"utilisation < 100 %", *figure_of("utilisation", {}), true, 1.0, false, true};
}

namespace {

// Sets the interval of a share of `requests` requests. Precondition: its mean is set.
void set_interval(const std::vector<double>& values, std::uint64_t requests, Finding& finding) {
  const auto missed = static_cast<std::uint64_t>(std::llround(*finding.mean * static_cast<double>(requests)));
  const run::Interval interval = run::share_interval(missed, requests, values);
  finding.low = interval.low;
  finding.high = interval.high;
}

}  // namespace

std::optional<Finding> measure(const Figure& figure, std::span<const Figures> runs) {
  Finding finding;
  std::vector<double> values;
  std::uint64_t requests = 0;
  for (const Figures& run : runs) {
    if (!run.refusal.empty()) {
      return std::nullopt;
    }
    if (const auto value = figure.read(run)) {
      values.push_back(*value);
    }
    requests += run.total.counts ? run.total.counts->sent : 0;
  }
  if (values.empty()) {
    return std::nullopt;
  }
  finding.mean = diff::mean(values);
  const double half = run::half_width_95(values);
  finding.low = *finding.mean - half;
  finding.high = *finding.mean + half;
  const bool of_requests = figure.unit == Unit::share && figure.name != "utilisation" && figure.name != "cross_zone";
  if (of_requests && requests > 0) {
    set_interval(values, requests, finding);
  }
  if (figure.unit == Unit::seconds) {
    constexpr double histogram = 0.01;
    finding.low *= 1.0 - histogram;
    finding.high *= 1.0 + histogram;
  }
  return finding;
}

namespace {

// True if some run has so few responses that its percentile lies below that of their distribution. Of a hundred
// responses, the 99th percentile is hardly ever among the largest.
bool has_too_few_answers(const std::string& name, std::span<const Figures> runs) {
  constexpr double least_beyond = 10.0;
  const auto latency = std::find_if(latency_figures.begin(), latency_figures.end(),
                                    [&](const LatencyFigure& one) { return one.name == name; });
  const double part = latency->beyond > 0.0 ? latency->beyond : 1.0;
  return std::any_of(runs.begin(), runs.end(), [part](const Figures& run) {
    return run.total.latency && static_cast<double>(run.total.latency->answers) * part < least_beyond;
  });
}

// Returns a client's failed requests to a service, measured like those of all requests; nullopt if no run has any.
std::optional<Finding> failures_of(const Outcome& whose, std::span<const Figures> runs) {
  std::vector<double> values;
  std::uint64_t requests = 0;
  for (const Figures& run : runs) {
    const auto same = std::find_if(run.clients.begin(), run.clients.end(), [&](const Outcome& one) {
      return one.client == whose.client && one.service == whose.service;
    });
    if (same != run.clients.end() && same->failed) {
      values.push_back(*same->failed);
      requests += same->counts ? same->counts->sent : 0;
    }
  }
  if (values.empty()) {
    return std::nullopt;
  }
  Finding finding;
  finding.mean = diff::mean(values);
  finding.low = finding.high = *finding.mean;
  if (requests > 0) {
    set_interval(values, requests, finding);
  }
  finding.whose = whose.client + " -> " + whose.service;
  return finding;
}

// Returns the client and service with the most certain failures, which the total over all requests may hide.
std::optional<Finding> hidden_failures(const Condition& condition, std::span<const Figures> runs) {
  std::optional<Finding> worst;
  for (const Outcome& whose : runs.empty() ? std::vector<Outcome>{} : runs.front().clients) {
    auto finding = failures_of(whose, runs);
    if (finding && finding->low > condition.limit && (!worst || *finding->mean > *worst->mean)) {
      worst = std::move(finding);
    }
  }
  return worst;
}

}  // namespace

Finding judge(const Condition& condition, std::span<const Figures> runs) {
  const auto measured = measure(condition.figure, runs);
  if (!measured) {
    const bool refused = std::any_of(runs.begin(), runs.end(), [](const Figures& run) { return !run.refusal.empty(); });
    const bool nothing_answered = condition.figure.unit == Unit::seconds && condition.below;
    Finding unknown;
    unknown.judgement = nothing_answered || refused ? study::Verdict::missed : study::Verdict::undecided;
    unknown.excess = 1.0;
    return unknown;
  }
  Finding finding = *measured;
  const double scale = condition.limit > 0.0 ? condition.limit : 1.0;
  finding.excess = (condition.below ? 1.0 : -1.0) * (*finding.mean - condition.limit) / scale;
  const bool decided_by_sight = condition.limit == 0.0 && condition.below;
  const double worst = decided_by_sight ? *finding.mean : condition.below ? finding.high : -finding.low;
  const double best = decided_by_sight ? *finding.mean : condition.below ? finding.low : -finding.high;
  const double limit = condition.below ? condition.limit : -condition.limit;
  const auto meets = [&](double value) {
    // A value that equals the limit except for rounding is at it.
    constexpr double rounding = 1e-9;
    const bool is_at_limit = std::abs(value - limit) <= rounding * std::abs(limit);
    return is_at_limit ? condition.limit_holds : value < limit;
  };
  finding.judgement = meets(worst)  ? study::Verdict::met
                      : meets(best) ? study::Verdict::undecided
                                    : study::Verdict::missed;
  if (finding.judgement == study::Verdict::met && condition.figure.unit == Unit::seconds && condition.below &&
      has_too_few_answers(condition.figure.name, runs)) {
    finding.judgement = study::Verdict::undecided;
  }
  if (condition.figure.name == "failed" && condition.below && finding.judgement != study::Verdict::missed) {
    if (auto hidden = hidden_failures(condition, runs)) {
      finding = *std::move(hidden);
      finding.judgement = study::Verdict::missed;
      finding.excess = (*finding.mean - condition.limit) / scale;
    }
  }
  return finding;
}

}  // namespace spillway::sweep
