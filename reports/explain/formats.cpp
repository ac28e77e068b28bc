#include "reports/explain/formats.hpp"

#include <fmt/format.h>

#include "reports/document/document.hpp"
#include "reports/explain/wording.hpp"
#include "reports/text/names.hpp"
#include "reports/text/percent.hpp"
#include "reports/text/times.hpp"
#include "sim/run/records/shares.hpp"

namespace spillway::reports::explain {

namespace {

std::string gets_text(const std::optional<double>& share) {
  return share && *share <= 0.0 ? std::string("nothing goes there") : "it gets " + share_text(share);
}

}  // namespace

const std::vector<std::string>& explanation_format_names() {
  static const std::vector<std::string> names{"table", "markdown", "json"};
  return names;
}

std::string format_explanation(const Explanation& explanation, Format format, const Look& look) {
  const auto page = [&](Page& whole) {
    whole.title({headline(explanation)});
    if (whole.is(Medium::terminal)) {
      add_columns(whole, explanation);
    } else {
      add_tables(whole, explanation);
    }
  };
  return reports::format(
      {.page = page, .wide = page, .json = [&](const Sink& sink) { sink(explanation_as_json(explanation)); }}, format,
      look);
}

std::string headline(const Explanation& explanation) {
  const std::string zone = printable(explanation.client_zone);
  std::string text = fmt::format("{}{}{} calls {} at {} s", printable(explanation.client), zone.empty() ? "" : " in ",
                                 zone, printable(explanation.service), seconds_text(explanation.at));
  return explanation.request.empty() ? text : text + ", " + printable(explanation.request);
}

std::string fact_text(const Fact& fact) {
  std::string text = fact.subject;
  if (fact.value) {
    text += fmt::format("{}{} = {}", text.empty() ? "" : " ", fact.formula, number_text(*fact.value));
    return fact.note.empty() ? text : text + ", " + fact.note;
  }
  return text + (text.empty() || fact.note.empty() ? "" : " ") + fact.note;
}

std::string section_title(const Explanation& explanation, const Section& section) {
  if (explanation.sections.size() < 2) {
    return "";
  }
  const std::string title = section.title.empty() ? printable(explanation.service) : section.title;
  return fmt::format("{}, {} of the requests", title, exact_percent(section.requests));
}

// True if the share is exact, or is the mean over connections to a zone proxy.
bool is_known(const Explanation& explanation, const EndpointShare& row) {
  return row.joint == 0 || explanation.why_joint == run::connection_basis;
}

std::vector<ShareLine> share_lines(const Explanation& explanation) {
  struct Group {
    const EndpointShare* first = nullptr;
    std::size_t endpoints = 0;
    bool even = true;
    std::vector<const EndpointShare*> rows = {};
  };
  std::vector<Group> groups;
  for (const EndpointShare& row : explanation.endpoints) {
    bool found = false;
    for (Group& group : groups) {
      const EndpointShare& first = *group.first;
      if (first.cluster == row.cluster && first.priority == row.priority && first.availability == row.availability &&
          first.zone == row.zone && first.sub_zone == row.sub_zone && first.via == row.via) {
        ++group.endpoints;
        group.even = group.even && first.share == row.share && is_known(explanation, row);
        group.rows.push_back(&row);
        found = true;
      }
    }
    if (!found) {
      groups.push_back({&row, 1, is_known(explanation, row), {&row}});
    }
  }
  std::vector<ShareLine> lines;
  for (const Group& group : groups) {
    const EndpointShare& first = *group.first;
    ShareLine line{.place = priority_text(first.priority) + (first.zone.empty() ? "" : " " + printable(first.zone)),
                   .share = exact_share(group.rows),
                   .endpoints = counted(group.endpoints, "endpoint")};
    line.place += first.sub_zone.empty() ? "" : "/" + printable(first.sub_zone);
    line.place = first.cluster == explanation.service ? line.place : printable(first.cluster) + " " + line.place;
    if (first.availability != envoy::Availability::healthy) {
      line.place += first.availability == envoy::Availability::all ? ", in panic" : ", degraded";
    }
    line.endpoints += first.via.empty() ? "" : " via " + printable(first.via);
    if (group.endpoints == 1) {
      line.endpoints = printable(first.endpoint) + (first.via.empty() ? "" : " via " + printable(first.via));
    } else {
      const bool joint =
          std::any_of(group.rows.begin(), group.rows.end(), [](const EndpointShare* row) { return row->joint != 0; });
      const char* const mean = joint ? " on average" : "";
      line.endpoints += group.even ? fmt::format(", {} each{}", exact_percent(first.share), mean)
                        : joint    ? ", ? each"
                                   : ", not alike";
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

std::string share_text(const std::optional<double>& share) {
  return share ? exact_percent(*share) : "?";
}

std::string why_headline(const Why& why) {
  const bool nothing = why.share && *why.share <= 0.0;
  return fmt::format("{} gets {}", printable(why.target), nothing ? "nothing" : share_text(why.share));
}

std::string turn_text(const Why& why, const Why::Turn& turn) {
  if (turn.now.empty()) {
    const std::string text = fmt::format("{} {}: {}", turn.input, turn.turns_at, gets_text(turn.share_there));
    return turn.note.empty() ? text : text + "; " + turn.note;
  }
  std::string text = fmt::format("{}, {} now: ", turn.input, turn.now);
  if (turn.turns_at.empty()) {
    return text + (!why.share || *why.share > 0.0 ? "no value stops its traffic" : "no value sends it traffic");
  }
  text += fmt::format("at {} {}", turn.turns_at, gets_text(turn.share_there));
  if (turn.share_before) {
    text += fmt::format("; at {} {}", turn.just_before, gets_text(turn.share_before));
  }
  return turn.note.empty() ? text : text + "; " + turn.note;
}

}  // namespace spillway::reports::explain
