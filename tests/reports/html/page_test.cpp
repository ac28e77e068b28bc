#include "reports/html/page.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "models/kuma/digest.hpp"
#include "reports/html/page_parts.hpp"
#include "reports/html/report.hpp"

using namespace spillway;
using namespace spillway::reports;

namespace {

std::size_t times(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

}  // namespace

TEST_CASE("data of a page end neither their element nor a line of JavaScript, and read back as they were") {
  const std::string hostile = "</script><!-- <script> & \xE2\x80\xA8 \xE2\x80\xA9 ]]> '\"\\";
  const std::string text = html::embedded_json({{"name", hostile}});
  for (const char* part : {"<", ">", "&", "\xE2"}) {
    CHECK(text.find(part) == std::string::npos);
  }
  CHECK(text.find("\\u003c/script\\u003e") != std::string::npos);
  CHECK(text.find("\\u2028") != std::string::npos);
  CHECK(nlohmann::json::parse(text)["name"] == hostile);
  // What is no UTF-8 must not throw.
  CHECK(html::embedded_json({{"name", "\xFF"}}) == R"({"name":"\ufffd"})");
}

TEST_CASE("the texts of a page outside its data are escaped") {
  const std::string text =
      html::page_of({.title = "</title><b>", .headline = "<i>", .text = "</pre></noscript><u>", .data = {}}, "1\"2");
  CHECK(times(text, "&lt;/title&gt;&lt;b&gt;") == 2);
  CHECK(times(text, "<p>&lt;i&gt;</p>") == 1);
  CHECK(times(text, "<pre>&lt;/pre&gt;&lt;/noscript&gt;&lt;u&gt;</pre>") == 1);
  CHECK(times(text, "content=\"spillway 1&quot;2\"") == 1);
  CHECK(times(text, "</noscript>") == 1);
}

// https://www.w3.org/TR/CSP3/#grammardef-hash-source: the base64 of the digest of the element's text.
TEST_CASE("the policy names the page's scripts and style by their hashes and nothing else") {
  const std::string text = html::page_of({}, "1");
  const std::size_t begin = text.find("content=\"default-src") + 9;
  const std::string policy = text.substr(begin, text.find('"', begin) - begin);
  const auto source = [](const std::string& of) { return "'sha256-" + kuma::base64_sha256(of) + "'"; };
  const std::string charts = html::charts_script();
  CHECK(policy == "default-src 'none'; script-src " + (charts.empty() ? "" : source(charts) + " ") +
                      source(html::page_script()) + "; style-src " + source(html::page_style()) +
                      "; base-uri 'none'; form-action 'none'");
  CHECK(times(text, "<script>" + html::page_script() + "</script>") == 1);
  CHECK(times(text, "<style>" + html::page_style() + "</style>") == 1);
  CHECK(times(text, "</script>") == (charts.empty() ? 2 : 3));
  CHECK(charts.empty() == html::charts_version().empty());
}

TEST_CASE("what is bundled keeps its notices, and asks no network") {
  if (const std::string charts = html::charts_script(); !charts.empty()) {
    CHECK(times(charts, "The Apache Software Foundation (https://www.apache.org/)") == 1);
    CHECK(times(charts, "Redistribution and use in source and binary forms") >= 1);
    CHECK(charts.size() < 700'000);
  }
  for (const char* word : {"fetch(", "XMLHttpRequest", "innerHTML", "eval(", "new Function", "import("}) {
    CHECK(times(html::page_script(), word) == 0);
  }
}
