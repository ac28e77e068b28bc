#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "models/documents/json_writer.hpp"
#include "reports/document/document.hpp"
#include "reports/document/sheet.hpp"
#include "reports/dump_check/dump_check.hpp"
#include "reports/text/json_text.hpp"
#include "sim/scenario/route.hpp"

namespace spillway::reports::held {
namespace {

using documents::JsonText;

constexpr std::size_t most_rows = 100;
constexpr std::size_t most_reasons = 8;

std::string counted(std::size_t number, const char* what) {
  return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

std::string headline(const Beside& beside) {
  const std::string compared = fmt::format("{}, {}, {}", counted(beside.clusters, "cluster"),
                                           counted(beside.endpoints, "endpoint"), counted(beside.routes, "route"));
  if (beside.agrees()) {
    return beside.clusters + beside.routes == 0
               ? fmt::format("nothing was compared: the proxy ({}) and the documents have no cluster in common",
                             beside.proxy)
               : fmt::format("the proxy ({}) holds what the documents make: {}", beside.proxy, compared);
  }
  std::set<std::string> places;
  for (const Difference& difference : beside.differences) {
    places.insert(difference.of);
  }
  return fmt::format("the proxy ({}) holds something else than the documents make: {} in {} (compared: {})",
                     beside.proxy, counted(beside.differences.size(), "difference"), counted(places.size(), "place"),
                     compared);
}

std::string made_by(const Difference& difference, const Sources& sources) {
  return difference.where && difference.where->file < sources.size()
             ? fmt::format("{} ({}:{})", difference.made_by, sources[difference.where->file].name,
                           difference.where->line)
             : difference.made_by;
}

Sheet sheet_of(const Beside& beside, const Sources& sources, std::size_t most) {
  Sheet sheet{"differences", {{"cluster or routes"}, {"what"}, {"documents make"}, {"proxy holds"}, {"made by"}}};
  for (std::size_t i = 0; i < std::min(most, beside.differences.size()); ++i) {
    const Difference& difference = beside.differences[i];
    sheet.rows.push_back(
        {difference.of, difference.what, difference.documents, difference.proxy, made_by(difference, sources)});
  }
  sheet.indent = 2;
  sheet.is_grouped = true;  // names of clusters are long
  return sheet;
}

std::vector<std::string> remarks(const Beside& beside, bool all) {
  std::vector<std::string> lines;
  if (!all && beside.differences.size() > most_rows) {
    lines.push_back(
        fmt::format("{} more (-o csv lists all)", counted(beside.differences.size() - most_rows, "difference")));
  }
  for (std::size_t i = 0; i < std::min(most_reasons, beside.not_compared.size()); ++i) {
    lines.push_back(fmt::format("not compared: {} ({})", beside.not_compared[i].of, beside.not_compared[i].why));
  }
  if (beside.not_compared.size() > most_reasons) {
    lines.push_back(fmt::format("not compared: {} more clusters", beside.not_compared.size() - most_reasons));
  }
  lines.insert(lines.end(), beside.notes.begin(), beside.notes.end());
  return lines;
}

void add_beside(Page& page, const Beside& beside, const Sources& sources, bool all) {
  page.headline(headline(beside));
  Sheet sheet = sheet_of(beside, sources, all ? beside.differences.size() : most_rows);
  sheet.always_fits = !all;
  if (!sheet.rows.empty()) {
    page.sheet(sheet);
  }
  page.list(remarks(beside, all), 1);
}

std::string json_text(const Beside& beside, const Sources& sources) {
  JsonText json = {{"agrees", beside.agrees()},
                   {"proxy", beside.proxy},
                   {"clusters", beside.clusters},
                   {"endpoints", beside.endpoints},
                   {"routes", beside.routes}};
  JsonText differences = JsonText::array();
  for (const Difference& difference : beside.differences) {
    JsonText one = {{"of", difference.of},
                    {"what", difference.what},
                    {"documents", difference.documents},
                    {"proxy", difference.proxy},
                    {"made_by", difference.made_by}};
    const bool placed = difference.where && difference.where->file < sources.size();
    one.add("file", placed ? JsonText(sources[difference.where->file].name) : JsonText(nullptr));
    one.add("line", placed ? JsonText(difference.where->line) : JsonText(nullptr));
    differences.push_back(std::move(one));
  }
  json.add("differences", differences);
  JsonText not_compared = JsonText::array();
  for (const NotCompared& one : beside.not_compared) {
    not_compared.push_back({{"of", one.of}, {"why", one.why}});
  }
  json.add("not_compared", not_compared);
  json.add("notes", beside.notes);
  return json_lines(json.text());
}

}  // namespace

std::string format_dump_check(const Beside& beside, Format format, const Look& look, const Sources& sources) {
  return reports::format({.page = [&](Page& page) { add_beside(page, beside, sources, false); },
                          .records = [&] { return sheet_of(beside, sources, beside.differences.size()); },
                          .wide = [&](Page& page) { add_beside(page, beside, sources, true); },
                          .json = [&](const Sink& sink) { sink(json_text(beside, sources)); }},
                         format, look);
}

}  // namespace spillway::reports::held
