#include "sim/scenario/pasted/pasted_text.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

using spillway::scenario::pasted::clean_text;

TEST_CASE("Fenced blocks with documents stay at their lines, and prose around them goes") {
  const std::string text =
      "Hi, my rule does nothing:\n"
      "```yaml\n"
      "kind: DestinationRule\n"
      "```\n"
      "and this is the log:\n"
      "```\n"
      "some output: of a program\n"
      "```\n"
      "Thanks!";
  CHECK(clean_text(text).text == "\n---\nkind: DestinationRule\n\n\n\n\n\n");
}

TEST_CASE("Lines of a shell around a document that is piped into kubectl go") {
  const std::string text = "$ kubectl apply -f - <<EOF\nkind: Service\nspec: {}\nEOF\n$ kubectl get svc";
  CHECK(clean_text(text).text == "---\nkind: Service\nspec: {}\n---\n");
}

TEST_CASE("A document in the quotes of echo is taken out of them") {
  CHECK(clean_text("echo \"kind: Service\nspec:\n  name: a\" | kubectl apply -f -").text ==
        "kind: Service\nspec:\n  name: a");
  CHECK(clean_text("  echo 'kind: Service\n  spec: {}\n  ' | kubectl apply -f -").text ==
        "  kind: Service\n  spec: {}\n  ");
  CHECK(clean_text("echo \"a word\"").text == "echo \"a word\"");
}

TEST_CASE("Marks of quotation become spaces") {
  CHECK(clean_text("> kind: Service\n> spec:\n>   ports: []").text == "  kind: Service\n  spec:\n    ports: []");
}

TEST_CASE("Values that YAML cannot read, since something was taken out, become a placeholder") {
  const auto cleaned = clean_text("host: ***\nport: {{ .Values.port }}\nhosts:\n- *.example.com\nname: web");
  CHECK(cleaned.text == "host: redacted\nport: $(values-port)\nhosts:\n- \"*.example.com\"\nname: web");
  CHECK(cleaned.redactions == 1);
  CHECK(cleaned.is_template);
}

TEST_CASE("Cleaning keeps the number of lines of any text") {
  for (const std::string& text :
       std::vector<std::string>{"", "\n\n", "```", "```\n```\n```", "> a\nb\n", "x <<EOF\n", "a: 1\n...\nb: 2\n"}) {
    CAPTURE(text);
    const std::string cleaned = clean_text(text).text;
    CHECK(std::count(cleaned.begin(), cleaned.end(), '\n') == std::count(text.begin(), text.end(), '\n'));
  }
}

TEST_CASE("Of a diff the new side is read, in its lines") {
  const auto cleaned = clean_text(
      "diff --git a/a.yaml b/a.yaml\n--- a/a.yaml\n+++ b/a.yaml\n@@ -1,2 +1,2 @@\n kind: Service\n-spec: {}\n+spec: { "
      "a: 1 "
      "}");
  CHECK(cleaned.is_diff);
  CHECK(cleaned.text == "\n\n---\n\nkind: Service\n\nspec: { a: 1 }");
  CHECK_FALSE(clean_text("kind: Service").is_diff);
}

TEST_CASE("Of a template of Helm the first branches and the defaults are read, in its lines") {
  CHECK(
      clean_text("{{- if .Values.a }}\nkind: {{ .Values.kind | default \"Service\" }}\n{{- else }}\nkind: Pod\n{{- end "
                 "}}\nname: {{ include \"app.name\" . }}-x\n{{/* a comment */}}\nlast: 1")
          .text == "\nkind: Service\n\n\n\nname: $(include-app-name)-x\n\nlast: 1");
  CHECK(clean_text("port: { number: {{ .Values.p }} }").text == "port: { number: $(values-p) }");
  CHECK(clean_text("a: {{ if .Values.x }}1{{ else }}2{{ end }}").text == "a: 1");
}

TEST_CASE("Sentences around documents are left out") {
  CHECK(clean_text("Hello, istio 1.30: what happens?\n\nkind: Service\nspec: {}\nThanks a lot").text ==
        "---\n\nkind: Service\nspec: {}\n");
}

TEST_CASE("A block of a diff without its head is read") {
  const auto cleaned = clean_text(" kind: Service\n-spec: {}\n+spec: { a: 1 }");
  CHECK(cleaned.is_diff);
  CHECK(cleaned.text == "kind: Service\n\nspec: { a: 1 }");
  CHECK_FALSE(clean_text("kind: Service\nports:\n- a").is_diff);
}
