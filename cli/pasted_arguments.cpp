#include "cli/pasted_arguments.hpp"

#include <algorithm>
#include <string>

#include "cli/argument_values.hpp"
#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/option_reader.hpp"
#include "cli/option_text.hpp"
#include "models/documents/grammar/scalars.hpp"

namespace spillway::cli {
namespace {

// The parts of "SERVICE=RATE", split at the last `=`. The name is empty if there is no `=`.
struct NamedRate {
  std::string name = {};
  std::optional<double> rate = {};
};

NamedRate named_rate(const std::string& text) {
  const std::size_t end = text.rfind('=');
  return {end == std::string::npos ? "" : text.substr(0, end),
          rate_of(end == std::string::npos ? text : text.substr(end + 1))};
}

void check_rates(const RawArguments& raw, Arguments& into, OptionReader& reader) {
  for (const std::string& text : raw.rates) {
    const NamedRate one = named_rate(text);
    if (!one.rate) {
      reader.refuse(bad_value("--rate", text, "it takes requests a second, such as 2700rps, or SERVICE=RATE"));
    } else if (!one.name.empty()) {
      into.pasted.rates[one.name] = *one.rate;
    } else if (into.rate) {
      reader.refuse(problem("SP905", "`--rate` is given more than once",
                            "of pasted documents, name the service: --rate cart=200rps"));
    } else {
      into.rate = one.rate;
    }
  }
  for (const std::string& text : raw.capacities) {
    const NamedRate one = named_rate(text);
    if (!one.rate || one.name.empty()) {
      reader.refuse(bad_value("--capacity", text, "it takes SERVICE=RATE, such as cart=80rps"));
      continue;
    }
    into.pasted.capacities[one.name] = *one.rate;
  }
}

// Parses "a:2,b:2" or "a,b": zones with the number of pods in each.
void check_zones(const std::string& text, Arguments& into, OptionReader& reader) {
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string part = text.substr(begin, end - begin);
    const std::size_t colon = part.rfind(':');
    const auto pods =
        colon == std::string::npos ? std::optional<std::size_t>(0) : number_of<std::size_t>(part.substr(colon + 1));
    const std::string name = part.substr(0, colon);
    if (!pods || name.empty() || *pods > 1'000) {
      reader.refuse(bad_value("--zones", text, "it takes zones with their pods of a service: a:2,b:2"));
      return;
    }
    into.pasted.zones.emplace_back(name, *pods);
    begin = end + 1;
  }
}

}  // namespace

void check_pasted(const RawArguments& raw, Arguments& into, OptionReader& reader) {
  check_rates(raw, into, reader);
  if (raw.zones) {
    check_zones(*raw.zones, into, reader);
  }
  into.pasted.replicas = raw.replicas;
  into.pasted.short_diagnostics = raw.short_diagnostics;
  const auto is_time = [](const std::optional<std::string>& text) {
    return !text || grammar::read_duration(*text).has_value();
  };
  // `run` accepts times under the same names, for its events.
  if (!into.command->measures || !is_time(raw.from) || !is_time(raw.to)) {
    into.pasted.from = raw.from;
    into.pasted.to = raw.to;
  }
}

}  // namespace spillway::cli
