#include <fmt/format.h>

#include "cli/argument_values.hpp"
#include "cli/commands.hpp"
#include "cli/control_plane.hpp"
#include "cli/diff_documents.hpp"
#include "cli/ending.hpp"
#include "cli/envoy_input.hpp"
#include "cli/input.hpp"
#include "cli/output_file.hpp"
#include "cli/shared_options.hpp"
#include "cli/terminal.hpp"
#include "reports/diff/diff_report.hpp"
#include "reports/expectations/github_annotations.hpp"
#include "reports/html/report.hpp"
#include "sim/diff/compare.hpp"
#include "sim/diff/read_sides.hpp"
#include "sim/plan/failures.hpp"

namespace spillway::cli {
namespace {

// Prints the side with its errors, as both files may have the same name.
void say_bad_side(const char* which, const scenario::Reading& reading, const Arguments& arguments) {
  say(fmt::format("{} cannot be compared:\n", which));
  say_diagnostics(reading, arguments, false);
  if (arguments.github) {
    say(reports::github_annotations(reading.diagnostics, reading.sources));
  }
}

// Prints problems of the failures to compare (none match, or too many), which otherwise only a plan detects.
bool has_bad_failures(const char* which, const diff::Side& side, const Arguments& arguments) {
  const plan::Failures failures = plan::failures_of(side.scenario());
  if (failures.problems.empty()) {
    return false;
  }
  say_bad_side(which, {std::nullopt, failures.problems, side.reading().sources}, arguments);
  return true;
}

CommandResult diff_of(const diff::Sides& sides, const Arguments& arguments) {
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
    if (refuse_control_plane(side->reading(), arguments)) {
      return {"", ExitCode::bad_input};
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
    return refuse({"SP904", "`--replications` below 2 gives no interval to tell a difference from chance",
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

diff::ProfileChoice choice_of(const std::string& text) {
  const std::size_t equals = text.find('=');
  return {text.substr(0, equals), text.substr(equals + 1)};
}

// Compares with another release of the control plane. Documents without a scenario have become one (pasted_input.cpp).
CommandResult mesh_upgrade(const Arguments& arguments) {
  const auto sides =
      arguments.paths.size() != 1
          ? std::nullopt
          : diff::read_profiles(arguments.paths[0], choice_of(*arguments.from_mesh), choice_of(*arguments.to_mesh));
  return sides ? diff_of(*sides, arguments)
               : refuse({"SP904", "neither a scenario nor documents of a mesh",
                         "a proxy's documents hold what a control plane made: give what it reads, such as kubectl get "
                         "svc,pods,nodes,endpointslices,destinationrule,virtualservice -A -o yaml"},
                        arguments);
}

CommandResult diff_command(const Arguments& arguments) {
  if (arguments.to_mesh) {
    return mesh_upgrade(arguments);
  }
  if (arguments.to_release) {
    const auto sides = arguments.paths.size() == 1
                           ? diff::read_releases(arguments.paths[0], arguments.from_release, *arguments.to_release)
                           : std::nullopt;
    return sides ? diff_of(*sides, arguments) : upgrade_command(arguments);
  }
  if (arguments.all_clusters) {
    return diff_of_all_clusters(arguments);
  }
  return diff_of(diff::read_sides({.before = arguments.paths[0],
                                   .after = arguments.paths[1],
                                   .world = arguments.world,
                                   .envoy = envoy_options(arguments)}),
                 arguments);
}

void add_diff_options(CLI::App& app, RawArguments& raw) {
  add_formats(app, reports::format_names(), raw);
  add_width(app, raw);
  add_document_options(app, DocumentOptions::with_headers, raw);
  option(app, "Simulation", "SCENARIO", "--scenario", raw.world,
         "The scenario in which two files of Kuma's or Istio's documents are compared: they replace its documents of "
         "the same kind, mesh or namespace, and name");
  option(app, "Simulation", "TIME", "--at", raw.at, "When failures happen (default: when clients of NEW send most)");
  add_replications(app, raw,
                   "Number of replications of each side with the same draws, for intervals; at least 2 (default: 10)");
  add_asked_cluster(app, raw);
  option(app, "Upgrade", "PROFILE", "--to-profile", raw.to_profile,
         "What an upgrade moves: envoy=release-1.40 for the documents of one proxy; istio=release-1.31 or kuma=head\n"
         "for a scenario, or the documents of a mesh");
  option(app, "Upgrade", "PROFILE", "--from-profile", raw.from_profile,
         "The release to upgrade from: envoy=release-1.36 (default: the release that the documents name; of a\n"
         "control plane the other one)");
  add_all_clusters(app, raw);
  add_report(app, raw);
  app.add_flag("--github", raw.github, "Also print what changes as GitHub annotations, on standard error")
      ->group("Output");
  add_pasted_options(app, PastedOptions::usual, raw);
}

std::optional<UsageProblem> check_diff(const Command& command, const Arguments& arguments) {
  if (arguments.to_release || arguments.to_mesh) {
    return arguments.paths.empty() ? std::optional(missing(command, "FILE")) : std::nullopt;
  }
  if (arguments.paths.size() < 2) {
    return missing(command, arguments.paths.empty() ? "OLD and a NEW" : "NEW");
  }
  return arguments.paths.size() == 2
             ? std::nullopt
             : std::optional(problem("SP905",
                                     fmt::format("unexpected argument `{}`", reports::printable(arguments.paths[2])),
                                     "`spillway diff` compares two files"));
}

}  // namespace

const Command commands::diff{
    .name = "diff",
    .group = "Plan",
    .summary = "What a change moves: traffic, load, hashed keys, cost between zones, warnings",
    .usage = "OLD NEW",
    .path_name = "OLD NEW",
    .path_help =
        "Two scenario files, two Envoy documents, or a scenario and a file of Kuma's policies or Istio's rules that "
        "change it; - reads standard input",
    .example =
        "  spillway diff main.yaml branch.yaml -o markdown\n  spillway diff old-policy.yaml new-policy.yaml --scenario "
        "shop.yaml\n  spillway diff shop.yaml new-policy.yaml\n  spillway diff config_dump.json --to-profile "
        "envoy=release-1.40",
    .add_options = add_diff_options,
    .check = check_diff,
    .execute = diff_command,
    .prints_text = true,
    .takes_pasted = true};

}  // namespace spillway::cli
