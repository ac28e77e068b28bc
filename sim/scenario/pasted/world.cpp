#include "sim/scenario/pasted/world.hpp"

#include <fmt/format.h>

#include "models/documents/json_writer.hpp"
#include "sim/scenario/pasted/kubernetes_world.hpp"
#include "sim/scenario/pasted/kuma_world.hpp"
#include "sim/scenario/pasted/pasted_documents.hpp"

namespace spillway::scenario::pasted {

World assume_world(PastedDocuments& documents, const Question& question) {
  return documents.family == Family::kuma ? kuma_world(documents, question) : kubernetes_world(documents, question);
}

std::string profile_text(const Question& question, const std::string& of, World& world) {
  const bool is_kuma = of == "kuma";
  const std::string name = is_kuma ? "Kuma" : "Istio";
  if (question.profile.empty()) {
    if (question.names_release) {
      world.assumed.push_back(is_kuma ? "Kuma 2.14: `--profile kuma=head` simulates the line of 3.0"
                                      : "Istio 1.31: `--profile istio=release-1.30` simulates the release before");
    }
    return "";
  }
  const std::size_t mark = question.profile.find('=');
  if (question.profile.substr(0, mark) != of) {
    world.problem = "`--profile " + question.profile + "` does not apply to documents of " + name;
    world.help =
        is_kuma ? "it takes kuma=release-2.14 and kuma=head" : "it takes istio=release-1.30 and istio=release-1.31";
  }
  return fmt::format("profile: {{ {}: {} }}\n", of, question.profile.substr(mark + 1));
}

std::string quoted_text(const std::string& text) {
  return documents::JsonText(text).text();
}

std::string number_text(double number) {
  return fmt::format("{:.6g}", number);
}

}  // namespace spillway::scenario::pasted
