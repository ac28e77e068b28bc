#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "cli/argument_values.hpp"
#include "cli/commands.hpp"
#include "cli/control_plane.hpp"
#include "cli/input.hpp"
#include "cli/picture_files.hpp"
#include "cli/run_slices.hpp"
#include "cli/shared_options.hpp"
#include "cli/terminal.hpp"
#include "models/config/seconds.hpp"
#include "reports/plot/latency_timeline.hpp"
#include "reports/plot/plots.hpp"
#include "reports/plot/topology.hpp"
#include "reports/shares/printed_cells.hpp"
#include "reports/shares/share_table.hpp"
#include "reports/text/text_table.hpp"
#include "sim/control_plane/results.hpp"
#include "sim/plan/plan.hpp"
#include "sim/run/run.hpp"
#include "sim/scenario/alike_clients.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/control_plane.hpp"
#include "sim/scenario/scenario_template.hpp"

namespace spillway::cli {
namespace {

namespace plot = reports::plot;
using plot::Image;
using plot::Kind;
using std::chrono::nanoseconds;

constexpr std::size_t most_panels = 40;
constexpr std::uint32_t most_pictures = 200;
constexpr std::size_t most_drawn_clients = 24;  // in a row
constexpr std::int64_t most_plot_samples = 1'000'000;

bool wants(const Arguments& arguments, Kind kind) {
  return std::find(arguments.kinds.begin(), arguments.kinds.end(), kind) != arguments.kinds.end();
}

// Returns the names of clients that send requests, which excludes zone proxies.
std::vector<std::string> client_names_of(const scenario::Scenario& scenario) {
  std::vector<std::string> names;
  for (const scenario::ClientEntry& client : scenario.clients) {
    if (!client.zone_proxy) {
      names.push_back(client.name);
    }
  }
  return names;
}

// Draws the pictures. Precondition: the scenario was read and the command line is valid for it.
class Plotter {
 public:
  Plotter(const Arguments& arguments, const scenario::Scenario& scenario) : arguments_(arguments), scenario_(scenario) {
    // The default interval is a hundredth of the duration, at least 1 ns.
    constexpr int stretches = 100;
    interval_ = arguments.sample.value_or(std::max(scenario.duration / stretches, nanoseconds{1}));
  }

  std::optional<UsageProblem> check() {
    if (arguments_.client) {
      const std::vector<std::string> names = client_names_of(scenario_);
      const auto found = std::find_if(
          scenario_.clients.begin(), scenario_.clients.end(),
          [&](const scenario::ClientEntry& client) { return !client.zone_proxy && client.name == *arguments_.client; });
      if (found == scenario_.clients.end()) {
        return bad_value("--client", *arguments_.client, "the clients are " + reports::joined(names, ", "), names);
      }
      client_ = config::ClientEntryIndex{static_cast<std::uint32_t>(found - scenario_.clients.begin())};
    }
    if (arguments_.at && !wants(arguments_, Kind::topology) && !wants(arguments_, Kind::plan)) {
      return problem("SP904", "`--at` without a topology or plan", "pictures over time show all moments");
    }
    if (arguments_.at && *arguments_.at >= scenario_.duration) {
      const double end = config::seconds(scenario_.duration);
      return problem("SP904", "--at is not within the scenario", fmt::format("it ends at {} s", end));
    }
    const bool measures = wants(arguments_, Kind::load) || wants(arguments_, Kind::latency);
    if (arguments_.sample && !measures) {
      return problem("SP904", "`--sample` without load or latency", "shares and topologies are drawn by epoch");
    }
    if (scenario_.duration / interval_ > most_plot_samples) {
      return problem("SP904", "the interval of --sample is too short for this scenario",
                     fmt::format("a picture has at most {} samples", most_plot_samples));
    }
    if (const std::size_t panels = panels_by_client(); panels > most_panels) {
      return too_many(panels);
    }
    if (wants(arguments_, Kind::topology) && !client_ && client_names_of(scenario_).size() > most_drawn_clients) {
      return problem(
          "SP904", fmt::format("a topology of {} clients", client_names_of(scenario_).size()),
          fmt::format("{} fit; --client NAME draws one client, --mode exact those of one zone and service as "
                      "one (if no other picture is asked for)",
                      most_drawn_clients));
    }
    if (wants(arguments_, Kind::latency) && arguments_.mode.value_or(scenario_.mode) == scenario::Mode::exact) {
      return problem("SP904", "latency in mode exact, which sends no requests", "add --mode requests");
    }
    return std::nullopt;
  }

  // Makes a plan if one is drawn. Returns its problems.
  Diagnostics make_plan(const scenario::ScenarioTemplate& base) {
    if (!wants(arguments_, Kind::plan)) {
      return {};
    }
    auto made = plan::make_plan(base, {.at = arguments_.at, .rows_alone = true});
    if (auto* problems = std::get_if<Diagnostics>(&made)) {
      return std::move(*problems);
    }
    plan_ = std::get<plan::Plan>(std::move(made));
    return {};
  }

  void simulate() {
    if (arguments_.kinds == std::vector{Kind::plan}) {
      return;
    }
    ProgressBar bar("simulating");
    plot::LatencyTimeline latency(scenario_, interval_);
    run::Options options{.mode = arguments_.mode,
                         .seed = arguments_.seed,
                         .progress = [&](run::Nanoseconds reached, run::Nanoseconds duration) {
                           bar.show(static_cast<double>(reached.count()) / static_cast<double>(duration.count()));
                         }};
    if (arguments_.kinds == std::vector{Kind::share}) {
      options.counted_positions = reports::counted_positions(scenario_, shares_by());
    }
    if (wants(arguments_, Kind::load)) {
      options.endpoint_loads = true;
      options.sample = interval_;
    }
    if (wants(arguments_, Kind::latency)) {
      options.trace = [&](const run::TracedRequest& request) {
        if (!client_ || request.client == *client_) {
          latency.add(request);
        }
      };
    }
    // A topology is drawn by epoch, everything else over time.
    const std::vector<nanoseconds> cuts =
        wants(arguments_, Kind::share) ? report_cuts(arguments_, scenario_) : std::vector<nanoseconds>{};
    over_time_ = !cuts.empty();
    if (over_time_ && !wants(arguments_, Kind::topology)) {
      options.cuts = cuts;
      options.logged_events.emplace();
    }
    results_ = run::run(scenario_, options);
    latency_ = std::move(latency);
    if (over_time_ && wants(arguments_, Kind::topology)) {
      slices_ = run::run(
          scenario_,
          {.mode = arguments_.mode, .seed = arguments_.seed, .cuts = cuts, .logged_events = run::EventLog::Options{}});
    }
  }

  std::variant<std::vector<Drawn>, UsageProblem> pictures(Image image) {
    std::vector<Drawn> drawn;
    for (const Kind kind : arguments_.kinds) {
      if (auto wrong = add(kind, image, drawn)) {
        return *wrong;
      }
    }
    return drawn;
  }

 private:
  std::optional<UsageProblem> add(Kind kind, Image image, std::vector<Drawn>& drawn) {
    switch (kind) {
      case Kind::share: {
        const reports::Grouped grouped =
            reports::group_by(scenario_, of_client(slices_ ? *slices_ : *results_), shares_by());
        const std::size_t panels = reports::share_tables(scenario_, grouped).size();
        if (panels > most_panels) {
          return too_many(panels);
        }
        drawn.push_back(
            {kind,
             {},
             plot::share_plot(scenario_, grouped, image, over_time_ ? plot::Rows::over_time : plot::Rows::epochs)});
        break;
      }
      case Kind::load:
        drawn.push_back({kind, {}, plot::load_plot(scenario_, *results_, services(), image)});
        break;
      case Kind::latency:
        if (latency_->stretches().size() > most_panels) {
          return too_many(latency_->stretches().size());
        }
        drawn.push_back({kind, {}, plot::latency_plot(scenario_, *latency_, image)});
        break;
      case Kind::topology: {
        std::uint32_t moments = 0;
        for (const run::Epoch& epoch : results_->epochs) {
          moments = std::max(moments, epoch.index + 1);
        }
        if (!arguments_.at && moments > most_pictures) {
          return problem("SP904", fmt::format("{} pictures, one a moment", moments),
                         fmt::format("at most {} are drawn; --at TIME draws one", most_pictures));
        }
        const std::vector<std::string> graphs =
            plot::topology(scenario_, *results_, {.client = client_, .at = arguments_.at, .detail = detail()});
        for (std::size_t number = 0; number < graphs.size(); ++number) {
          drawn.push_back({kind, arguments_.at ? std::nullopt : std::optional(number), graphs[number]});
        }
        break;
      }
      case Kind::plan:
        if (!plan_->utilisation_known) {
          return problem("SP904", "no endpoint of the plan has a known capacity",
                         "write a `capacity`, or `cores` and `service_time`");
        }
        drawn.push_back({kind, {}, plot::plan_plot(scenario_, *plan_, image)});
        break;
    }
    return std::nullopt;
  }

  static UsageProblem too_many(std::size_t panels) {
    return problem("SP904", fmt::format("a picture of {} panels, one a client and service", panels),
                   fmt::format("{} fit; --client NAME draws one client, --by zone all clients together", most_panels));
  }

  // Returns the results of the selected client, or of all clients.
  [[nodiscard]] run::Results of_client(const run::Results& all) const {
    run::Results own = all;
    if (client_) {
      const auto others = [&](const auto& row) { return row.client != *client_; };
      std::erase_if(own.epochs, others);
      std::erase_if(own.shares.blocks(), others);
      std::erase_if(own.outcomes, others);
      std::erase_if(own.latency, others);
      std::erase_if(own.cross_zone.blocks(), others);
    }
    return own;
  }

  // Returns the minimum number of panels.
  [[nodiscard]] std::size_t panels_by_client() const {
    const bool by_client = (wants(arguments_, Kind::share) && shares_by().has(reports::Dimension::client)) ||
                           wants(arguments_, Kind::latency);
    return by_client && !client_ ? reports::printed_tables(scenario_) : 0;
  }

  [[nodiscard]] reports::Dimensions shares_by() const {
    return arguments_.by.value_or(reports::default_dimensions(reports::Format::table, scenario_));
  }

  [[nodiscard]] std::optional<plot::Detail> detail() const {
    if (!arguments_.by) {
      return std::nullopt;
    }
    return arguments_.by->has(reports::Dimension::endpoint) ? plot::Detail::endpoint
           : arguments_.by->has(reports::Dimension::node)   ? plot::Detail::node
                                                            : plot::Detail::zone;
  }

  // Returns the services that the selected client, or any client, requests.
  [[nodiscard]] std::vector<config::ServiceIndex> services() const {
    std::vector<config::ServiceIndex> services;
    for (const run::EndpointLoad& sample : results_->samples) {
      const bool asked =
          !client_ || std::any_of(results_->shares.begin(), results_->shares.end(), [&](const run::Share& share) {
            return share.client == *client_ && share.endpoint == scenario_.endpoints[sample.endpoint.value].id;
          });
      if (asked && std::find(services.begin(), services.end(), sample.service) == services.end()) {
        services.push_back(sample.service);
      }
    }
    return services;
  }

  const Arguments& arguments_;
  const scenario::Scenario& scenario_;
  nanoseconds interval_{0};
  std::optional<config::ClientEntryIndex> client_;
  std::optional<run::Results> results_;
  std::optional<run::Results> slices_;  // with short rows, if `results_` has epochs
  bool over_time_ = false;
  std::optional<plan::Plan> plan_;
  std::optional<plot::LatencyTimeline> latency_;
};

using Pictures = std::variant<std::vector<Drawn>, UsageProblem, Diagnostics>;

// Draws the latency of configurations, the only picture of a control plane.
Pictures draw_control_plane(const Arguments& arguments, scenario::Scenario scenario, Image image) {
  if (arguments.kinds != std::vector{Kind::latency}) {
    return problem("SP904", "a control plane has pictures of its latency only", "use --kind latency");
  }
  if (arguments.client || arguments.at) {
    return problem("SP904",
                   fmt::format("`{}` does not apply to a control plane", arguments.client ? "--client" : "--at"),
                   "its picture shows all settings over the whole run");
  }
  if (scenario.control_plane->settings.size() > most_panels) {
    return problem("SP904",
                   fmt::format("a picture of {} panels, one a setting", scenario.control_plane->settings.size()),
                   fmt::format("{} fit", most_panels));
  }
  const auto simulated = simulate_control_plane(arguments, scenario);
  if (const auto* wrong = std::get_if<UsageProblem>(&simulated)) {
    return *wrong;
  }
  return std::vector<Drawn>{
      {Kind::latency, {}, plot::control_plane_plot(scenario, std::get<control_plane::Results>(simulated), image)}};
}

// Returns the scenario to draw. A topology with many clients merges those of one zone and service into one box, since
// their exact shares are equal.
scenario::Scenario drawn_scenario(const Arguments& arguments, const scenario::Scenario& scenario) {
  constexpr std::size_t most_boxes = 9;
  const bool joins = arguments.kinds == std::vector{Kind::topology} && !arguments.client &&
                     arguments.mode.value_or(scenario.mode) == scenario::Mode::exact &&
                     client_names_of(scenario).size() > most_boxes;
  scenario::Scenario drawn = scenario;
  if (joins) {
    drawn.expectations.clear();
    drawn = scenario::join_alike_clients(std::move(drawn), scenario::JoinedName::counted);
  }
  return drawn;
}

Pictures draw_scenario(const Arguments& arguments, const scenario::ScenarioTemplate& base, Image image) {
  const scenario::Scenario scenario = drawn_scenario(arguments, *base.reading().scenario);
  Plotter plotter(arguments, scenario);
  if (const auto wrong = plotter.check()) {
    return *wrong;
  }
  if (Diagnostics problems = plotter.make_plan(base); !problems.empty()) {
    return problems;
  }
  plotter.simulate();
  auto drawn = plotter.pictures(image);
  if (auto* wrong = std::get_if<UsageProblem>(&drawn)) {
    return std::move(*wrong);
  }
  return std::get<std::vector<Drawn>>(std::move(drawn));
}

CommandResult plot_command(const Arguments& arguments) {
  const auto target = picture_target(arguments);
  if (const auto* wrong = std::get_if<UsageProblem>(&target)) {
    return refuse(*wrong, arguments);
  }
  const auto read = set_template(arguments);
  if (const auto* wrong = std::get_if<scenario::Reading>(&read)) {
    say_diagnostics(*wrong, arguments);
    return {"", ExitCode::bad_input};
  }
  const auto& base = std::get<scenario::ScenarioTemplate>(read);
  const scenario::Reading& reading = base.reading();
  say_diagnostics(reading, arguments);
  if (!reading.scenario) {
    return {"", ExitCode::bad_input};
  }
  const PictureTarget& to = std::get<PictureTarget>(target);
  const Image image = to.image.value_or(Image::svg);
  auto pictures = reading.scenario->control_plane ? draw_control_plane(arguments, *reading.scenario, image)
                                                  : draw_scenario(arguments, base, image);
  if (const auto* problems = std::get_if<Diagnostics>(&pictures)) {
    say_diagnostics({std::nullopt, *problems, reading.sources}, arguments);
    return {"", ExitCode::bad_input};
  }
  if (const auto* wrong = std::get_if<UsageProblem>(&pictures)) {
    return refuse(*wrong, arguments);
  }
  auto output = keep_pictures(std::get<std::vector<Drawn>>(std::move(pictures)), to, arguments);
  if (const auto* wrong = std::get_if<UsageProblem>(&output)) {
    return refuse(*wrong, arguments);
  }
  return {std::get<std::string>(std::move(output)), ExitCode::well};
}

void add_plot_options(CLI::App& app, RawArguments& raw) {
  add_seed_and_mode(app, raw);
  add_settings(app, raw);
  option(app, "Output", "LIST", "--kind", raw.pictures,
         "What to draw, any of " + reports::joined(reports::plot::kind_names(), ",") +
             ": shares\nover time, utilisation of endpoints, quantiles of latency, zones and who calls whom, each "
             "failure of a plan");
  option(app, "Output", "FILE", "-o,--output", raw.picture,
         "An image, .svg or .png; or the input of gnuplot or Graphviz, .gp or .dot; - for standard output. Several "
         "pictures get their kind and number added to the name");
  option(app, "Output", "LIST", "--by", raw.by,
         "What it is grouped by: shares as in `spillway run`\n(default: client,priority,zone); a topology by zone, "
         "node or "
         "endpoint (default: the finest that fits)");
  option(app, "Output", "NAME", "--client", raw.client, "Only this client");
  option(app, "Output", "TIME", "--at", raw.at,
         "A topology at this moment only (default: one picture an epoch); the moment of a plan");
  option(app, "Output", "TIME", "--sample", raw.sample,
         "Interval of load and latency (default: a hundredth of the duration)");
  option(app, "Output", "TIME", "--timeout", raw.timeout, "Time limit for drawing a picture (default: 1m)");
}

std::optional<UsageProblem> check_plot(const Command& command, const Arguments& arguments) {
  if (const auto wrong = check_one_scenario(command, arguments)) {
    return wrong;
  }
  if (arguments.kinds.empty()) {
    return missing(command, "kind, --kind");
  }
  return arguments.picture ? std::nullopt : std::optional(missing(command, "file, -o"));
}

}  // namespace

const Command commands::plot{.name = "plot",
                             .group = "Explain",
                             .summary = "Draw pictures, by gnuplot and Graphviz",
                             .usage = "SCENARIO --kind LIST -o FILE",
                             .path_name = "SCENARIO",
                             .path_help = scenario_file,
                             .example =
                                 "  spillway plot failover.yaml --kind share -o failover.svg\n  spillway plot "
                                 "failover.yaml --kind topology --at "
                                 "20s -o failover.png",
                             .add_options = add_plot_options,
                             .check = check_plot,
                             .execute = plot_command};

}  // namespace spillway::cli
