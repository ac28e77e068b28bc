#include "cli/run_files.hpp"

#include <fmt/format.h>

#include "cli/arguments.hpp"
#include "cli/usage_problem.hpp"
#include "models/documents/terminal_text.hpp"
#include "reports/requests/event_log.hpp"
#include "reports/text/text_table.hpp"
#include "sim/run/run.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::cli {
namespace {

UsageProblem cannot_write(const std::string& path, const std::string& failure) {
  return {"SP908", fmt::format("cannot write `{}`: {}", reports::printable(path), failure), ""};
}

}  // namespace

RunFiles::RunFiles(const Arguments& arguments, const scenario::Scenario& scenario)
    : arguments_(arguments), scenario_(scenario), requests_(scenario) {
  if (arguments.trace) {
    trace_.emplace(*arguments.trace, LineFile::Appears::whole);
  }
  if (arguments.events) {
    events_.emplace(*arguments.events, LineFile::Appears::growing);
  }
}

void RunFiles::ask(run::Options& options) {
  if (trace_) {
    options.trace = [this](const run::TracedRequest& request) {
      requests_.add(request);
      trace_->append(requests_.text());
      requests_.clear();
    };
  }
  options.logged_events = run::EventLog::Options{.keeps = [this](const run::EventRecord& record) {
    return reports::passes(scenario_, arguments_.logged_events, record);
  }};
  if (events_) {
    options.logged_events->sink = [this, json = reports::event_json(scenario_)](const run::EventRecord& record) {
      events_->append(json(record) + '\n');
    };
  }
}

std::optional<UsageProblem> RunFiles::problem() const {
  if (trace_ && !trace_->failure().empty()) {
    return cannot_write(*arguments_.trace, trace_->failure());
  }
  if (events_ && !events_->failure().empty()) {
    return cannot_write(*arguments_.events, events_->failure());
  }
  return std::nullopt;
}

std::optional<UsageProblem> RunFiles::finish() {
  if (trace_) {
    trace_->append(requests_.text());
    if (const std::string failure = trace_->finish(); !failure.empty()) {
      return cannot_write(*arguments_.trace, failure);
    }
  }
  if (events_) {
    if (const std::string failure = events_->finish(); !failure.empty()) {
      return cannot_write(*arguments_.events, failure);
    }
  }
  return std::nullopt;
}

}  // namespace spillway::cli
