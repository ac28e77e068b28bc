#include "cli/argument_values.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <sstream>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/observed_values.hpp"
#include "cli/option_reader.hpp"
#include "cli/option_text.hpp"
#include "cli/pasted_arguments.hpp"
#include "models/config/lower_ascii.hpp"
#include "models/documents/grammar/scalars.hpp"
#include "models/envoy/proxy/request_headers.hpp"
#include "models/envoy/routes/address.hpp"
#include "reports/envoy/export.hpp"
#include "reports/requests/event_log.hpp"
#include "reports/text/names.hpp"
#include "reports/text/text_table.hpp"
#include "sim/diff/upgrade.hpp"

namespace spillway::cli {

using reports::joined;

namespace {

class Checker : OptionReader {
 public:
  explicit Checker(const RawArguments& raw) : raw_(raw) {}

  std::optional<UsageProblem> check(Arguments& into) {
    static_cast<TextArguments&>(into) = raw_;
    check_observed(raw_, into, *this);
    check_headers(into);
    if (raw_.source && !(into.source = proxy::address_of(*raw_.source))) {
      refuse(bad_value("--source", *raw_.source, "it takes an IP address, with a port or without"));
    }
    into.without.insert(raw_.without.begin(), raw_.without.end());
    check_resolve(into);
    check_format(into);
    check_by(into);
    check_show(into);
    check_choices(into);
    // Above the 2^53 - 1 of scenario files, since points of sweeps have seeds of 64 bits.
    into.seed = number<std::uint64_t>("--seed", raw_.seed, 0, "a whole number from 0 to 18446744073709551615");
    into.width = number<int>("--width", raw_.width, 20, "a whole number, 20 or more");
    into.replications = number<std::uint32_t>("--replications", raw_.replications, 1, "a whole number, 1 or more");
    into.jobs =
        number<std::size_t>("--jobs", raw_.jobs, 1, "a whole number, 1 or more").value_or(into.command->default_jobs);
    check_trace(into);
    check_no_output("--metrics", raw_.metrics);
    if (raw_.report == "-") {
      refuse(bad_value("--report", "-", "results go to standard output; name a file, such as report.html"));
    }
    for (const char* const ending : {".pdf", ".png", ".svg", ".json", ".csv", ".md", ".txt", ".xml"}) {
      if (raw_.report && config::to_lower_ascii(*raw_.report).ends_with(ending)) {
        refuse(bad_value("--report", *raw_.report,
                         "it writes an HTML page: name it report.html; -o and `spillway plot` write other formats"));
      }
    }
    check_events(into);
    check_limits(into);
    into.port = number<std::uint32_t>("--port", raw_.port, 1, port_range);
    if (into.port && *into.port > reports::envoy_export::largest_first_port) {
      refuse(bad_value("--port", *raw_.port, std::string("it takes ") + port_range));
    }
    into.at = moment("--at", raw_.at);
    into.instance = number<std::uint32_t>("--instance", raw_.instance, 0, "a whole number, 0 or more");
    check_load(into);
    check_log_as(raw_, into, *this);
    check_upgrade(into);
    check_picture(into);
    return problem();
  }

 private:
  void check_format(Arguments& into) {
    if (!raw_.format) {
      return;
    }
    const std::vector<std::string>& names = into.command->formats();
    if (std::find(names.begin(), names.end(), *raw_.format) == names.end()) {
      refuse(bad_value("--output", *raw_.format, "it takes one of " + joined(names, ", "), names));
    }
    into.format = reports::format_of(*raw_.format).value_or(into.format);
    into.subset_format = reports::subset_format_of(*raw_.format).value_or(into.subset_format);
  }

  // Refuses standard output, which has the results.
  void check_no_output(const char* option, const std::optional<std::string>& file) {
    if (file == "-") {
      refuse(bad_value(option, "-", "results go to standard output; name a file, or /dev/stderr"));
    }
  }

  void check_headers(Arguments& into) {
    if (raw_.key && !raw_.headers.empty()) {
      refuse(cli::problem("SP905", "`--key` and `--header` are mutually exclusive",
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
      const auto wrong = std::find_if_not(addresses.begin(), addresses.end(), [](const std::string& address) {
        const bool is_v6 = address.find(':') != std::string::npos;
        return envoy::routes::parse_ip_address(is_v6 ? "[" + address + "]:1" : address + ":1").has_value();
      });
      if (wrong != addresses.end()) {
        refuse(bad_value("--resolve", text,
                         fmt::format("`{}` is no IP address, such as 10.0.0.1 or 2001:db8::1", *wrong)));
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

  void check_events(Arguments& into) {
    if (raw_.events && into.replications.value_or(1) > 1) {
      refuse(cli::problem("SP905", "`--events` and `--replications` are mutually exclusive",
                          "each replication has its own events; write those of one run"));
    }
    check_no_output("--events", raw_.events);
    into.each_event = raw_.each;
    if (into.command->measures) {
      into.logged_events.client = raw_.client;
    }
    into.logged_events.endpoint = raw_.endpoint;
    const std::vector<std::string>& kinds = reports::event_kind_names();
    if (raw_.logged_event && std::find(kinds.begin(), kinds.end(), *raw_.logged_event) == kinds.end()) {
      refuse(bad_value("--happening", *raw_.logged_event, "it takes one of " + joined(kinds, ", "), kinds));
    }
    into.logged_events.kind = raw_.logged_event;
    // With pasted documents, --from and --to name the client and the service instead of times.
    const bool names = (raw_.from && !grammar::read_duration(*raw_.from)) ||
                       (raw_.to && !grammar::read_duration(*raw_.to)) || !into.command->measures;
    into.logged_events.from = names ? std::nullopt : moment("--from", raw_.from);
    into.logged_events.to = names ? std::nullopt : moment("--to", raw_.to);
    if (into.logged_events.from && into.logged_events.to && *into.logged_events.to < *into.logged_events.from) {
      refuse(bad_value("--to", *raw_.to, "it is before --from " + *raw_.from));
    }
  }

  void check_show(Arguments& into) {
    into.sample = length("--sample", raw_.sample, "1s or 500ms");
    into.every = length("--every", raw_.every, "5s or 500ms");
    if (raw_.every && raw_.every_event) {
      refuse(cli::problem("SP905", "`--every` and `--every-event` are mutually exclusive",
                          "choose rows of equal length, or a row for each event"));
    }
    if (!raw_.show) {
      return;
    }
    const auto show = reports::show_of(*raw_.show);
    const bool measured = show == reports::Show::endpoints || show == reports::Show::samples ||
                          show == reports::Show::logged_events || show == reports::Show::requests;
    if (!show) {
      refuse(bad_value("--show", *raw_.show, "it takes one of " + joined(reports::show_names(), ", "),
                       reports::show_names()));
    } else if (measured && !into.command->measures) {
      refuse(bad_value("--show", *raw_.show, "`spillway share` sends no requests; `spillway run` measures endpoints"));
    } else if (show == reports::Show::samples && !raw_.sample) {
      refuse(cli::problem("SP903", "`--show samples` needs an interval", "for example --sample 1s"));
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
      into.limit_time = grammar::read_duration(*raw_.limit_time);
      if (!into.limit_time || *into.limit_time < std::chrono::milliseconds{1}) {
        refuse(bad_value("--limit-time", *raw_.limit_time, "it takes a time of 1ms or more, such as 30s"));
      }
    }
    constexpr std::uint32_t most_replications = 10'000;
    if (into.replications.value_or(1) > most_replications) {
      refuse(bad_value("--replications", *raw_.replications, "it takes at most 10000"));
    }
    if (raw_.until_precise) {
      const auto part = part_of(*raw_.until_precise);
      if (!part) {
        refuse(bad_value("--until-precise", *raw_.until_precise, "it takes a percentage of the requests such as 0.5%"));
      }
      into.until_precise = part.value_or(1.0);
      into.replications = into.replications.value_or(1'000);
    }
    constexpr std::size_t most_jobs = 4'096;
    if (into.jobs > most_jobs) {
      refuse(bad_value("--jobs", *raw_.jobs, "it takes at most 4096"));
    }
  }

  void check_trace(Arguments& into) {
    check_no_output("--trace", raw_.trace);
    if (raw_.trace && into.replications.value_or(1) > 1) {
      refuse(cli::problem("SP905", "`--trace` and `--replications` are mutually exclusive",
                          "a trace records one run; --seed chooses which"));
    }
  }

  static bool is_of_mesh(const std::optional<std::string>& profile) {
    return profile && (profile->starts_with("istio=") || profile->starts_with("kuma="));
  }

  void check_mesh_upgrade(Arguments& into) {
    const std::string to = raw_.to_profile.value_or("");
    const auto other = other_mesh_profile(to);
    const std::string from = raw_.from_profile.value_or(other.value_or(""));
    if (!other || (from != to && from != *other)) {
      refuse(bad_value(other ? "--from-profile" : "--to-profile", other ? from : to,
                       "it takes istio=release-1.30 and istio=release-1.31, or kuma=release-2.14 and kuma=head"));
      return;
    }
    into.to_mesh = to;
    into.from_mesh = from;
  }

  void check_mesh_profile(Arguments& into) {
    if (other_mesh_profile(*raw_.profile)) {
      into.pasted.profile = raw_.profile;
    } else {
      refuse(bad_value("--profile", *raw_.profile,
                       "it takes istio=release-1.30, istio=release-1.31, kuma=release-2.14 and kuma=head"));
    }
  }

  void check_upgrade(Arguments& into) {
    if (is_of_mesh(raw_.profile) && into.command->takes_pasted) {
      check_mesh_profile(into);
    } else if (raw_.profile == "envoy=current") {
      into.profile = config::EnvoyProfile::current;
    } else if (const auto own = release("--profile", raw_.profile)) {
      into.profile = config::profile_of_release(*own);
    }
    if (is_of_mesh(raw_.to_profile) || is_of_mesh(raw_.from_profile)) {
      check_mesh_upgrade(into);
    } else {
      into.to_release = release("--to-profile", raw_.to_profile);
      into.from_release = release("--from-profile", raw_.from_profile);
    }
    if (raw_.from_profile && !raw_.to_profile) {
      refuse(cli::problem("SP903", "`--from-profile` needs `--to-profile`",
                          "for example --to-profile envoy=release-1.40"));
    }
    if (raw_.all_clusters && raw_.cluster) {
      refuse(cli::problem("SP905", "`--all-clusters` and `--cluster` are mutually exclusive",
                          "name one cluster, or take all of them"));
    }
  }

  void check_load(Arguments& into) {
    if (raw_.growth && !raw_.rates.empty()) {
      refuse(cli::problem("SP905", "`--growth` and `--rate` are mutually exclusive", "both set the rate of requests"));
    }
    if (raw_.growth) {
      std::istringstream factors(*raw_.growth);
      bool all_read = !raw_.growth->empty();
      for (std::string text; std::getline(factors, text, ',');) {
        const std::optional<double> factor = factor_of(text);
        all_read = all_read && factor;
        into.growths.push_back(factor.value_or(1.0));
      }
      if (!all_read) {
        refuse(bad_value("--growth", *raw_.growth,
                         "it takes a factor such as 1.5x, which is 50 % more, or several: 1.2,1.5,2"));
      }
      if (into.growths.size() == 1) {
        into.growth = into.growths.front();
        into.growths.clear();
      }
    }
    check_pasted(raw_, into, *this);
  }

  void check_picture(Arguments& into) {
    const auto& names = reports::plot::kind_names();
    for (const std::string& name : raw_.pictures ? separated(*raw_.pictures) : std::vector<std::string>{}) {
      const auto kind = reports::plot::kind_of(name);
      if (!kind) {
        refuse(bad_value("--kind", name, "it takes " + joined(names, ", "), names));
      }
      const reports::plot::Kind wanted = kind.value_or(reports::plot::Kind::share);
      if (std::find(into.kinds.begin(), into.kinds.end(), wanted) == into.kinds.end()) {
        into.kinds.push_back(wanted);
      }
    }
    into.timeout = length("--timeout", raw_.timeout, "30s or 5m").value_or(into.timeout);
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
};

}  // namespace

std::optional<UsageProblem> check_values(const RawArguments& raw, Arguments& into) {
  return Checker(raw).check(into);
}

}  // namespace spillway::cli
