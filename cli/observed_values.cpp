#include "cli/observed_values.hpp"

#include <chrono>
#include <fmt/format.h>
#include <utility>

#include "cli/argument_values.hpp"
#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/option_reader.hpp"

namespace spillway::cli {

void check_observed(const RawArguments& raw, Arguments& into, OptionReader& options) {
  if (raw.mesh && !raw.paths.empty()) {
    options.refuse(problem("SP905", "`--mesh` and files are mutually exclusive",
                           "--mesh reads the documents of all proxies from a folder"));
  }
  into.apart = options.moment("--apart", raw.apart);
  if (into.apart && *into.apart <= std::chrono::nanoseconds{0}) {
    options.refuse(bad_value("--apart", *raw.apart, "it takes a time above 0, such as 60s"));
  }
  const bool two_moments = raw.clusters.size() == 2 || raw.stats.size() == 2;
  if (into.apart && !two_moments) {
    options.refuse(problem("SP905", "`--apart` needs two moments", "give --clusters or --stats before and after"));
  }
  if (into.command == &commands::import_documents && two_moments && !into.apart) {
    options.refuse(problem("SP903", "two moments need the time between them", "for example --apart 60s"));
  }
  if (into.command == &commands::import_documents && raw.kind && *raw.kind != "envoy") {
    options.refuse(bad_value("--kind", *raw.kind, "it takes envoy", {"envoy"}));
  }
  constexpr std::size_t most = 2;
  for (const auto& [option, files] : {std::pair("--clusters", &raw.clusters), std::pair("--stats", &raw.stats)}) {
    if (files->size() > most) {
      options.refuse(problem("SP905", fmt::format("`{}` appears {} times", option, files->size()),
                             "it takes one moment, or two: before and after"));
    }
  }
  const bool counted = !raw.clusters.empty() || !raw.stats.empty() || raw.access_log || raw.prometheus;
  if (into.command == &commands::compare && into.dump && counted) {
    options.refuse(problem("SP905", "`--dump` and counts are mutually exclusive",
                           "compare the proxy's configuration with --dump, and its counts in a separate command"));
  } else if (into.command == &commands::compare && !into.dump && !counted) {
    options.refuse(
        problem("SP903", "`spillway compare` needs counts",
                "give --clusters before and after, or --stats, --access-log or --prometheus; or --dump FILE to "
                "compare a proxy's configuration with a mesh's documents"));
  }
}

void check_log_as(const RawArguments& raw, Arguments& into, OptionReader& options) {
  if (raw.log_as && *raw.log_as != "phases" && *raw.log_as != "trace") {
    options.refuse(bad_value("--as", *raw.log_as, "it takes phases or trace", {"phases", "trace"}));
  }
  into.traces = raw.log_as == "trace";
  if (raw.log_as && !raw.access_log) {
    options.refuse(problem("SP903", "`--as` needs `--access-log`", "it says what to make of the log"));
  } else if (into.traces && (!raw.output || *raw.output == "-")) {
    options.refuse(problem("SP903", "`--as trace` needs `-o FILE`", "traces are files next to the scenario"));
  }
}

}  // namespace spillway::cli
