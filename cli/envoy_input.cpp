#include "cli/envoy_input.hpp"

#include "cli/input.hpp"
#include "cli/terminal.hpp"
#include "reports/text/text_table.hpp"

namespace spillway::cli {

scenario::EnvoyOptions envoy_options(const Arguments& arguments) {
  scenario::EnvoyOptions options;
  options.cluster = arguments.cluster.value_or("");
  options.resolve = arguments.resolve;
  options.without = arguments.without;
  const bool described = arguments.listener || arguments.host || arguments.path ||
                         (arguments.command != Command::explain && !arguments.headers.empty());
  if (described && !arguments.cluster) {
    options.request = scenario::RequestDescription{.listener = arguments.listener.value_or(""),
                                                   .host = arguments.host.value_or(""),
                                                   .path = arguments.path.value_or("/"),
                                                   .headers = arguments.headers};
  }
  return options;
}

scenario::Reading read_documents(const Arguments& arguments) {
  scenario::Reading reading = scenario::read_share_input(arguments.paths, envoy_options(arguments));
  say_diagnostics(reading, arguments);
  if (!reading.summary.empty()) {
    say(reports::printable(reading.summary) + "\n");
  }
  return reading;
}

}  // namespace spillway::cli
