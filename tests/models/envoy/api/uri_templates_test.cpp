// Path templates, as a real Envoy 1.40 takes or refuses them (--mode validate).
#include "models/envoy/api/uri_templates.hpp"

#include <catch2/catch.hpp>

namespace spillway::api {

TEST_CASE("path templates that Envoy takes have no fault") {
  for (const char* const right :
       {"/",       "/a/",      "/*",           "/**",        "/a/**/b",   "/a/*b",     "/a/***",
        "/a/b*",   "/a**",     "/a/{b}",       "/a/{b}c",    "/{b}*",     "/{b}/",     "/**/",
        "/{b=**}", "/{b=*}/c", "/{b=x*}",      "/{b=c/*}/d", "/{b=**}/c", "/{b=**/c}", "/a/**.txt",
        "/**/x*",  "/a*/b",    "/{b=a.b-c~d}", "/{b=*}/**",  "/{a_b}",    "/a/*/b/**"}) {
    INFO(right);
    CHECK(fault_of_path_template(right).empty());
  }
}

TEST_CASE("path templates that Envoy refuses have a fault") {
  for (const char* const wrong : {"",           "a",           "//",
                                  "/a//b",      "/a/{b}/{b}",  "/{a}/{b}/{c}/{d}/{e}/{f}",
                                  "/**/**",     "/**/*",       "/**/{b}",
                                  "/{a=**}/**", "/{b=c/**}/*", "/a/{1b}",
                                  "/a/{b",      "/a/{b}}",     "/{b}{c}",
                                  "/a b",       "/a?b",        "/a|b",
                                  "/{b=}",      "/{b=/c}",     "/{b=c/}",
                                  "/{b=c//d}",  "/{b=*.txt}",  "/**x/y",
                                  "/*x/y",      "/a/**/b/{c}", "/{b=**}/{c=**}",
                                  "/{b-c}",     "/a{",         "/{aaaaaaaaaaaaaaaaa}"}) {
    INFO(wrong);
    CHECK_FALSE(fault_of_path_template(wrong).empty());
  }
}

}  // namespace spillway::api
