#include "sim/scenario/pasted/pasted_documents.hpp"

#include <algorithm>
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
    if (read_.by_kind.empty() && read_.ignored.empty() && read_.foreign.empty()) {
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
    if (!list || !has_objects(*list)) {
      CleanedText cleaned = clean_text(read_.sources[file].text);
      file_.as_written = false;
      is_cleaned_ = true;
      read_.sources[file].text = std::move(cleaned.text);
      is_template_ = is_template_ || cleaned.is_template;
      if (cleaned.is_diff) {
        read_.assumed.emplace_back("of a diff, the new side is read");
      }
      Diagnostics still;
      auto again = documents::parse_documents(read_.sources, file, still);
      list = again ? std::move(again) : parse_parts(file, problems.empty() ? still : problems);
    }
    file_.text = read_.sources[file].text;
    if (list) {
      add_all(*std::move(list));
    }
    read_.files.push_back(std::move(file_));
  }

  // False with a command of a shell or a sentence, which is a text or, as `echo "apiVersion: v1`, a key of YAML.
  static bool has_objects(const Node& list) {
    const auto is_shell = [](const Node& item) {
      return !item.members.empty() && item.members.front().key.find(' ') != std::string::npos;
    };
    const auto is_text = [](const Node& item) { return item.kind == documents::Kind::string; };
    return std::none_of(list.items.begin(), list.items.end(), is_shell) &&
           std::none_of(list.items.begin(), list.items.end(), is_text) &&
           std::any_of(list.items.begin(), list.items.end(), [](const Node& item) {
             return item.kind == documents::Kind::object || item.kind == documents::Kind::array;
           });
  }

  // Parses each document of a file separately, so that an invalid one does not affect the others.
  std::optional<Node> parse_parts(std::uint32_t file, const Diagnostics& of_whole) {
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
      } else if (part.find(": ") != std::string::npos && part.find("kind:") != std::string::npos) {
        read_.problems.insert(read_.problems.end(), problems.begin(), problems.end());
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
    for (Diagnostic& problem : read_.problems) {
      problem.severity = Severity::warning;
    }
    return all;
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
    if (of_kuma && !is_cleaned_ && known != proxy::Kind::other && known != proxy::Kind::kubernetes) {
      of_another_kind_ = true;  // an Envoy cluster also has a name and a type
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
    if (of_kuma && messages::is_inbound(kind)) {
      read_.foreign[kind] = "not simulated: requests that it aborts, delays or limits count as answered";
      file_.as_written = false;
      return;
    }
    if (moves_no_requests(document, kind)) {
      ++read_.ignored[kind];
      file_.as_written = false;
      return;
    }
    if (of_kuma && !is_kind_of_kuma(kind) && messages::find_refused(kind) == nullptr && is_cleaned_) {
      read_.foreign[kind] = "no such kind in Kuma";
      return;
    }
    if (of_kuma && messages::find_refused(kind) != nullptr) {
      read_.foreign[kind] = messages::find_refused(kind)->word;
      file_.as_written = false;
      return;
    }
    if (of_kuma) {
      read_.family = Family::kuma;
      file_.as_written = !leave_out_marks(document) && file_.as_written;
    } else {
      documents::drop_nulls(document);
    }
    for (Redaction& redaction : replace_redactions_in(document)) {
      file_.as_written = false;
      redactions_.push_back(std::move(redaction));
    }
    ++read_.by_kind[kind];
    file_.documents.push_back(std::move(document));
  }

  void name_redactions() {
    std::map<std::string, std::vector<std::string>> by_placeholder;
    for (const Redaction& redaction : redactions_) {
      auto& places = by_placeholder["`" + redaction.written + "` is " +
                                    (redaction.placeholder.empty() ? "left out" : "read as " + redaction.placeholder)];
      places.push_back(redaction.key);
    }
    const bool of_helm = is_template_ || std::any_of(redactions_.begin(), redactions_.end(), [](const Redaction& one) {
                           return one.written.find("{{") != std::string::npos;
                         });
    if (of_helm) {
      read_.assumed.emplace_back(
          "a template of Helm has its first branches and defaults: `helm template CHART | spillway share -` reads what "
          "it writes");
    }
    for (const auto& [what, places] : by_placeholder) {
      read_.assumed.push_back(what + " at " + places.front() +
                              (places.size() == 1 ? "" : " and " + std::to_string(places.size() - 1) + " more"));
    }
  }

  PastedDocuments read_;
  PastedFile file_;
  std::vector<Redaction> redactions_;
  std::map<std::string, std::size_t> keys_left_out_;
  bool of_another_kind_ = false;
  bool is_cleaned_ = false;  // the file also contains other text
  bool is_template_ = false;
  std::size_t skipped_ = 0;  // blocks in such files
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
