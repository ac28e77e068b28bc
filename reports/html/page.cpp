#include "reports/html/page.hpp"

#include <fmt/format.h>

#include "models/envoy/routes/hash_policy.hpp"
#include "models/kuma/digest.hpp"
#include "reports/html/page_parts.hpp"
#include "reports/html/report.hpp"
#include "reports/text/escapes.hpp"

namespace spillway::reports::html {
namespace {

std::string hash_of(const std::string& text) {
  return fmt::format("'sha256-{}'", kuma::base64_sha256(text));
}

std::string script_element(const std::string& script) {
  return script.empty() ? "" : "<script>" + script + "</script>\n";
}

}  // namespace

std::string_view charts_version() {
  return bundled_charts_version();
}

std::string embedded_json(const Data& data) {
  // Escapes non-ASCII characters, including U+2028 and U+2029.
  const std::string plain = documents::ascii_text(data);
  std::string escaped;
  escaped.reserve(plain.size());
  for (const char character : plain) {
    switch (character) {
      case '<':
        escaped += "\\u003c";
        break;
      case '>':
        escaped += "\\u003e";
        break;
      case '&':
        escaped += "\\u0026";
        break;
      default:
        escaped += character;
    }
  }
  return escaped;
}

std::string page_of(const Page& page, std::string_view version) {
  const std::string style = page_style();
  const std::string charts = charts_script();
  const std::string script = page_script();
  const std::string scripts = (charts.empty() ? "" : hash_of(charts) + " ") + hash_of(script);
  const std::string policy = fmt::format(
      "default-src 'none'; script-src {}; style-src {}; base-uri 'none'; form-action 'none'", scripts, hash_of(style));
  return fmt::format(R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="spillway {}">
<title>{}</title>
<style>{}</style>
</head>
<body>
<main id="page"></main>
<noscript>
<h1>{}</h1>
<p>{}</p>
<pre>{}</pre>
</noscript>
<script type="application/json" id="data">{}</script>
{}{}</body>
</html>
)",
                     policy, html_escaped(version), html_escaped(page.title), style, html_escaped(page.title),
                     html_escaped(page.headline), html_escaped(page.text), embedded_json(page.data),
                     script_element(charts), script_element(script));
}

}  // namespace spillway::reports::html
