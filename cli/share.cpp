#include <algorithm>
#include <string>
#include <utility>

#include "cli/argument_values.hpp"
#include "cli/commands.hpp"
#include "cli/control_plane.hpp"
#include "cli/envoy_input.hpp"
#include "cli/input.hpp"
#include "cli/output_file.hpp"
#include "cli/print_report.hpp"
#include "cli/shared_options.hpp"
#include "cli/terminal.hpp"
#include "models/documents/problem.hpp"
#include "reports/formats.hpp"
#include "reports/text/escapes.hpp"
#include "sim/run/exact/exact_sum.hpp"
#include "sim/run/run.hpp"
#include "sim/scenario/alike_clients.hpp"
#include "sim/scenario/binding/envoy/proxy_configuration.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::cli {

namespace {

// Returns the title above the shares of each cluster, for people.
std::string title_of(const std::string& cluster, reports::Format format) {
  if (format == reports::Format::markdown) {
    return "### " + reports::markdown_escaped(cluster) + "\n\n";
  }
  return "cluster " + reports::printable(cluster) + "\n";
}

// Combines the outputs of all clusters into one document: CSV has its titles once, JSON is a list.
class AllClusters {
 public:
  explicit AllClusters(reports::Format format) : format_(format) {}

  void add(const std::string& cluster, std::string text) {
    if (format_ == reports::Format::csv) {
      text_ += text_.empty() ? text : text.substr(std::min(text.find('\n') + 1, text.size()));
    } else if (format_ == reports::Format::json) {
      text_ += (text_.empty() ? "" : ",\n") + text;
    } else {
      text_ += (text_.empty() ? "" : "\n") + title_of(cluster, format_) + text;
    }
  }

  [[nodiscard]] bool empty() const noexcept { return text_.empty(); }

  [[nodiscard]] std::string text() const {
    return format_ == reports::Format::json ? "{\"schema_version\":1,\"clusters\":[\n" + text_ + "]}\n" : text_;
  }

 private:
  reports::Format format_;
  std::string text_;
};

// Prints the shares, or appends them to `text` if it is not null.
CommandResult share_of(scenario::Scenario scenario, const Arguments& arguments, std::string* text = nullptr) {
  // Expectations are not checked here, so the documents' tables are left out too.
  scenario.expectations.clear();
  const reports::Dimensions by = arguments.by.value_or(reports::default_dimensions(arguments.format, scenario));
  if (const auto wrong = check_output_size(scenario, printed_tables(arguments), by, output_option(arguments))) {
    return refuse(*wrong, arguments);
  }
  if (!by.has(reports::Dimension::client)) {
    scenario = scenario::join_alike_clients(std::move(scenario));
  }
  run::Results results = run::run(scenario, {scenario::Mode::exact, std::nullopt, {}});
  if (arguments.at_rest) {
    run::take_shares_at_rest(results);
  }
  const reports::Report report{scenario, results, {}, {}, {}, arguments.show};
  if (text == nullptr) {
    return print_report(arguments, report, by, ExitCode::well);
  }
  reports::write(report, arguments.format, by, look_of_output(arguments),
                 [&](std::string_view piece) { text->append(piece); });
  return {};
}

// Prints each cluster separately: one that cannot be read does not prevent the others.
CommandResult share_of_all(const Arguments& arguments) {
  const scenario::ProxyConfiguration proxy = read_proxy_documents(arguments);
  if (has_errors(proxy.diagnostics())) {
    return {"", ExitCode::bad_input};
  }
  AllClusters all(arguments.format);
  DiagnosticDeduplicator said;
  bool read = true;
  for (const std::string& name : proxy.cluster_names()) {
    auto reading = proxy.cluster(name);
    said.say(reading.diagnostics, proxy.sources(), arguments);
    read = read && reading.scenario.has_value();
    // An aggregate has the hosts of other clusters.
    if (!reading.scenario || std::all_of(reading.scenario->services.begin(), reading.scenario->services.end(),
                                         [](const scenario::Service& service) { return service.hosts.empty(); })) {
      continue;
    }
    std::string text;
    CommandResult one = share_of(std::move(*reading.scenario), arguments, &text);
    if (one.code != ExitCode::well) {
      return one;
    }
    all.add(name, std::move(text));
  }
  if (all.empty() && !read) {
    return {"", ExitCode::bad_input};
  }
  return {all.text(), read ? ExitCode::well : ExitCode::expectation_failed};
}

CommandResult share_command(const Arguments& arguments) {
  if (arguments.all_clusters) {
    return share_of_all(arguments);
  }
  scenario::Reading reading = read_documents(arguments);
  if (!reading.scenario) {
    return {"", ExitCode::bad_input};
  }
  if (refuse_control_plane(reading, arguments)) {
    return {"", ExitCode::bad_input};
  }
  return share_of(std::move(*reading.scenario), arguments);
}

void add_share_options(CLI::App& app, RawArguments& raw) {
  add_formats(app, reports::format_names(), raw);
  add_width(app, raw);
  add_by(app, raw);
  add_document_options(app, DocumentOptions::with_headers, raw);
  add_asked_cluster(app, raw);
  option(app, "Output", "WHAT", "--show", raw.show,
         "Instead of shares: cross_zone, requests and bytes from zone to zone; JSON holds both");
  add_profile(app, raw);
  add_all_clusters(app, raw);
  add_at_rest(app, raw);
  add_pasted_options(app, PastedOptions::usual, raw);
}

}  // namespace

const Command commands::share{
    .name = "share",
    .group = "Simulate",
    .summary = "Exact shares only, of a scenario or of Envoy's own documents",
    .usage = "FILE...",
    .path_name = "FILE",
    .path_help = scenario_or_documents,
    .example =
        "  spillway share failover.yaml -o json\n  spillway share bootstrap.yaml --cluster backend\n"
        "  spillway share cluster.json endpoints.json",
    .add_options = add_share_options,
    .check = check_any_path,
    .execute = share_command,
    .prints_text = true,
    .takes_pasted = true};

}  // namespace spillway::cli
