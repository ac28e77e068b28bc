#include "sim/scenario/pasted/pasted_text.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

using spillway::documents::WhyLeftOut;
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
  CHECK(clean_text(text).text == "\n---\nkind: DestinationRule\n---\n\n---\n\n---\n");
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
  CHECK(clean_text("echo \"a word\"").left_out.size() == 1);
}

TEST_CASE("Marks of quotation become spaces") {
  CHECK(clean_text("> kind: Service\n> spec:\n>   ports: []").text == "  kind: Service\n  spec:\n    ports: []");
}

TEST_CASE("Values that YAML cannot read, since something was taken out, are put into quotes as they were written") {
  CHECK(clean_text("host: ***\nport: {{ .Values.port }}\nhosts:\n- *.example.com\nname: web").text ==
        "host: '***'\nport: '{{ .Values.port }}'\nhosts:\n- '*.example.com'\nname: web");
  CHECK(clean_text("port: { number: {{ .Values.p }}, name: {{ .Values.n | quote }} }  # it's free").text ==
        "port: { number: '{{ .Values.p }}', name: '{{ .Values.n | quote }}' }  # it's free");
  CHECK(clean_text("labels:\n  {{ .Values.key }}: {{ default \"it's\" .Values.v }}").text ==
        "labels:\n  '{{ .Values.key }}': '{{ default \"it''s\" .Values.v }}'");
}

TEST_CASE("Of a template's branches the first stays, and its other lines are named") {
  const auto cleaned = clean_text(
      "{{- if .Values.on }}\nkind: Service\nspec:\n  {{- if .Values.a }}\n  a: 1\n  {{- else if .Values.b }}\n"
      "  {{- if .Values.c }}\n  c: 3\n  {{- end }}\n  b: 2\n  {{- else }}\n  d: 4\n  {{- end }}\n"
      "  {{- include \"labels\" . | nindent 4 }}\n{{- end }}");
  CHECK(cleaned.is_template);
  CHECK(cleaned.text == "\nkind: Service\nspec:\n\n  a: 1\n\n\n\n\n\n\n\n\n\n");
  std::vector<std::uint32_t> lines;
  for (const auto& part : cleaned.left_out) {
    CHECK(part.why == WhyLeftOut::template_);
    lines.push_back(part.line);
  }
  CHECK(lines == std::vector<std::uint32_t>{8, 10, 12, 14});
}

TEST_CASE("Sentences go, whatever they end in, and one between two documents separates them") {
  const auto cleaned = clean_text(
      "Hello, istio 1.30: what happens?\n\napiVersion: v1\nkind: Service\nspec: {}\n\nand there is\nkind: Pod\n"
      "spec: {}\n\nAny ideas\n- I have tried the other one\nuser@host:~$ kubectl get pods");
  CHECK(cleaned.text == "\n\napiVersion: v1\nkind: Service\nspec: {}\n\n---\nkind: Pod\nspec: {}\n\n\n\n");
  CHECK(cleaned.left_out.size() == 5);
}

TEST_CASE("A line without a colon is no sentence, and a last word that breaks off is named") {
  for (const std::string& line : std::vector<std::string>{"kind Service", "lb_policy RING_HASH", "maxRetries=3"}) {
    CAPTURE(line);
    CHECK(clean_text("apiVersion: v1\n" + line).text == "apiVersion: v1\n" + line);
    CHECK(clean_text("spec:\n  a: 1\n  " + line).text == "spec:\n  a: 1\n  " + line);
  }
  const auto cut = clean_text("spec:\n  host: a\n  baseEjec\n");
  CHECK(cut.text == "spec:\n  host: a\n\n");
  REQUIRE(cut.left_out.size() == 1);
  CHECK(cut.left_out.front().why == WhyLeftOut::ending);
  CHECK(cut.left_out.front().line == 3);
  CHECK(cut.left_out.front().text == "baseEjec");
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
  CHECK(cleaned.text == "\n\n---\n\n kind: Service\n\n spec: { a: 1 }");
  CHECK_FALSE(clean_text("kind: Service").is_diff);
}

TEST_CASE("A diff needs no hunks: each line has its mark") {
  const std::string diff = " kind: Service\n spec:\n-  a: 1\n+  a: 2\n";
  CHECK(clean_text(diff).text == " kind: Service\n spec:\n\n   a: 2\n");
  CHECK(clean_text("like this:\n```diff\n" + diff + "```\n").text == "\n---\n kind: Service\n spec:\n\n   a: 2\n---\n");
  CHECK(clean_text("+kind: Service\n+spec: {}").text == " kind: Service\n spec: {}");
  CHECK(clean_text(diff + "...\n--More--\n").left_out.size() == 2);
  for (const std::string& text : std::vector<std::string>{"kind: Service\nspec:\n- a: 1\n", "- a: 1\n- b: 2\n"}) {
    CAPTURE(text);
    CHECK_FALSE(clean_text(text).is_diff);
    CHECK(clean_text(text).text == text);
  }
}
