// Pages of docs/diagnostics: well-formed, embedded byte for byte, and listed in docs/diagnostics.md.
#include "models/documents/diagnostic_pages.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

using namespace spillway::documents;

namespace {

std::string file_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string fault_of(std::string_view page) {
  const auto parsed = parse_diagnostic_page(page);
  const auto* const fault = std::get_if<std::string>(&parsed);
  return fault == nullptr ? "" : *fault;
}

// Returns the text of docs/diagnostics.md.
std::string index_of_codes() {
  std::string text =
      "# Diagnostics\n\n"
      "Every error and warning of `spillway` has a code that stays the same from version to version: SP0xx is about "
      "the file and its\nsyntax or structure, SP1xx about what it means, SP2xx and SP750 to SP789 are lints "
      "(warnings), SP3xx is what is not supported yet,\nSP4xx what cannot be exported, SP6xx Kuma's and Istio's "
      "documents, SP9xx the command line.\n`spillway help CODE` prints the page of a code.\n";
  std::string hundred;
  for (const DiagnosticCode& entry : diagnostic_codes()) {
    if (!entry.code.starts_with(hundred) || hundred.empty()) {
      hundred = entry.code.substr(0, 3);
      text += "\n## " + hundred + "xx\n\n";
    }
    text += "- [" + entry.code + "](diagnostics/" + entry.code + ".md): " + entry.title + "\n";
  }
  return text;
}

}  // namespace

TEST_CASE("Every page of a diagnostic is well-formed", "[diagnostics]") {
  for (const std::string_view page : diagnostic_page_texts()) {
    INFO(page);
    CHECK(fault_of(page).empty());
  }
  const auto codes = diagnostic_codes();
  CHECK(codes.size() == diagnostic_page_texts().size());
  CHECK(codes.size() > 250);
  const auto not_before = [](const DiagnosticCode& a, const DiagnosticCode& b) { return a.code >= b.code; };
  CHECK(std::adjacent_find(codes.begin(), codes.end(), not_before) == codes.end());
  for (const DiagnosticCode& entry : codes) {
    INFO(entry.code);
    CHECK(find_diagnostic_code(entry.code) == &entry);
    CHECK(entry.title.size() > 5);
    CHECK(entry.paragraph.size() > 20);
  }
}

TEST_CASE("The build embeds the pages as they are", "[diagnostics]") {
  const std::string folder = SPILLWAY_SOURCE_DIR "/docs/diagnostics";
  std::vector<std::string> files;
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    files.push_back(file.path().string());
  }
  std::sort(files.begin(), files.end());
  const auto pages = diagnostic_page_texts();
  REQUIRE(files.size() == pages.size());
  for (std::size_t at = 0; at < files.size(); ++at) {
    INFO(files[at]);
    CHECK(file_text(files[at]) == pages[at]);
  }
}

TEST_CASE("The index of the codes is made of their pages", "[diagnostics]") {
  const std::string path = SPILLWAY_SOURCE_DIR "/docs/diagnostics.md";
  if (std::getenv("SPILLWAY_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(path) << index_of_codes();
  }
  CHECK(file_text(path) == index_of_codes());
}

TEST_CASE("A code is explained whatever the case of its letters", "[diagnostics]") {
  CHECK(explain_diagnostic_code("sp116") ==
        "SP116: a client without requests\n\nThe rate of a workload must be above 0, and so must one of its "
        "phases.\n\nWrong:\n\n"
        "  clients: [{ name: shop, zone: a, workload: { service: cart, rate: 0rps } }]\n\nRight:\n\n"
        "  clients: [{ name: shop, zone: a, workload: { service: cart, rate: 1rps } }]\n");
  CHECK(explain_diagnostic_code("SP999").empty());
  CHECK(find_diagnostic_code("") == nullptr);
}

TEST_CASE("Lines and escapes of Markdown are not part of a text", "[diagnostics]") {
  const auto parsed = parse_diagnostic_page(
      "# SP104: a \\<zone>\n\nOne line\nand \\*another\\*, `\\*` and \\u0007.\n\nA second paragraph.\n\n"
      "Wrong (a file):\n\n```yaml\na: \\*b\n\n```\n\nRight:\n\n```yaml\n\n```\n");
  const auto* const code = std::get_if<DiagnosticCode>(&parsed);
  REQUIRE(code != nullptr);
  CHECK(code->code == "SP104");
  CHECK(code->title == "a <zone>");
  CHECK(code->paragraph == "One line and *another*, `\\*` and \\u0007.\n\nA second paragraph.");
  CHECK(code->scenario.empty());
  CHECK(code->of == ExampleKind::file);
  CHECK(code->wrong == "a: \\*b\n\n");
  CHECK(code->right == "\n");
}

TEST_CASE("A malformed page is refused with a reason", "[diagnostics]") {
  const std::string head = "# SP104: an unknown zone\n\nIts name.\n";
  CHECK(fault_of(head).empty());
  CHECK(fault_of("").starts_with("the first line is not"));
  CHECK(fault_of("# SP14: an unknown zone\n\nIts name.\n").starts_with("the first line is not"));
  CHECK(fault_of("# SP104: \n\nIts name.\n").starts_with("the first line is not"));
  CHECK(fault_of("# SP104: an unknown zone\n") == "no paragraph below the heading");
  CHECK(fault_of(head + "\n```yaml\na: b\n```\n").starts_with("a block without one of the labels"));
  CHECK(fault_of(head + "\n## More\n").starts_with("a block without one of the labels"));
  CHECK(fault_of(head + "\nWrong:\n\n```yaml\na: b\n```\n").starts_with("no `Wrong (KIND):`"));
  CHECK(fault_of(head + "\nRight:\n\n```yaml\na: b\n```\n").starts_with("no `Wrong (KIND):`"));
  CHECK(fault_of(head + "\nWrong (a file):\n\na: b\n") == "no fenced block below Wrong (a file):");
  CHECK(fault_of(head + "\nWrong (a file):\n\n```yaml\n```\n").starts_with("an empty or unclosed block"));
  CHECK(fault_of(head + "\nWrong (a file):\n\n```yaml\na: b\n").starts_with("an empty or unclosed block"));
  const std::string wrong = "\nWrong (a file):\n\n```yaml\na: b\n```\n";
  CHECK(fault_of(head + wrong) == "no `Right:`: ");
  CHECK(fault_of(head + wrong + "\nRight:\n\n```yaml\na: c\n```\n").empty());
  CHECK(fault_of(head + wrong + "\nRight:\n\n```yaml\na: c\n```\n\nMore.\n").starts_with("nothing may follow"));
  CHECK(fault_of(head + "\nWrong (a part of this scenario):\n\n```yaml\na: b\n```\n").starts_with("a part of"));
}

TEST_CASE("Long paragraphs of a page are printed in lines of 100 columns", "[diagnostics]") {
  for (const DiagnosticCode& entry : diagnostic_codes()) {
    const std::string text = explain_diagnostic_code(entry.code);
    const std::string_view paragraph = std::string_view(text).substr(0, text.find("\n\n", text.find("\n\n") + 2));
    for (std::size_t begin = 0; begin < paragraph.size();) {
      const std::size_t end = std::min(paragraph.find('\n', begin), paragraph.size());
      INFO(entry.code);
      CHECK(end - begin <= 100);
      begin = end + 1;
    }
  }
}
