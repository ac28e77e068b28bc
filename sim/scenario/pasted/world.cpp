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

std::string quoted_text(const std::string& text) {
  return documents::JsonText(text).text();
}

std::string number_text(double number) {
  return fmt::format("{:.6g}", number);
}

}  // namespace spillway::scenario::pasted
