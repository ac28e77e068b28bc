#include <fmt/format.h>
#include <utility>

#include "cli/commands.hpp"
#include "cli/control_plane.hpp"
#include "cli/ending.hpp"
#include "cli/envoy_input.hpp"
#include "cli/input.hpp"
#include "cli/output_file.hpp"
#include "cli/terminal.hpp"
#include "reports/diff/diff_report.hpp"
#include "reports/diff/upgrade_report.hpp"
#include "reports/expectations/github_annotations.hpp"
#include "reports/html/report.hpp"
#include "sim/diff/compare.hpp"
#include "sim/diff/read_sides.hpp"
#include "sim/diff/upgrade.hpp"
#include "sim/plan/failures.hpp"
#include "sim/scenario/envoy/proxy_configuration.hpp"
#include "sim/scenario/problem.hpp"

namespace spillway::cli {
namespace {

// Both may be files of the same name.
void say_bad_side(const char* which, const scenario::Reading& reading, const Arguments& arguments) {
  say(fmt::format("{} cannot be compared:\n", which));
  say_diagnostics(reading, arguments, false);
  if (arguments.github) {
    say(reports::github_annotations(reading.diagnostics, reading.sources));
  }
}

// Failures of nothing, or too many, which only a plan is about to notice.
bool has_bad_failures(const char* which, const diff::Side& side, const Arguments& arguments) {
  const plan::Failures failures = plan::failures_of(side.scenario());
  if (failures.problems.empty()) {
    return false;
  }
  say_bad_side(which, {std::nullopt, failures.problems, side.reading().sources}, arguments);
  return true;
}

// What is wrong with a cluster, in one line.
std::string words_of_error(const scenario::Diagnostics& problems) {
  const auto found = std::find_if(problems.begin(), problems.end(), [](const scenario::Diagnostic& problem) {
    return problem.severity == scenario::Severity::error;
  });
  return found == problems.end() ? "" : found->code + ": " + found->message;
}

CommandResult upgrade_command(const Arguments& arguments) {
  scenario::EnvoyOptions options = envoy_options(arguments);
  options.cluster.clear();
  const scenario::ProxyConfiguration proxy = scenario::ProxyConfiguration::read(arguments.paths, options);
  say_diagnostics({std::nullopt, proxy.diagnostics(), proxy.sources()}, arguments);
  if (scenario::has_errors(proxy.diagnostics())) {
    return {"", ExitCode::bad_input};
  }
  const std::string version = proxy.node().version;
  const auto told = diff::release_of(version);
  if (!told && !arguments.from_release) {
    return refuse({"SP903",
                   version.empty() ? "the documents do not tell the release of their Envoy"
                                   : fmt::format("`{}` is no release of Envoy", reports::printable(version)),
                   "for example --from-profile envoy=release-1.36"},
                  arguments);
  }
  diff::Upgrade upgrade{.from = arguments.from_release.value_or(told.value_or(0)),
                        .to = *arguments.to_release,
                        .told = !arguments.from_release};
  if (upgrade.from < diff::oldest_release) {
    return refuse({"SP904", fmt::format("the documents are of release 1.{}", upgrade.from),
                   fmt::format("changes are known from release 1.{} on", diff::oldest_release)},
                  arguments);
  }
  const std::vector<std::string> names =
      arguments.cluster ? std::vector<std::string>{*arguments.cluster} : proxy.cluster_names();
  for (const std::string& name : names) {
    diff::ClusterUpgrade& cluster = upgrade.clusters.emplace_back(diff::ClusterUpgrade{.cluster = name});
    const auto reading = proxy.cluster(name);
    if (reading.scenario) {
      cluster.changes = diff::changes_for(*reading.scenario, {0}, upgrade.from, upgrade.to);
    } else {
      cluster.why_not = words_of_error(reading.diagnostics);
    }
  }
  return {reports::format_upgrade(upgrade, arguments.format, look_of_output(arguments)),
          upgrade.changed() ? ExitCode::expectation_failed : ExitCode::well};
}

}  // namespace

CommandResult diff_command(const Arguments& arguments) {
  if (arguments.to_release) {
    return upgrade_command(arguments);
  }
  const diff::Sides sides = diff::read_sides({.before = arguments.paths[0],
                                              .after = arguments.paths[1],
                                              .world = arguments.world,
                                              .envoy = envoy_options(arguments)});
  if (sides.refusal) {
    return refuse({sides.refusal->code, sides.refusal->message, sides.refusal->help}, arguments);
  }
  if (sides.bad_before) {
    say_bad_side("OLD", *sides.bad_before, arguments);
  }
  if (sides.bad_after) {
    say_bad_side("NEW", *sides.bad_after, arguments);
  }
  if (!sides.before || !sides.after) {
    return {"", ExitCode::bad_input};
  }
  for (const diff::Side* const side : {&*sides.before, &*sides.after}) {
    if (const auto other = refuse_control_plane(side->scenario())) {
      return refuse(*other, arguments);
    }
  }
  const bool bad_before = has_bad_failures("OLD", *sides.before, arguments);
  if (has_bad_failures("NEW", *sides.after, arguments) || bad_before) {
    return {"", ExitCode::bad_input};
  }
  const auto shorter = std::min(sides.before->scenario().duration, sides.after->scenario().duration);
  if (arguments.at && *arguments.at >= shorter) {
    return refuse({"SP904", "the moment of --at is at or after the end of one of the two",
                   "it must be before the `duration` of both"},
                  arguments);
  }
  diff::Request request{.failures_at = arguments.at};
  request.effort.replications = arguments.replications.value_or(request.effort.replications);
  request.effort.jobs = arguments.jobs;
  if (request.effort.replications < 2) {
    return refuse({"SP904", "`--replications` below 2 leaves no interval to tell a difference from chance by",
                   "for example --replications 10, the default"},
                  arguments);
  }
  diff::Difference difference;
  {
    ProgressBar bar("comparing");
    request.progress = [&](double done) {
      bar.show(done);
      note_reached(fmt::format("{:.0f} % of the comparison", 100.0 * done));
    };
    difference = diff::compare(*sides.before, *sides.after, request);
  }
  if (arguments.report) {
    const reports::html::DiffInput input{difference, sides.after->scenario(), sides.before->reading().sources,
                                         sides.after->reading().sources};
    const std::string page = reports::html::diff_page(input, {SPILLWAY_VERSION, arguments.command_line});
    if (const auto failure = write_file(*arguments.report, page)) {
      return refuse(*failure, arguments);
    }
  }
  if (arguments.github) {
    say(reports::diff_annotations(difference, sides.after->reading().sources));
  }
  return {reports::format_diff(difference, arguments.format, look_of_output(arguments)),
          difference.changed() ? ExitCode::expectation_failed : ExitCode::well};
}

}  // namespace spillway::cli
