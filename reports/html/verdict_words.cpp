#include "reports/html/verdict_words.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <tuple>

#include "reports/expectations/expectations.hpp"
#include "reports/formats.hpp"
#include "reports/html/worst_moments.hpp"
#include "reports/text/percent.hpp"
#include "reports/text/text_table.hpp"
#include "reports/text/times.hpp"
#include "sim/run/exact/exact_sum.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::reports::html {
namespace {

constexpr double nearly_nothing = 1e-9;

// The sentences about failures of a run; empty if there are none.
class Troubles {
 public:
  explicit Troubles(const Report& report) : scenario_(report.scenario), results_(report.results) {
    add_lost_requests();
    add_no_host();
    add_worst_moments();
    add_overload();
    add_panic();
  }

  [[nodiscard]] bool lost() const { return lost_; }
  [[nodiscard]] bool unknown() const { return unknown_; }    // exact shares lack a closed form somewhere
  [[nodiscard]] bool may_lose() const { return may_lose_; }  // and endpoints fail there
  // True if endpoints are overloaded when the run ends: their queue would grow without limit.
  [[nodiscard]] bool ends_overloaded() const { return ends_overloaded_; }
  [[nodiscard]] const std::string& looked_at() const { return looked_at_; }
  [[nodiscard]] const std::vector<std::string>& sentences() const { return sentences_; }
  [[nodiscard]] std::uint64_t sent() const { return sent_; }

 private:
  [[nodiscard]] std::string flow(config::ClientEntryIndex client, config::ServiceIndex service) const {
    return fmt::format("{} -> {}", printable(scenario_.clients[client.value].name),
                       printable(scenario_.services[service.value].name));
  }

  [[nodiscard]] const run::Epoch* epoch_of(const auto& row) const {
    const auto found = std::find_if(results_.epochs.begin(), results_.epochs.end(), [&](const run::Epoch& epoch) {
      return epoch.client == row.client && epoch.service == row.service && epoch.index == row.epoch;
    });
    return found == results_.epochs.end() ? nullptr : &*found;
  }

  void add_lost_requests() {
    std::uint64_t ok = 0;
    const run::Outcomes* worst = nullptr;
    const auto part = [](const run::Outcomes& row) {
      return row.sent == 0 ? 0.0 : static_cast<double>(row.failed()) / static_cast<double>(row.sent);
    };
    for (const run::Outcomes& row : results_.outcomes) {
      sent_ += row.sent;
      ok += row.ok();
      if (worst == nullptr || part(row) > part(*worst)) {
        worst = &row;
      }
    }
    if (sent_ == ok) {
      return;
    }
    lost_ = true;
    const double share = static_cast<double>(sent_ - ok) / static_cast<double>(sent_);
    sentences_.push_back(fmt::format("{} of {} requests ({}) failed.", with_thousands(sent_ - ok),
                                     with_thousands(sent_), exact_percent(share)));
    if (const run::Epoch* epoch = worst == nullptr ? nullptr : epoch_of(*worst)) {
      sentences_.push_back(fmt::format("Worst: {} from {}, {} of its requests.", flow(worst->client, worst->service),
                                       time_range(epoch->start, epoch->end), exact_percent(part(*worst))));
    }
  }

  // Adds requests without a host. Mode exact sends none, so their number follows from the shares.
  void add_no_host() {
    if (results_.mode != scenario::Mode::exact) {
      return;
    }
    using Row = std::tuple<config::ClientEntryIndex, config::ServiceIndex, std::uint32_t>;
    std::map<Row, run::ExactSum> reached;
    for (const run::Share& share : results_.shares) {
      reached[{share.client, share.service, share.epoch}].add(share);
    }
    const run::Epoch* worst = nullptr;
    double most = nearly_nothing;
    for (const run::Epoch& epoch : results_.epochs) {
      const auto found = reached.find({epoch.client, epoch.service, epoch.index});
      const std::optional<double> sum = found == reached.end() ? 0.0 : found->second.value();
      unknown_ = unknown_ || !sum;
      const double lost = 1.0 - sum.value_or(1.0);
      if (lost > most) {
        most = lost;
        worst = &epoch;
      }
    }
    if (worst != nullptr) {
      lost_ = true;
      without_host_ = most;
      sentences_.push_back(fmt::format("Up to {} of the requests find no host: {} from {}.", exact_percent(most),
                                       flow(worst->client, worst->service), time_range(worst->start, worst->end)));
    }
  }

  // Adds what the rows of mode exact do not show: endpoints that do not respond, and loads above the averages of a row.
  // If requests were simulated, adds only an overload, preferably one at the end, because requests that wait until then
  // have not failed.
  void add_worst_moments() {
    const bool exact = results_.mode == scenario::Mode::exact;
    const WorstMoments worst = worst_moments(scenario_);
    looked_at_ = worst.looked_at < worst.moments ? fmt::format("at {} of {} moments", worst.looked_at, worst.moments)
                                                 : "at every moment";
    may_lose_ = exact && worst.may_fail;
    if (exact && worst.failing && worst.failing->share > without_host_ + nearly_nothing) {
      lost_ = true;
      sentences_.push_back(fmt::format(
          "Up to {} of the requests fail: {} from {}.", exact_percent(worst.failing->share),
          flow(worst.failing->client, worst.failing->service), time_range(worst.failing->start, worst.failing->end)));
    }
    const std::optional<WorstMoments::Overload>& overload =
        !exact && worst.overload_at_end ? worst.overload_at_end : worst.overload;
    if (overload) {
      overload_reported_ = true;
      lost_ = lost_ || exact;
      ends_overloaded_ = !exact && worst.overload_at_end.has_value();
      sentences_.push_back(fmt::format("Endpoint {} would need a utilisation of {} from {}: it is overloaded{}.",
                                       printable(scenario_.endpoints[overload->endpoint.value].id),
                                       exact_percent(overload->utilisation), time_range(overload->start, overload->end),
                                       ends_overloaded_ ? " when the run ends" : ""));
    }
  }

  void add_overload() {
    const run::EndpointLoad* busiest = nullptr;
    for (const run::EndpointLoad& row : results_.endpoints) {
      if (row.utilisation && (busiest == nullptr || *row.utilisation > *busiest->utilisation)) {
        busiest = &row;
      }
    }
    constexpr double nearly_all = 0.99;
    if (overload_reported_ || busiest == nullptr || *busiest->utilisation < nearly_all) {
      return;
    }
    const bool beyond = *busiest->utilisation > 1.0 + nearly_nothing;
    lost_ = lost_ || beyond;
    const std::string name = printable(scenario_.endpoints[busiest->endpoint.value].id);
    const std::string part = exact_percent(*busiest->utilisation);
    const std::string when = time_range(busiest->start, busiest->end);
    sentences_.push_back(
        beyond ? fmt::format("Endpoint {} would need a utilisation of {} from {}: it is overloaded.", name, part, when)
               : fmt::format("Endpoint {} has a utilisation of {} from {}.", name, part, when));
  }

  void add_panic() {
    const auto panics = [](const run::Epoch& epoch) {
      return std::any_of(epoch.health->priorities.begin(), epoch.health->priorities.end(),
                         [](const run::PriorityHealth& priority) { return priority.panic; });
    };
    const auto first = std::find_if(results_.epochs.begin(), results_.epochs.end(), panics);
    if (first != results_.epochs.end()) {
      sentences_.push_back(fmt::format("{} panics from {} s: healthy or not, every host gets requests.",
                                       flow(first->client, first->service), seconds_text(first->start)));
    }
  }

  const scenario::Scenario& scenario_;
  const run::Results& results_;
  std::uint64_t sent_ = 0;
  bool lost_ = false;
  bool unknown_ = false;
  bool may_lose_ = false;
  bool overload_reported_ = false;
  bool ends_overloaded_ = false;
  double without_host_ = 0.0;
  std::string looked_at_;
  std::vector<std::string> sentences_;
};

std::string within_a_sentence(std::string sentence) {
  constexpr char to_lower = 'a' - 'A';
  if (sentence.front() >= 'A' && sentence.front() <= 'Z') {
    sentence.front() = static_cast<char>(sentence.front() + to_lower);
  }
  return sentence;
}

std::string counted_expectations(const Tally& tally) {
  const std::size_t all = tally.hold + tally.fail + tally.not_tested + tally.undecided;
  if (tally.fail > 0) {
    return all == 1 ? "the only expectation failed" : fmt::format("{} of {} expectations failed", tally.fail, all);
  }
  const std::string held = tally.hold == 1 ? "the expectation is met" : fmt::format("all {} expectations are met", all);
  if (tally.undecided > 0) {
    return fmt::format("{} of {} expectations are met{}", tally.hold, all, open_text(tally));
  }
  return tally.not_tested == 0
             ? held
             : fmt::format("{} of {} expectations are met, {} could not be tested", tally.hold, all, tally.not_tested);
}

}  // namespace

HeadVerdict run_verdict(const Report& report) {
  const Troubles troubles(report);
  const Tally counts = tally(report.verdicts);
  HeadVerdict verdict;
  if (!report.verdicts.empty()) {
    const bool in_trouble = troubles.lost() || troubles.ends_overloaded();
    const bool though = counts.fail == 0 && in_trouble;
    verdict.sentence =
        counted_expectations(counts) + (though ? ", but " + within_a_sentence(troubles.sentences().front()) : ".");
    const bool open = counts.not_tested > 0 || counts.undecided > 0;
    verdict.tone = counts.fail > 0 ? Tone::bad : in_trouble || open ? Tone::wary : Tone::good;
    verdict.word = counts.fail > 0 ? "Failed" : counts.undecided > 0 ? "Undecided" : "OK";
    verdict.lines = report.failures;
    verdict.lines.insert(verdict.lines.end(), troubles.sentences().begin() + (though ? 1 : 0),
                         troubles.sentences().end());
    return verdict;
  }
  if (troubles.lost()) {
    return {Tone::bad,
            "Loses requests",
            within_a_sentence(troubles.sentences().front()),
            {troubles.sentences().begin() + 1, troubles.sentences().end()}};
  }
  if (troubles.ends_overloaded()) {
    return {Tone::wary,
            "Overloaded",
            fmt::format("all {} requests succeeded, but {}", with_thousands(troubles.sent()),
                        within_a_sentence(troubles.sentences().front())),
            {troubles.sentences().begin() + 1, troubles.sentences().end()}};
  }
  if (troubles.may_lose()) {
    return {Tone::wary, "Undecided",
            "endpoints fail, and how many requests go there has no closed form: mode requests counts them.",
            troubles.sentences()};
  }
  verdict.word = "Loses nothing";
  verdict.sentence = report.results.mode == scenario::Mode::exact
                         ? fmt::format("every request finds a host that answers {}; the scenario expects nothing more.",
                                       troubles.unknown() ? "wherever exact shares have a closed form"
                                                          : troubles.looked_at() + ", by exact shares")
                         : fmt::format("all {} requests succeeded; the scenario expects nothing more.",
                                       with_thousands(troubles.sent()));
  verdict.lines = troubles.sentences();
  return verdict;
}

std::string headline_of(const HeadVerdict& verdict) {
  return verdict.word + ": " + verdict.sentence;
}

Data verdict_data(const HeadVerdict& verdict) {
  constexpr const char* tones[] = {"good", "wary", "bad"};
  return {{"tone", tones[static_cast<std::size_t>(verdict.tone)]},
          {"word", verdict.word},
          {"sentence", verdict.sentence},
          {"lines", verdict.lines}};
}

}  // namespace spillway::reports::html
