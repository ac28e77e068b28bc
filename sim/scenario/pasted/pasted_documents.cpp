#include "sim/scenario/pasted/pasted_documents.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "models/documents/node_edit.hpp"
#include "models/documents/parse.hpp"
#include "models/documents/problem.hpp"
#include "models/envoy/proxy/foreign.hpp"
#include "models/envoy/proxy/kinds.hpp"
#include "models/envoy/proxy/plain_texts.hpp"
#include "models/kuma/messages/other_kinds.hpp"
#include "sim/scenario/pasted/fragments.hpp"
#include "sim/scenario/pasted/pasted_kinds.hpp"
#include "sim/scenario/pasted/pasted_text.hpp"
#include "sim/scenario/pasted/redactions.hpp"
#include "sim/scenario/pasted/surrounding_text.hpp"

namespace spillway::scenario::pasted {
namespace {

using documents::Member;
using documents::Node;

bool is_kuma(const Node& document) {
  const std::string version = proxy::text_at(document, "apiVersion");
  return version.starts_with("kuma.io/") || (version.empty() && document.find("kind") == nullptr &&
                                             document.find("type") != nullptr && document.find("name") != nullptr);
}

bool moves_no_requests(const Node& document, const std::string& kind) {
  if (is_kuma(document)) {
    return messages::find_passed_over(kind) != nullptr;
  }
  if (kind == "ConfigMap") {
    const Node* const mesh = value_below(document, {"data", "mesh"});
    return mesh == nullptr || !text_below(document, {"metadata", "name"}).starts_with("istio");
  }
  return !is_kind_of_worlds(kind);
}

class Reader {
 public:
  std::optional<PastedDocuments> read(const Sources& sources) {
    read_.sources = sources;
    for (std::uint32_t file = 0; file < sources.size(); ++file) {
      if (proxy::is_plain_text(sources[file])) {
        return std::nullopt;
      }
      read_file(file);
      if (of_another_kind_) {
        return std::nullopt;
      }
    }
    const bool is_empty = read_.by_kind.empty() && read_.ignored.empty() && read_.foreign.empty();
    if (is_empty && !(is_surrounded_ && has_errors(read_.problems))) {
      return std::nullopt;
    }
    name_redactions();
    for (const auto& [key, count] : keys_left_out_) {
      read_.assumed.push_back("`" + key + "` is left out" + (count == 1 ? "" : " " + std::to_string(count) + " times") +
                              ": a mark of the page that it is from, no key of Kuma's");
    }
    if (skipped_ > 0) {
      read_.assumed.push_back(std::to_string(skipped_) + " block" + (skipped_ == 1 ? "" : "s") +
                              " between the documents left out: neither of Kubernetes, Istio nor Kuma");
    }
    return std::move(read_);
  }

 private:
  void read_file(std::uint32_t file) {
    file_ = {.name = read_.sources[file].name};
    is_cleaned_ = false;
    Diagnostics problems;
    auto list = documents::parse_documents(read_.sources, file, problems);
    if (!list || !has_objects(*list) || has_ellipsis(read_.sources[file].text) ||
        has_odd_blanks(read_.sources[file].text)) {
      const std::string original = read_.sources[file].text;
      CleanedText cleaned = clean_text(original);
      file_.as_written = false;
      is_cleaned_ = true;
      read_.sources[file].text = cleaned.text;
      Diagnostics still;
      auto again = documents::parse_documents(read_.sources, file, still);
      const bool is_changed =
          (!cleaned.left_out.empty() || cleaned.is_diff || cleaned.has_odd_blanks) && has_fields(cleaned.text);
      is_surrounded_ = is_surrounded_ || is_changed;
      const bool is_readable = list && has_objects(*list);
      list = again || is_readable ? std::move(again ? again : list)
                                  : parse_parts(file, is_changed || problems.empty() ? still : problems, cleaned);
      file_.text = original;
      if (list) {
        is_template_ = is_template_ || cleaned.is_template;
        name_cleaning(cleaned);
      } else if (cleaned.is_template && !read_.problems.empty()) {
        read_.problems.back().help("this is a template: give what `helm template` prints");
      }
    } else {
      file_.text = read_.sources[file].text;
    }
    if (list) {
      add_all(*std::move(list));
    }
    read_.files.push_back(std::move(file_));
  }

  void name_cleaning(CleanedText& cleaned) {
    if (cleaned.is_diff) {
      read_.assumed.emplace_back("of a diff, the new side is read");
    }
    if (cleaned.has_odd_blanks) {
      read_.assumed.emplace_back("no-break and wide blanks, as pages and chats have them, are read as blanks");
    }
    const std::string of_file = read_.sources.size() > 1 ? file_.name + ": " : std::string();
    for (const std::string& words : documents::in_words(cleaned.left_out)) {
      read_.assumed.push_back(of_file + words);
    }
  }

  // False with a sentence or a command of a shell, which is a text or, as `echo "apiVersion: v1`, a key of YAML.
  static bool has_objects(const Node& list) {
    const auto is_sentence = [](const Node& item) {
      return std::any_of(item.members.begin(), item.members.end(), [](const Member& member) {
        return is_odd_key(member.key) && !documents::is_ellipsis(member.key);
      });
    };
    const auto is_text = [](const Node& item) { return item.kind == documents::Kind::string; };
    return std::none_of(list.items.begin(), list.items.end(), is_sentence) &&
           std::none_of(list.items.begin(), list.items.end(), is_text) &&
           std::any_of(list.items.begin(), list.items.end(), [](const Node& item) {
             return item.kind == documents::Kind::object || item.kind == documents::Kind::array;
           });
  }

  // Parses each document of a file separately, so that an invalid one does not affect the others.
  std::optional<Node> parse_parts(std::uint32_t file, const Diagnostics& of_whole, CleanedText& cleaned) {
    const std::string text = read_.sources[file].text;
    Node all;
    all.kind = documents::Kind::array;
    std::string lines_before;
    std::size_t begin = 0;
    while (begin < text.size()) {
      std::size_t end = text.find("\n---", begin);
      end = end == std::string::npos ? text.size() : end + 1;
      const std::string part = text.substr(begin, end - begin);
      Sources alone(read_.sources.size());
      alone[file] = {read_.sources[file].name, lines_before + part};
      Diagnostics problems;
      if (auto parsed = documents::parse_documents(alone, file, problems)) {
        std::move(parsed->items.begin(), parsed->items.end(), std::back_inserter(all.items));
      } else if (has_fields(part)) {
        read_.problems.insert(read_.problems.end(), problems.begin(), problems.end());
      } else {
        leave_out(part, lines_before.size(), cleaned);
      }
      lines_before.append(static_cast<std::size_t>(std::count(part.begin(), part.end(), '\n')), '\n');
      begin = end;
    }
    if (all.items.empty()) {
      if (read_.problems.empty()) {
        read_.problems = of_whole;
      }
      return std::nullopt;
    }
    return all;
  }

  // Leaves out a part of the text that is no document.
  static void leave_out(const std::string& part, std::size_t lines_before, CleanedText& cleaned) {
    std::size_t line = lines_before;
    for (std::size_t begin = 0; begin < part.size(); ++line) {
      const std::size_t end = std::min(part.find('\n', begin), part.size());
      const std::string_view words = std::string_view(part).substr(begin, end - begin);
      if (words.find_first_not_of(" \t\r-") != std::string_view::npos) {
        cleaned.left_out.push_back({static_cast<std::uint32_t>(line + 1), documents::WhyLeftOut::around, {}});
      }
      begin = end + 1;
    }
  }

  void add_all(Node list) {
    for (Node& item : list.items) {
      add(std::move(item), nullptr);
    }
  }

  // Adds a document, or the items of a list. `list` is the typed list that contains the document.
  void add(Node document, const Node* list) {
    if (document.kind == documents::Kind::array) {
      add_all(std::move(document));
      return;
    }
    if (document.kind != documents::Kind::object || of_another_kind_) {
      skipped_ += document.kind == documents::Kind::object ? 0 : 1;
      return;
    }
    if (list != nullptr) {
      take_kind_of(*list, document);
    }
    const Node* const items = value_below(document, {"items"});
    if (items != nullptr && items->kind == documents::Kind::array) {
      for (const Node& item : items->items) {
        add(item, &document);
      }
      return;
    }
    if (!add_lists(document)) {
      add_one(std::move(document));
    }
  }

  // Adds the documents of an object of lists of them, as `egctl translate` takes: `gateways: [...]`, `httpRoutes:
  // [...]`.
  bool add_lists(const Node& document) {
    const auto is_document = [](const Node& item) {
      return item.kind == documents::Kind::object && item.find("kind") != nullptr && item.find("apiVersion") != nullptr;
    };
    for (const char* const key : {"kind", "apiVersion", "resources", "policies", "clients", "duration"}) {
      if (document.find(key) != nullptr) {
        return false;  // a document, or a scenario
      }
    }
    bool added = false;
    for (const Member& member : document.members) {
      for (const Node& item : member.value.items) {
        if (is_document(item)) {
          add_one(item);
          added = true;
        }
      }
    }
    file_.as_written = file_.as_written && !added;
    return added;
  }

  // `_port: 80`: the sources of Kuma's documentation have such keys, which are no part of the documents.
  bool leave_out_marks(Node& node) {
    bool changed = std::erase_if(node.members, [&](const Member& member) {
                     const bool is_mark = member.key.starts_with('_');
                     if (is_mark) {
                       ++keys_left_out_[member.key];
                     }
                     return is_mark;
                   }) > 0;
    for (Member& member : node.members) {
      changed = leave_out_marks(member.value) || changed;
    }
    for (Node& item : node.items) {
      changed = leave_out_marks(item) || changed;
    }
    return changed;
  }

  static void take_kind_of(const Node& list, Node& item) {
    const Member* const kind = list.find("kind");
    const std::string_view name = kind == nullptr ? std::string_view() : std::string_view(kind->value.text);
    if (item.kind != documents::Kind::object || item.find("kind") != nullptr || !name.ends_with("List") ||
        name == "List") {
      return;
    }
    Member own = *kind;
    own.value.text.resize(name.size() - std::string_view("List").size());
    item.members.push_back(std::move(own));
    if (const Member* const version = list.find("apiVersion");
        version != nullptr && item.find("apiVersion") == nullptr) {
      item.members.push_back(*version);
    }
  }

  void add_one(Node document) {
    if (const std::string what = complete_fragment(document); !what.empty()) {
      file_.as_written = false;
      read_.assumed.push_back(what);
    }
    const std::string version = proxy::text_at(document, "apiVersion");
    std::string kind = proxy::text_at(document, "kind");
    const bool of_kuma = is_kuma(document);
    const proxy::Kind known = proxy::kind_of(document);
    if (of_kuma && known != proxy::Kind::other && known != proxy::Kind::kubernetes) {
      of_another_kind_ = !is_cleaned_;  // an Envoy cluster also has a name and a type
      ++skipped_;
      return;
    }
    kind = kind.empty() && of_kuma ? proxy::text_at(document, "type") : kind;
    if (kind.empty() || (version.empty() && !of_kuma)) {
      if (!kind.empty() && value_below(document, {"spec"}) != nullptr) {
        read_.foreign[kind] = "has no `apiVersion`";
        file_.as_written = false;
        return;
      }
      if (is_cleaned_) {
        ++skipped_;  // text between documents
        return;
      }
      of_another_kind_ = known != proxy::Kind::other || !proxy::recognise_foreign(document);
      return;
    }
    if (kind.ends_with("EnvoyConfig")) {
      of_another_kind_ = true;  // a CiliumEnvoyConfig, or an EnvoyConfig of marin3r: Envoy's documents are in it
      return;
    }
    if (kind == "Ingress") {
      read_.foreign[kind] =
          "a controller such as ingress-nginx reads it, whose proxies are not Envoy; a controller of Envoy's has its "
          "routes in a config_dump";
      file_.as_written = false;
      return;
    }
    if (kind == "EnvoyFilter" || kind == "EnvoyPatchPolicy") {
      read_.foreign[kind] = "not simulated, and what it changes is not in these figures; a config_dump has it";
      file_.as_written = false;
      return;
    }
    read_.of_envoy_gateway = read_.of_envoy_gateway || version.starts_with("gateway.envoyproxy.io/") ||
                             (kind == "GatewayClass" &&
                              text_below(document, {"spec", "controllerName"}).starts_with("gateway.envoyproxy.io/"));
    if (is_group_of_others(version) && kind != "Rollout") {
      const auto other = proxy::recognise_foreign(document);
      read_.foreign[kind] = other ? other->what + ": " + other->help : "is of another program";
      file_.as_written = false;
      return;
    }
    const bool denies = kind == "MeshTrafficPermission" || kind == "AuthorizationPolicy";
    if (denies || (of_kuma && messages::is_inbound(kind))) {
      read_.foreign[kind] = denies ? "not simulated: requests that it denies count as answered"
                                   : "not simulated: requests that it aborts, delays or limits count as answered";
      file_.as_written = false;
      return;
    }
    if (version.starts_with("sailoperator.io/") && kind == "Istio") {
      take_as_operator(document);
      kind = "IstioOperator";
    }
    if (moves_no_requests(document, kind)) {
      if (of_kuma || is_known_to_move_nothing(version, kind)) {
        ++read_.ignored[kind];
      } else {
        read_.foreign[kind] =
            "not read: if it moves requests, these figures lack it; `istioctl proxy-config all POD "
            "-o json` and a config_dump have all";
      }
      file_.as_written = false;
      return;
    }
    if (of_kuma && !is_kind_of_kuma(kind) && messages::find_refused(kind) == nullptr && is_cleaned_) {
      read_.foreign[kind] = "no such kind in Kuma";
      return;
    }
    if (of_kuma && messages::changes_proxies(kind)) {
      read_.foreign[kind] = "it can change any part of a proxy's configuration";
      file_.as_written = false;
      return;
    }
    if (of_kuma && messages::find_refused(kind) != nullptr) {
      read_.foreign[kind] = messages::find_refused(kind)->word;
      file_.as_written = false;
      return;
    }
    Redactions found = replace_redactions_in(document);
    file_.as_written = file_.as_written && found.values.empty() && found.ellipses.empty();
    std::move(found.values.begin(), found.values.end(), std::back_inserter(redactions_));
    std::move(found.ellipses.begin(), found.ellipses.end(), std::back_inserter(ellipses_));
    if (of_kuma) {
      read_.family = Family::kuma;
      file_.as_written = !leave_out_marks(document) && file_.as_written;
    } else {
      documents::drop_nulls(document);
    }
    ++read_.by_kind[kind];
    file_.documents.push_back(std::move(document));
  }

  // The Sail operator's Istio has in `values` what an IstioOperator has in `meshConfig` and `values`.
  void take_as_operator(Node& document) {
    file_.as_written = false;
    for (Member& member : document.members) {
      if (member.key == "apiVersion") {
        member.value.text = "install.istio.io/v1alpha1";
      } else if (member.key == "kind") {
        member.value.text = "IstioOperator";
      } else if (member.key == "spec") {
        std::erase_if(member.value.members, [](const Member& one) { return one.key != "values"; });
        for (Member& values : member.value.members) {
          if (const Member* const mesh = values.value.find("meshConfig")) {
            Member own = *mesh;
            std::erase_if(values.value.members, [](const Member& one) { return one.key == "meshConfig"; });
            member.value.members.push_back(std::move(own));
            break;
          }
        }
      }
    }
  }

  void name_redactions() {
    std::map<std::string, std::vector<std::string>> by_placeholder;
    for (const Redaction& redaction : redactions_) {
      auto& places = by_placeholder["`" + redaction.written + "` is " +
                                    (redaction.placeholder.empty() ? "left out" : "read as " + redaction.placeholder)];
      places.push_back(redaction.key);
    }
    const bool is_template = is_template_ || std::any_of(redactions_.begin(), redactions_.end(), [](const auto& one) {
                               return one.written.find("{{") != std::string::npos;
                             });
    if (is_template) {
      read_.assumed.emplace_back(
          "a template of Helm has its first branches and defaults: `helm template CHART | spillway share -` reads what "
          "it writes");
    }
    for (const auto& [what, places] : by_placeholder) {
      read_.assumed.push_back(what + " at " + places.front() +
                              (places.size() == 1 ? "" : " and " + std::to_string(places.size() - 1) + " more"));
    }
    for (const std::string& key : ellipses_) {
      read_.assumed.push_back("an ellipsis at " + key + ": what stood there is not known");
    }
  }

  PastedDocuments read_;
  PastedFile file_;
  std::vector<Redaction> redactions_;
  std::vector<std::string> ellipses_;  // keys
  std::map<std::string, std::size_t> keys_left_out_;
  bool of_another_kind_ = false;
  bool is_cleaned_ = false;     // the file also contains other text
  bool is_template_ = false;    // a file is a template of Helm
  bool is_surrounded_ = false;  // a file contains sentences, ellipses or the marks of a diff
  std::size_t skipped_ = 0;     // blocks in such files
};

}  // namespace

std::vector<const Node*> PastedDocuments::documents() const {
  std::vector<const Node*> all;
  for (const PastedFile& file : files) {
    for (const Node& document : file.documents) {
      all.push_back(&document);
    }
  }
  return all;
}

std::optional<PastedDocuments> read_pasted(const Sources& sources) {
  return Reader().read(sources);
}

const Node* value_below(const Node& node, std::initializer_list<const char*> keys) {
  const Node* value = &node;
  for (const char* const key : keys) {
    const Member* const member = value->kind == documents::Kind::object ? value->find(key) : nullptr;
    if (member == nullptr) {
      return nullptr;
    }
    value = &member->value;
  }
  return value;
}

std::string text_below(const Node& node, std::initializer_list<const char*> keys) {
  const Node* const value = value_below(node, keys);
  return value == nullptr ? std::string() : value->text;
}

}  // namespace spillway::scenario::pasted
