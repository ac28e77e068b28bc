#include <optional>
#include <utility>

#include "reports/diff/context_words.hpp"
#include "reports/diff/diff_tables.hpp"
#include "reports/diff/figure_words.hpp"
#include "reports/text/percent.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::reports {
namespace {

class ChangeRows {
 public:
  explicit ChangeRows(const diff::Difference& difference)
      : difference_(difference),
        labels_(context_labels(difference)),
        sheet_{"changes",
               {{"what"},
                {"context"},
                {"client"},
                {"service"},
                {"by"},
                {"name"},
                {"old", true},
                {"new", true},
                {"change", true},
                {"half_width", true}}} {}

  Sheet rows() {
    add_moves();
    add_loads();
    for (const diff::KeyMove& move : difference_.keys) {
      sheet_.rows.push_back({"keys", labels_[move.context], move.client, move.service, "",
                             move.named ? std::to_string(move.moved) + " of " + std::to_string(move.keys) : "all", "",
                             "", shortest(move.share), ""});
    }
    for (const diff::Crossing& crossing : difference_.crossings) {
      for (const diff::Part* const part : {&crossing.share, &crossing.bytes, &crossing.cost}) {
        if (part->change() != 0.0) {
          add("cross_zone", crossing.context, {"", crossing.service}, part->name, *part);
        }
      }
    }
    for (const diff::Split& split : difference_.splits) {
      for (const diff::Part& part : split.services) {
        add("split", split.context, {split.client, part.name}, "service", part);
      }
    }
    for (const diff::RateChange& change : difference_.rates) {
      add("rate", change.context, {change.rate.name, ""}, "client", change.rate);
    }
    for (const diff::SimulatedFigure& figure : difference_.simulated.figures) {
      add(figure.differs() ? "simulated" : "no_difference", figure.context, {figure.client, figure.service},
          figure_key(figure.figure), {figure.zone, figure.before, figure.after, figure.half_width});
    }
    for (const diff::Lint& lint : difference_.lints) {
      add_words(lint.gained ? "lint_gained" : "lint_lost", lint.place, lint.code);
    }
    for (const diff::Presence& presence : difference_.presences) {
      add_words(presence.added ? "added" : "removed", presence.kind, presence.name);
    }
    for (const std::string& what : difference_.not_compared) {
      add_words("not_compared", "", what);
    }
    return std::move(sheet_);
  }

 private:
  using Whose = std::pair<std::string, std::string>;  // client and service

  void add(const char* what, std::size_t context, const Whose& whose, const std::string& by, const diff::Part& part) {
    sheet_.rows.push_back({what, labels_[context], whose.first, whose.second, by, part.name, shortest(part.before),
                           shortest(part.after), shortest(part.change()),
                           part.half_width ? shortest(*part.half_width) : ""});
  }

  void add_words(const char* what, const std::string& by, const std::string& name) {
    sheet_.rows.push_back({what, "", "", "", by, name, "", "", "", ""});
  }

  void add_moves() {
    for (const diff::Move& move : difference_.moves) {
      const Whose whose{move.client, move.service};
      for (const auto& [by, parts] :
           {std::pair("zone", &move.zones), {"priority", &move.priorities}, {"endpoint", &move.endpoints}}) {
        for (const diff::Part& part : *parts) {
          add("share", move.context, whose, by, part);
        }
      }
      for (const diff::Part* const of : {&move.no_host, &move.lost}) {
        if (of->change() != 0.0) {
          diff::Part part = *of;
          part.name.clear();
          add("share", move.context, whose, of->name, part);
        }
      }
    }
  }

  void add_load(const char* what, std::size_t context, const std::string& by, const std::string& name,
                const std::optional<double>& before, const std::optional<double>& after) {
    sheet_.rows.push_back({what, labels_[context], "", "", by, name, before ? shortest(*before) : "",
                           after ? shortest(*after) : "", before && after ? shortest(*after - *before) : "", ""});
  }

  void add_loads() {
    for (const diff::Overload& overload : difference_.overloads) {
      add_load(overload.over() ? "over_capacity" : "no_longer_over_capacity", overload.context, "endpoint",
               overload.endpoint, overload.before, overload.after);
    }
    for (const diff::ZoneLoad& load : difference_.zone_loads) {
      add_load("utilisation", load.context, "zone", load.zone, load.before, load.after);
    }
  }

  const diff::Difference& difference_;
  std::vector<std::string> labels_;
  Sheet sheet_;
};

}  // namespace

Sheet all_changes(const diff::Difference& difference) {
  return ChangeRows(difference).rows();
}

}  // namespace spillway::reports
