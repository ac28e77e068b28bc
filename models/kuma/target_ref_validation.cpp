#include "models/kuma/target_ref_validation.hpp"

#include <algorithm>

namespace spillway::kuma {

namespace {

bool is_set(const std::optional<std::string>& text) {
  return text && !text->empty();
}
template <class Container>
bool is_set(const std::optional<Container>& container) {
  return container && !container->empty();
}

bool consists_of(std::string_view text, std::string_view punctuation, bool capitals) {
  return std::all_of(text.begin(), text.end(), [=](char character) {
    return (character >= '0' && character <= '9') || (character >= 'a' && character <= 'z') ||
           (capitals && character >= 'A' && character <= 'Z') || punctuation.find(character) != std::string_view::npos;
  });
}

// Checks one reference, in Kuma's order.
class TargetRefValidator {
 public:
  TargetRefValidator(const TargetRef& target, const std::string& path, bool inbound, std::vector<Violation>& violations)
      : target_(target), path_(path), kind_(value_of(target.kind)), inbound_(inbound), violations_(violations) {}

  void head() {
    if (kind_ == "Mesh") {
      disallow("labels", target_.labels);
      disallow("sectionName", target_.sectionName);
    } else if (kind_ == "Dataplane") {
      dataplane_section();
    } else {
      if (kind_ == "MeshHTTPRoute" || kind_ == "MeshExternalService") {
        disallow("sectionName", target_.sectionName);
      }
      if (!is_set(target_.labels)) {
        add("labels", "must be set when kind is " + kind_);
      }
    }
  }

  void release() {
    if (kind_ == "Mesh") {
      release_mesh();
    } else if (kind_ == "Dataplane") {
      disallow("tags", target_.tags);
      disallow("mesh", target_.mesh);
      disallow("proxyTypes", target_.proxyTypes);
      labels_or_name();
      dataplane_section();
    } else if (kind_ == "MeshSubset") {
      release_mesh_subset();
    } else if (kind_ == "MeshService" || kind_ == "MeshHTTPRoute") {
      release_service();
    } else if (kind_ == "MeshServiceSubset" || kind_ == "MeshGateway") {
      release_service_subset();
    }
  }

 private:
  void add(const std::string& field, std::string message) {
    violations_.push_back({field.empty() ? path_ : path_ + "." + field, std::move(message)});
  }

  template <class Value>
  void disallow(const std::string& field, const std::optional<Value>& value) {
    if (is_set(value)) {
      add(field, "must not be set with kind " + kind_);
    }
  }

  void dataplane_section() {
    if (!inbound_ && is_set(target_.sectionName)) {
      add("sectionName", "can only be used with inbound policies");
    }
  }

  void labels_or_name() {
    if (is_set(target_.labels) && (is_set(target_.name) || is_set(target_.namespace_))) {
      add("labels", "either labels or name and namespace must be specified");
    }
  }

  void proxy_types() {
    if (target_.proxyTypes && target_.proxyTypes->empty()) {
      add("proxyTypes", "must be undefined or have at least one element");
    }
  }

  void name_characters() {
    if (!consists_of(value_of(target_.name), ".-_", false)) {
      add("name", "invalid characters: must consist of lower case alphanumeric characters, '-', '.' and '_'.");
    }
  }

  void release_mesh() {
    if (is_set(target_.name)) {
      add("name", "using name with kind " + kind_ + " is not yet supported");
    }
    disallow("mesh", target_.mesh);
    disallow("tags", target_.tags);
    disallow("labels", target_.labels);
    disallow("namespace", target_.namespace_);
    disallow("sectionName", target_.sectionName);
    proxy_types();
  }

  void release_mesh_subset() {
    disallow("name", target_.name);
    disallow("mesh", target_.mesh);
    tags(".-_:", "tag value must consist of alphanumeric characters, dots, dashes and underscores");
    disallow("labels", target_.labels);
    disallow("namespace", target_.namespace_);
    disallow("sectionName", target_.sectionName);
    proxy_types();
  }

  void release_service() {
    name_characters();
    disallow("mesh", target_.mesh);
    disallow("tags", target_.tags);
    disallow("proxyTypes", target_.proxyTypes);
    if (kind_ == "MeshHTTPRoute") {
      disallow("sectionName", target_.sectionName);
    }
    if (!is_set(target_.labels) && !is_set(target_.name)) {
      add("", "name or labels must be set when kind is " + kind_);
    }
    labels_or_name();
  }

  void release_service_subset() {
    if (!is_set(target_.name)) {
      add("name", "must be set when kind is " + kind_);
    }
    name_characters();
    disallow("mesh", target_.mesh);
    disallow("proxyTypes", target_.proxyTypes);
    tags(".-_:/*",
         "tag value must consist of alphanumeric characters, dots, dashes, slashes and underscores or be \"*\"");
    disallow("labels", target_.labels);
    disallow("namespace", target_.namespace_);
    disallow("sectionName", target_.sectionName);
  }

  // Checks the tags. The "*" of a selector must be the whole value.
  void tags(std::string_view punctuation, const std::string& value_message) {
    for (const auto& [key, value] : target_.tags.value_or(Tags{})) {
      const std::string field = "tags[\"" + key + "\"]";
      if (key.empty()) {
        add("tags", "tag name must be non-empty");
      }
      if (!consists_of(key, ".-_:/", true)) {
        add(field, "tag name must consist of alphanumeric characters, dots, dashes, slashes and underscores");
      }
      if (value.empty()) {
        add(field, "tag value must be non-empty");
      }
      const bool misplaced_star = value.find('*') != std::string::npos && value != "*";
      if (!consists_of(value, punctuation, true) || misplaced_star) {
        add(field, value_message);
      }
    }
  }

  const TargetRef& target_;
  const std::string& path_;
  std::string kind_;
  bool inbound_;
  std::vector<Violation>& violations_;
};

}  // namespace

void validate_target_ref(const TargetRef& target, const std::string& path, const TargetRefRules& rules,
                         std::vector<Violation>& violations) {
  const std::string_view kind = value_of(target.kind);
  if (kind.empty()) {
    violations.push_back({path + ".kind", "must be defined"});
    return;
  }
  if (std::find(rules.supported_kinds.begin(), rules.supported_kinds.end(), kind) == rules.supported_kinds.end()) {
    violations.push_back({path + ".kind", rules.unsupported_kind.empty()
                                              ? "value '" + std::string(kind) + "' is not supported"
                                              : rules.unsupported_kind});
    return;
  }
  TargetRefValidator validator(target, path, rules.inbound, violations);
  if (rules.profile == config::KumaProfile::head) {
    validator.head();
  } else {
    validator.release();
  }
}

}  // namespace spillway::kuma
