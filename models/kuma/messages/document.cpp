#include "models/kuma/messages/document.hpp"

#include <string_view>
#include <utility>

#include "models/documents/grammar/suggestion.hpp"
#include "models/documents/problem.hpp"
#include "models/kuma/messages/kinds.hpp"
#include "models/kuma/messages/other_kinds.hpp"
#include "models/kuma/messages/shapes.hpp"

namespace spillway::messages {
namespace {

using documents::Kind;
using documents::Node;
using grammar::Choice;
using grammar::Record;
using grammar::Schema;
using grammar::Text;

constexpr const char* schema_name = "kuma.Document";
constexpr const char* list_schema_name = "kuma.List";
constexpr const char* api_version = "kuma.io/v1alpha1";

// The metadata of the Kubernetes form.
struct ObjectMeta {
  static constexpr const char* definition = "kuma.ObjectMeta";
  Field<std::string> name;
  Field<std::string> name_space;
  Field<kuma::Tags> labels;
};

void describe(Fields& fields, ObjectMeta& meta) {
  fields.required("name", meta.name, Text{1, 253}, "of the object");
  fields.optional("namespace", meta.name_space, Text{1, 253}, "of the object");
  fields.optional("labels", meta.labels, TagMap{}, "kuma.io/mesh and others");
  fields.without_influence({"annotations", "creationTimestamp", "deletionGracePeriodSeconds", "deletionTimestamp",
                            "finalizers", "generateName", "generation", "managedFields", "ownerReferences",
                            "resourceVersion", "selfLink", "uid"});
}

// Describes `status`, which has a control plane's observations. It matters only for kinds that have a `status` field
// here.
template <class Body>
void describe_status(Fields& fields, Body& body) {
  if constexpr (requires { body.status; }) {
    fields.optional("status", body.status, Record<MeshMultiZoneService::Status>{}, "its members");
  } else {
    fields.without_influence({"status"});
  }
}

// A document in the Universal form: Record describes inlined fields next to `type`, or a `spec` if they are not
// inlined.
template <class Body>
struct Universal {
  static inline const std::string definition = std::string("kuma.") + Body::kind;
  KumaDocument document;
  Field<std::size_t> type;
  Field<Body> spec;
};

template <class Body>
void describe(Fields& fields, Universal<Body>& written) {
  KumaDocument& document = written.document;
  fields.required("type", written.type, Choice{{Body::kind}}, "the kind of the document");
  fields.required("name", document.name, Text{1, 253}, "of the resource");
  if constexpr (Body::in_mesh) {
    fields.optional("mesh", document.mesh, Text{}, "that it belongs to; default: default");
  }
  fields.optional("labels", document.labels, TagMap{}, "kuma.io/zone, kuma.io/display-name and others");
  fields.without_influence({"creationTime", "modificationTime", "kri"});
  describe_status(fields, written.spec.value);
  if constexpr (Body::inlined) {
    describe(fields, written.spec.value);
  } else {
    fields.required("spec", written.spec, Record<Body>{}, "its specification");
  }
}

template <class Body>
struct Kubernetes {
  static inline const std::string definition = std::string("kuma.io.v1alpha1.") + Body::kind;
  KumaDocument document;
  Field<std::size_t> apiVersion;
  Field<std::size_t> kind;
  Field<ObjectMeta> metadata;
  Field<Body> spec;
};

template <class Body>
void describe(Fields& fields, Kubernetes<Body>& written) {
  fields.required("apiVersion", written.apiVersion, Choice{{api_version}}, "of Kuma's resources");
  fields.required("kind", written.kind, Choice{{Body::kind}}, "the kind of the document");
  fields.required("metadata", written.metadata, Record<ObjectMeta>{}, "its name and labels");
  if constexpr (Body::in_mesh && Body::inlined) {
    fields.optional("mesh", written.document.mesh, Text{}, "that it belongs to; default: default");
  }
  if constexpr (std::is_same_v<Body, Mesh>) {
    fields.optional("spec", written.spec, Record<Body>{}, "its specification");
  } else {
    fields.required("spec", written.spec, Record<Body>{}, "its specification");
  }
  describe_status(fields, written.spec.value);
}

template <class Body>
void read_as(const Node& node, KumaDocument& into, Diagnostics& problems) {
  if (into.kubernetes) {
    Kubernetes<Body> written{.document = std::move(into), .apiVersion = {}, .kind = {}, .metadata = {}, .spec = {}};
    static_cast<void>(Record<Kubernetes<Body>>{}.read(node, written, Body::kind, problems));
    into = std::move(written.document);
    into.name = std::move(written.metadata.value.name);
    into.name_space = std::move(written.metadata.value.name_space);
    into.labels = std::move(written.metadata.value.labels);
    into.body = std::make_shared<const KumaBody>(KumaBody{std::move(written.spec.value)});
  } else {
    Universal<Body> written{.document = std::move(into), .type = {}, .spec = {}};
    static_cast<void>(Record<Universal<Body>>{}.read(node, written, Body::kind, problems));
    into = std::move(written.document);
    into.body = std::make_shared<const KumaBody>(KumaBody{std::move(written.spec.value)});
  }
}

// Reads the document if its kind is in the tuple. True if it is.
template <class... Bodies>
bool read_kind(const Node& node, KumaDocument& into, Diagnostics& problems, std::tuple<Bodies...>* /*kinds*/) {
  return ((into.kind.value == Bodies::kind && (read_as<Bodies>(node, into, problems), true)) || ...);
}

template <class... Bodies>
std::vector<std::string> kinds_that_are_read(std::tuple<Bodies...>* /*kinds*/) {
  return {Bodies::kind...};
}

constexpr KumaKinds* all_kinds = nullptr;

void unknown_kind(const Field<std::string>& kind, Diagnostics& problems) {
  if (const OtherKind* const other = find_refused(kind.value)) {
    problems.error("SP602", kind.where, "`{}` is not supported yet", "{}", {kind.value, other->word})
        .note(
            "it may change where requests go; a document that would have no effect is refused, so that nothing is left "
            "out silently");
    return;
  }
  const std::vector<std::string> read = kinds_that_are_read(all_kinds);
  std::vector<std::string> candidates = read;
  for (const auto& others : {passed_over_kinds(), refused_kinds()}) {
    candidates.insert(candidates.end(), others.begin(), others.end());
  }
  Diagnostic problem =
      error("SP025", kind.where, "unknown kind of document `{}`", "no such kind in Kuma", {kind.value});
  if (const std::string meant = grammar::nearest(kind.value, candidates); !meant.empty()) {
    problem.helps.push_back("did you mean " + in_ticks(meant) + "?");
  } else {
    problem.notes.push_back("the kinds that are read are " + grammar::listed(read, "and"));
  }
  problems.push_back(std::move(problem));
}

// Reports a document without `type` and `kind`, such as those that the design document prints.
void missing_type(const Node& node, Diagnostics& problems) {
  Diagnostic problem = error("SP021", node.span, "missing key `type`", "has neither `type` nor `kind`");
  if (node.find("to") != nullptr || node.find("targetRef") != nullptr) {
    problem.help(
        "a policy is a document: `type: MeshLoadBalancingStrategy`, `name: ...` and, below `spec:`, these keys");
    problems.push_back(std::move(problem));
    kuma::MeshLoadBalancingStrategy spec;
    static_cast<void>(Message<kuma::MeshLoadBalancingStrategy>{}.read(node, spec, "spec", problems));
    return;
  }
  problem.help("write `type: MeshService` (Universal), or `apiVersion:` and `kind:` (Kubernetes)");
  problems.push_back(std::move(problem));
}

// A Kubernetes `kind: List`.
struct KumaList {
  static constexpr const char* definition = list_schema_name;
  Field<std::size_t> apiVersion;
  Field<std::size_t> kind;
  KumaDocuments items;
};

void describe(Fields& fields, KumaList& list) {
  fields.required("apiVersion", list.apiVersion, Choice{{"v1", api_version}}, "of the list");
  fields.required("kind", list.kind, Choice{{"List"}}, "a list of documents");
  fields.required("items", list.items, grammar::ListOf<KumaDocumentShape>{}, "the documents");
  fields.without_influence({"metadata"});
}

bool read_list(const Node& node, std::vector<KumaDocument>& into, Diagnostics& problems) {
  KumaList list;
  static_cast<void>(Record<KumaList>{}.read(node, list, "the list", problems));
  for (auto& item : list.items.value) {
    for (KumaDocument& document : item.value) {
      into.push_back(std::move(document));
    }
  }
  return true;
}

template <class... Bodies>
void add_schemas(std::vector<Schema>& forms, grammar::Definitions& definitions, std::tuple<Bodies...>* /*kinds*/) {
  (forms.push_back(Record<Universal<Bodies>>{}.schema(definitions)), ...);
  (forms.push_back(Record<Kubernetes<Bodies>>{}.schema(definitions)), ...);
}

// Returns the schema of ignored kinds, which allows any contents.
Schema passed_over_schema(const char* key, std::vector<std::string> forbidden) {
  Schema kind;
  kind.enumeration = passed_over_kinds();
  kind.description = "a kind that leaves the shares alone";
  Schema schema;
  schema.type = "object";
  schema.open = true;
  schema.properties.push_back({key, kind});
  schema.exactly_one.push_back({key});
  schema.forbidden = std::move(forbidden);
  return schema;
}

// Returns the schema of the name of a file of documents. The file's documents replace it before lists are read.
Schema file_schema() {
  Schema schema;
  schema.type = "string";
  schema.description = "a file of documents, relative to the scenario's";
  return schema;
}

// True if the kind is one of Kuma's, whatever the apiVersion.
bool has_a_kind_of_kuma(const Node& node) {
  const documents::Member* const kind = node.find("kind");
  const std::vector<std::string> read = kinds_that_are_read(all_kinds);
  return kind != nullptr && std::find(read.begin(), read.end(), kind->value.text) != read.end();
}

}  // namespace

bool KumaDocumentShape::read(const Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
  if (node.kind != Kind::object) {
    grammar::wrong_kind(node, what, "a document of Kuma", problems);
    return false;
  }
  KumaDocument document;
  document.node = &node;
  if (is_istio_document(node) && !has_a_kind_of_kuma(node)) {
    const bool well = IstioDocumentShape{}.read(node, document.istio.emplace(), what, problems);
    into.push_back(std::move(document));
    return well;
  }
  document.kubernetes = node.find("kind") != nullptr || node.find("apiVersion") != nullptr;
  const char* const key = document.kubernetes ? "kind" : "type";
  const documents::Member* const kind = node.find(key);
  if (kind == nullptr && document.kubernetes) {
    problems.error("SP021", node.span, "missing key `kind`", "has no `kind`");
    return false;
  }
  if (kind == nullptr) {
    missing_type(node, problems);
    return false;
  }
  document.kind.where = kind->value.span;
  document.kind.key = kind->key_span;
  document.kind.given = any_text.read(kind->value, document.kind.value, key, problems);
  if (!document.kind.given) {
    return false;
  }
  if (document.kubernetes && document.kind.value == "List") {
    return read_list(node, into, problems);
  }
  const std::size_t before = problems.size();
  if (find_passed_over(document.kind.value) == nullptr && !read_kind(node, document, problems, all_kinds)) {
    unknown_kind(document.kind, problems);
    return false;
  }
  document.clean = problems.size() == before;
  into.push_back(std::move(document));
  return true;
}

Schema KumaDocumentShape::schema(grammar::Definitions& definitions) const {
  if (definitions.find(schema_name) == definitions.end()) {
    definitions[schema_name] = {};  // before its parts, since a list contains documents
    std::vector<Schema> forms;
    add_schemas(forms, definitions, all_kinds);
    IstioDocumentShape::add_schemas(forms, definitions);
    forms.push_back(passed_over_schema("type", {"kind", "apiVersion"}));
    forms.push_back(passed_over_schema("kind", {}));
    forms.push_back(Record<KumaList>{}.schema(definitions));
    forms.push_back(file_schema());
    definitions[schema_name].any_of = std::move(forms);
  }
  Schema reference;
  reference.reference = schema_name;
  return reference;
}

}  // namespace spillway::messages
