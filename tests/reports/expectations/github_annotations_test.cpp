// GitHub's toolkit escapes % and line ends in messages, and : and , in properties too.
#include "reports/expectations/github_annotations.hpp"

#include <catch2/catch.hpp>

#include "sim/study/verdict.hpp"

using namespace spillway;
using namespace spillway::reports;

TEST_CASE("a diagnostic is an annotation at its line, with its notes") {
  const Diagnostic error{Severity::error,        "SP104",         "unknown zone `zone-4`",   {0, 10, 28, 6},
                         "no zone of this name", {"there are 2"}, {"did you mean `zone-1`?"}};
  const Diagnostic warning{Severity::warning, "SP201", "rounded", {0, 3, 1, 1}, "", {}, {}};
  CHECK(github_annotations({error, warning}, {{"a.yaml", ""}}) ==
        "::error file=a.yaml,line=10,col=28,title=SP104::unknown zone `zone-4`: no zone of this name%0Anote: there are "
        "2%0Ahelp: did you mean `zone-1`?\n"
        "::warning file=a.yaml,line=3,col=1,title=SP201::rounded\n");
}

TEST_CASE("a failed expectation and one that was not tested are errors, and one that holds is nothing") {
  Verdict fails{study::Verdict::missed, "table", {}, "", {0, 1, 1, 1}};
  Failure failure;
  failure.message = "P0 is 30 %, expected 31 %";
  failure.where = {0, 7, 12, 3};
  fails.failures.push_back(failure);
  const Verdict untested{study::Verdict::unknown, "always", {}, "nothing is sent", {0, 9, 5, 1}};
  const Verdict holds{study::Verdict::met, "fine", {}, "", {}};
  CHECK(github_annotations({fails, untested, holds}, {{"a,b:c%.yaml", ""}}) ==
        "::error file=a%2Cb%3Ac%25.yaml,line=7,col=12,title=expectation failed::P0 is 30 %25, expected 31 %25\n"
        "::error file=a%2Cb%3Ac%25.yaml,line=9,col=5,title=expectation not tested::always: not tested: nothing is "
        "sent\n");
}
