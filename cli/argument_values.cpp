#include "cli/argument_values.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <utility>

#include "reports/envoy/export.hpp"
#include "reports/explain/formats.hpp"
#include "reports/requests/happenings.hpp"
#include "reports/text/names.hpp"
#include "reports/text/text_table.hpp"
#include "sim/diff/upgrade.hpp"
#include "sim/scenario/grammar/cures.hpp"
#include "sim/scenario/grammar/scalars.hpp"
#include "sim/scenario/grammar/suggestion.hpp"

namespace spillway::cli {

using reports::joined;
using reports::printable;

UsageProblem problem(std::string code, std::string message, std::string help) {
  return {std::move(code), std::move(message), std::move(help)};
}

std::string did_you_mean(const std::string& written, const std::vector<std::string>& candidates) {
  const std::string nearest = scenario::grammar::nearest(written, candidates);
  return nearest.empty() ? "" : fmt::format("did you mean `{}`?", nearest);
}

UsageProblem bad_value(const std::string& option, const std::string& value, const std::string& wanted,
                       const std::vector<std::string>& candidates) {
  std::string meant = did_you_mean(value, candidates);
  if (meant.empty() && candidates.empty()) {
    std::string spelling;
    if (wanted.starts_with("it takes a time")) {
      spelling = scenario::grammar::meant_duration(value);
    } else if (wanted.starts_with("it takes requests a second")) {
      spelling = scenario::grammar::meant_rate(value);
    } else if (wanted.starts_with("it takes a percentage")) {
      spelling = scenario::grammar::meant_percent(value);
    } else if (wanted.starts_with("it takes 100MB")) {
      spelling = scenario::grammar::meant_bytes(value);
    }
    // What is refused for its size has no other spelling.
    meant = spelling.empty() || spelling == value ? "" : fmt::format("{}: did you mean `{}`?", wanted, spelling);
  }
  return problem("SP904", fmt::format("`{}` is not a valid value for {}", printable(value), option),
                 meant.empty() ? wanted : meant);
}

namespace {

std::vector<std::string> separated(const std::string& list) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    parts.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

template <class Number>
std::optional<Number> number_of(const std::string& text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return number;
}

class Checker {
 public:
  // "500MB", "2 GB", "1.5GiB".
  static std::optional<std::uint64_t> bytes_of(const std::string& text) {
    const std::size_t end = std::min(text.find_first_not_of("0123456789."), text.size());
    const std::size_t unit = std::min(text.find_first_not_of(' ', end), text.size());
    constexpr std::pair<const char*, double> units[] = {
        {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}, {"MiB", 1048576.0}, {"GiB", 1073741824.0}, {"TiB", 1099511627776.0}};
    const auto number = number_of<double>(text.substr(0, end));
    for (const auto& [name, factor] : units) {
      if (number && text.substr(unit) == name && *number >= 0.0 && *number < 1e6) {
        return static_cast<std::uint64_t>(*number * factor);
      }
    }
    return std::nullopt;
  }

  explicit Checker(const RawArguments& raw) : raw_(raw) {}

  std::optional<UsageProblem> check(Arguments& into) {
    into.paths = raw_.paths;
    into.cluster = raw_.cluster;
    into.world = raw_.world;
    check_observed(into);
    into.client = raw_.client;
    into.service = raw_.service;
    into.key = raw_.key;
    into.why = raw_.why;
    check_headers(into);
    into.listener = raw_.listener;
    into.host = raw_.host;
    into.path = raw_.path;
    into.without.insert(raw_.without.begin(), raw_.without.end());
    check_resolve(into);
    into.folder = raw_.folder;
    if (into.command == Command::subsets) {
      check_format(reports::subset_format_of, reports::subset_format_names(), into.subset_format);
    } else {
      check_format(
          reports::format_of,
          into.command == Command::explain ? reports::explain::explanation_format_names() : reports::format_names(),
          into.format);
    }
    check_by(into);
    check_show(into);
    check_choices(into);
    into.seed = number<std::uint64_t>("--seed", raw_.seed, 0, "a whole number from 0 to 18446744073709551615");
    into.width = number<int>("--width", raw_.width, 20, "a whole number, 20 or more");
    into.replications = number<std::uint32_t>("--replications", raw_.replications, 1, "a whole number, 1 or more");
    into.jobs = number<std::size_t>("--jobs", raw_.jobs, 1, "a whole number, 1 or more")
                    .value_or(into.command == Command::run ? 0 : 1);
    into.junit = raw_.junit;
    check_trace(into);
    if (raw_.metrics == "-") {
      refuse(bad_value("--metrics", "-", "results go to standard output; name a file, or /dev/stderr"));
    }
    into.metrics = raw_.metrics;
    if (raw_.report == "-") {
      refuse(bad_value("--report", "-", "results go to standard output; name a file, such as report.html"));
    }
    for (const char* const ending : {".pdf", ".png", ".svg", ".json", ".csv", ".md", ".txt", ".xml"}) {
      if (raw_.report && raw_.report->ends_with(ending)) {
        refuse(bad_value("--report", *raw_.report,
                         "it writes an HTML page: name it report.html; -o and `spillway plot` write other formats"));
      }
    }
    into.report = raw_.report;
    check_happenings(into);
    into.at_rest = raw_.at_rest;
    into.github = raw_.github;
    into.allow_files = raw_.allow_files;
    into.quiet = raw_.quiet;
    check_limits(into);
    into.explain = raw_.explain;
    into.port = number<std::uint32_t>("--port", raw_.port, 1, port_range);
    if (into.port && *into.port > reports::envoy_export::largest_first_port) {
      refuse(bad_value("--port", *raw_.port, std::string("it takes ") + port_range));
    }
    into.at = moment("--at", raw_.at);
    into.instance = number<std::uint32_t>("--instance", raw_.instance, 0, "a whole number, 0 or more");
    check_load(into);
    check_log_as(into);
    check_upgrade(into);
    check_picture(into);
    into.settings = raw_.settings;
    into.sweep = raw_.sweep;
    return problem_;
  }

 private:
  void refuse(UsageProblem problem) {
    if (!problem_) {
      problem_ = std::move(problem);
    }
  }

  template <class Number>
  std::optional<Number> number(const std::string& option, const std::optional<std::string>& text, Number least,
                               const std::string& wanted) {
    if (!text) {
      return std::nullopt;
    }
    const std::optional<Number> number = number_of<Number>(*text);
    if (!number || *number < least) {
      refuse(bad_value(option, *text, "it takes " + wanted));
    }
    return number;
  }

  template <class FormatOf, class Format>
  void check_format(FormatOf format_of, const std::vector<std::string>& names, Format& into) {
    if (!raw_.format) {
      return;
    }
    const auto format = format_of(*raw_.format);
    if (format && std::find(names.begin(), names.end(), *raw_.format) != names.end()) {
      into = *format;
    } else {
      refuse(bad_value("--output", *raw_.format, "it takes one of " + joined(names, ", "), names));
    }
  }

  void check_observed(Arguments& into) {
    into.clusters = raw_.clusters;
    into.dump = raw_.dump;
    into.stats = raw_.stats;
    into.access_log = raw_.access_log;
    into.prometheus = raw_.prometheus;
    into.server_info = raw_.server_info;
    into.runtime = raw_.runtime;
    into.output = raw_.output;
    into.mesh = raw_.mesh;
    if (raw_.mesh && !raw_.paths.empty()) {
      refuse(problem("SP905", "`--mesh` and files are mutually exclusive",
                     "--mesh reads the documents of all proxies from a folder"));
    }
    into.apart = moment("--apart", raw_.apart);
    if (into.apart && *into.apart <= std::chrono::nanoseconds{0}) {
      refuse(bad_value("--apart", *raw_.apart, "it takes a time above 0, such as 60s"));
    }
    const bool two_moments = raw_.clusters.size() == 2 || raw_.stats.size() == 2;
    if (into.apart && !two_moments) {
      refuse(problem("SP905", "`--apart` needs two moments", "give --clusters or --stats before and after"));
    }
    if (into.command == Command::import_documents && two_moments && !into.apart) {
      refuse(problem("SP903", "two moments need the time between them", "for example --apart 60s"));
    }
    if (into.command == Command::import_documents && raw_.kind && *raw_.kind != "envoy") {
      refuse(bad_value("--kind", *raw_.kind, "it takes envoy", {"envoy"}));
    }
    constexpr std::size_t most = 2;
    for (const auto& [option, files] : {std::pair("--clusters", &raw_.clusters), std::pair("--stats", &raw_.stats)}) {
      if (files->size() > most) {
        refuse(problem("SP905", fmt::format("`{}` appears {} times", option, files->size()),
                       "it takes one moment, or two: before and after"));
      }
    }
    const bool counted = !raw_.clusters.empty() || !raw_.stats.empty() || raw_.access_log || raw_.prometheus;
    if (into.command == Command::compare && into.dump && counted) {
      refuse(problem("SP905", "`--dump` and counts are mutually exclusive",
                     "compare the proxy's configuration with --dump, and its counts in a separate command"));
    } else if (into.command == Command::compare && !into.dump && !counted) {
      refuse(problem("SP903", "`spillway compare` needs counts",
                     "give --clusters before and after, or --stats, --access-log or --prometheus; or --dump FILE to "
                     "compare a proxy's configuration with a mesh's documents"));
    }
  }

  void check_headers(Arguments& into) {
    if (raw_.key && !raw_.headers.empty()) {
      refuse(problem("SP905", "`--key` and `--header` are mutually exclusive",
                     "describe the request by its headers, or by its hash key alone"));
    }
    for (const std::string& header : raw_.headers) {
      const std::size_t end = header.find('=');
      if (end == 0 || end == std::string::npos) {
        refuse(bad_value("--header", header, "it takes NAME=VALUE, such as x-user=u17"));
        return;
      }
      into.headers.emplace_back(header.substr(0, end), header.substr(end + 1));
    }
  }

  void check_resolve(Arguments& into) {
    for (const std::string& text : raw_.resolve) {
      const std::size_t end = text.find('=');
      const auto addresses = end == std::string::npos ? std::vector<std::string>{} : separated(text.substr(end + 1));
      if (end == 0 || addresses.empty()) {
        refuse(bad_value("--resolve", text, "it takes NAME=ADDRESS,..., such as db.example=10.0.0.1,10.0.0.2"));
        return;
      }
      auto& known = into.resolve[text.substr(0, end)];
      known.insert(known.end(), addresses.begin(), addresses.end());
    }
  }

  void check_by(Arguments& into) {
    if (!raw_.by) {
      return;
    }
    reports::Dimensions by;
    for (const std::string& name : separated(*raw_.by)) {
      if (!by.add(name)) {
        refuse(bad_value("--by", name, "it takes " + joined(reports::Dimensions::names(), ", "),
                         reports::Dimensions::names()));
      }
    }
    into.by = by;
  }

  void check_happenings(Arguments& into) {
    if (raw_.events && into.replications.value_or(1) > 1) {
      refuse(problem("SP905", "`--events` and `--replications` are mutually exclusive",
                     "each replication has its own happenings; write those of one run"));
    }
    if (raw_.events == "-") {
      refuse(bad_value("--events", "-", "results go to standard output; name a file, or /dev/stderr"));
    }
    into.events = raw_.events;
    into.each_happening = raw_.each;
    if (into.command == Command::run) {
      into.happenings.client = raw_.client;
    }
    into.happenings.endpoint = raw_.endpoint;
    const std::vector<std::string>& kinds = reports::happening_kind_names();
    if (raw_.happening && std::find(kinds.begin(), kinds.end(), *raw_.happening) == kinds.end()) {
      refuse(bad_value("--happening", *raw_.happening, "it takes one of " + joined(kinds, ", "), kinds));
    }
    into.happenings.kind = raw_.happening;
    into.happenings.from = moment("--from", raw_.from);
    into.happenings.to = moment("--to", raw_.to);
  }

  void check_show(Arguments& into) {
    if (raw_.sample) {
      into.sample = scenario::grammar::read_duration(*raw_.sample);
      if (!into.sample || *into.sample <= std::chrono::nanoseconds{0}) {
        refuse(bad_value("--sample", *raw_.sample, "it takes a time above 0, such as 1s or 500ms"));
      }
    }
    if (raw_.every) {
      into.every = scenario::grammar::read_duration(*raw_.every);
      if (!into.every || *into.every <= std::chrono::nanoseconds{0}) {
        refuse(bad_value("--every", *raw_.every, "it takes a time above 0, such as 5s or 500ms"));
      }
    }
    into.every_event = raw_.every_event;
    if (raw_.every && raw_.every_event) {
      refuse(problem("SP905", "`--every` and `--every-event` are mutually exclusive",
                     "choose rows of equal length, or a row for each event"));
    }
    if (!raw_.show) {
      return;
    }
    const auto show = reports::show_of(*raw_.show);
    const bool measured = show == reports::Show::endpoints || show == reports::Show::samples ||
                          show == reports::Show::happenings || show == reports::Show::requests;
    if (!show) {
      refuse(bad_value("--show", *raw_.show, "it takes one of " + joined(reports::show_names(), ", "),
                       reports::show_names()));
    } else if (measured && into.command == Command::share) {
      refuse(bad_value("--show", *raw_.show, "`spillway share` sends no requests; `spillway run` measures endpoints"));
    } else if (show == reports::Show::samples && !raw_.sample) {
      refuse(problem("SP903", "`--show samples` needs an interval", "for example --sample 1s"));
    }
    into.show = show.value_or(reports::Show::shares);
  }

  void check_limits(Arguments& into) {
    if (raw_.limit_memory) {
      into.limit_memory = bytes_of(*raw_.limit_memory);
      constexpr std::uint64_t least = 100'000'000;
      if (!into.limit_memory || *into.limit_memory < least) {
        refuse(bad_value("--limit-memory", *raw_.limit_memory, "it takes 100MB or more, such as 2GB"));
      }
    }
    if (raw_.limit_time) {
      into.limit_time = scenario::grammar::read_duration(*raw_.limit_time);
      if (!into.limit_time || *into.limit_time < std::chrono::milliseconds{1}) {
        refuse(bad_value("--limit-time", *raw_.limit_time, "it takes a time of 1ms or more, such as 30s"));
      }
    }
    constexpr std::uint32_t most_replications = 10'000;
    if (into.replications.value_or(1) > most_replications) {
      refuse(bad_value("--replications", *raw_.replications, "it takes at most 10000"));
    }
    if (raw_.until_precise) {
      const std::string& text = *raw_.until_precise;
      const auto percent = text.ends_with('%') ? number_of<double>(text.substr(0, text.size() - 1)) : std::nullopt;
      if (!percent || !(*percent > 0.0) || *percent > 100.0) {
        refuse(bad_value("--until-precise", text, "it takes a percentage of the requests such as 0.5%"));
      }
      into.until_precise = percent.value_or(100.0) / 100.0;
      into.replications = into.replications.value_or(1'000);
    }
    constexpr std::size_t most_jobs = 4'096;
    if (into.jobs > most_jobs) {
      refuse(bad_value("--jobs", *raw_.jobs, "it takes at most 4096"));
    }
  }

  void check_trace(Arguments& into) {
    if (raw_.trace == "-") {
      refuse(bad_value("--trace", "-", "results go to standard output; name a file, or /dev/stderr"));
    } else if (raw_.trace && into.replications.value_or(1) > 1) {
      refuse(problem("SP905", "`--trace` and `--replications` are mutually exclusive",
                     "a trace records one run; --seed chooses which"));
    }
    into.trace = raw_.trace;
  }

  std::optional<std::chrono::nanoseconds> moment(const std::string& option, const std::optional<std::string>& text) {
    const auto at = text ? scenario::grammar::read_duration(*text) : std::nullopt;
    if (text && !at) {
      refuse(bad_value(option, *text, "it takes a time such as 20s or 1.5m"));
    }
    return at;
  }

  // "envoy=release-1.40", as a scenario's `profile` has it.
  std::optional<std::uint32_t> release(const char* option, const std::optional<std::string>& text) {
    constexpr std::string_view envoy = "envoy=";
    if (!text) {
      return std::nullopt;
    }
    const auto found =
        text->starts_with(envoy) ? diff::release_of(std::string_view(*text).substr(envoy.size())) : std::nullopt;
    if (!found || *found < diff::oldest_release || *found > diff::newest_release) {
      refuse(bad_value(option, *text,
                       fmt::format("it takes envoy=release-1.{} to envoy=release-1.{}", diff::oldest_release,
                                   diff::newest_release)));
    }
    return found;
  }

  void check_log_as(Arguments& into) {
    if (raw_.log_as && *raw_.log_as != "phases" && *raw_.log_as != "trace") {
      refuse(bad_value("--as", *raw_.log_as, "it takes phases or trace", {"phases", "trace"}));
    }
    into.traces = raw_.log_as == "trace";
    if (raw_.log_as && !raw_.access_log) {
      refuse(problem("SP903", "`--as` needs `--access-log`", "it says what to make of the log"));
    } else if (into.traces && (!raw_.output || *raw_.output == "-")) {
      refuse(problem("SP903", "`--as trace` needs `-o FILE`", "traces are files next to the scenario"));
    }
  }

  void check_upgrade(Arguments& into) {
    if (raw_.profile == "envoy=current") {
      into.profile = config::EnvoyProfile::current;
    } else if (const auto own = release("--profile", raw_.profile)) {
      into.profile = config::profile_of_release(*own);
    }
    into.to_release = release("--to-profile", raw_.to_profile);
    into.from_release = release("--from-profile", raw_.from_profile);
    if (raw_.from_profile && !raw_.to_profile) {
      refuse(problem("SP903", "`--from-profile` needs `--to-profile`", "for example --to-profile envoy=release-1.40"));
    }
    into.all_clusters = raw_.all_clusters;
    if (raw_.all_clusters && raw_.cluster) {
      refuse(problem("SP905", "`--all-clusters` and `--cluster` are mutually exclusive",
                     "name one cluster, or take all of them"));
    }
  }

  void check_load(Arguments& into) {
    if (raw_.growth && raw_.rate) {
      refuse(problem("SP905", "`--growth` and `--rate` are mutually exclusive", "both set the rate of requests"));
    }
    if (raw_.growth) {
      const std::string& text = *raw_.growth;
      into.growth = number_of<double>(text.ends_with('x') ? text.substr(0, text.size() - 1) : text);
      if (!into.growth || !(*into.growth > 0.0) || *into.growth > 1e6) {
        refuse(bad_value("--growth", text, "it takes a factor such as 1.5x, which is 50 % more"));
      }
    }
    if (raw_.rate) {
      // As in a scenario, a number alone is requests a second.
      into.rate = scenario::grammar::read_rate(*raw_.rate);
      into.rate = into.rate ? into.rate : number_of<double>(*raw_.rate);
      if (!into.rate || !(*into.rate > 0.0) || *into.rate > 1e9) {
        refuse(bad_value("--rate", *raw_.rate, "it takes requests a second, such as 2700rps"));
      }
    }
  }

  void check_picture(Arguments& into) {
    into.picture = raw_.picture;
    const auto& names = reports::plot::kind_names();
    const bool pictures = into.command == Command::plot && raw_.kind;
    for (const std::string& name : pictures ? separated(*raw_.kind) : std::vector<std::string>{}) {
      const auto kind = reports::plot::kind_of(name);
      if (!kind) {
        refuse(bad_value("--kind", name, "it takes " + joined(names, ", "), names));
      }
      const reports::plot::Kind wanted = kind.value_or(reports::plot::Kind::share);
      if (std::find(into.kinds.begin(), into.kinds.end(), wanted) == into.kinds.end()) {
        into.kinds.push_back(wanted);
      }
    }
    if (raw_.timeout) {
      into.timeout = scenario::grammar::read_duration(*raw_.timeout).value_or(into.timeout.zero());
      if (into.timeout <= into.timeout.zero()) {
        refuse(bad_value("--timeout", *raw_.timeout, "it takes a time above 0, such as 30s or 5m"));
      }
    }
  }

  void check_choices(Arguments& into) {
    for (const auto mode : {scenario::Mode::exact, scenario::Mode::requests, scenario::Mode::platform}) {
      if (raw_.mode == reports::name_of(mode)) {
        into.mode = mode;
      }
    }
    if (raw_.mode && !into.mode) {
      refuse(
          bad_value("--mode", *raw_.mode, "it takes exact, requests or platform", {"exact", "requests", "platform"}));
    }
    if (raw_.color == "always" || raw_.color == "never") {
      into.color = raw_.color == "always" ? ColorChoice::always : ColorChoice::never;
    } else if (raw_.color && raw_.color != "auto") {
      refuse(bad_value("--color", *raw_.color, "it takes auto, always or never", {"auto", "always", "never"}));
    }
  }

  static constexpr const char* port_range = "a whole number from 1 to 65532";
  const RawArguments& raw_;
  std::optional<UsageProblem> problem_;
};

}  // namespace

std::optional<UsageProblem> check_values(const RawArguments& raw, Arguments& into) {
  return Checker(raw).check(into);
}

}  // namespace spillway::cli
