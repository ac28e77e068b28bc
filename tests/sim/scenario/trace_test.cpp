#include "sim/scenario/binding/trace.hpp"

#include <catch2/catch.hpp>

using namespace std::chrono_literals;
using spillway::scenario::binding::read_trace;

TEST_CASE("a trace holds times in any order and clients in turn where it names none") {
  Diagnostics problems;
  const auto arrivals = read_trace("time,client\r\n2.5\n\n# a comment\n 0.000000001 , 3\n1\n1,2\n", 1, 3, problems);
  CHECK(problems.empty());
  REQUIRE(arrivals.size() == 4);
  CHECK((arrivals[0].at == 1ns && arrivals[0].client == 2));
  CHECK((arrivals[1].at == 1s && arrivals[1].client == 2));
  CHECK((arrivals[2].at == 1s && arrivals[2].client == 1));
  CHECK((arrivals[3].at == 2500ms && arrivals[3].client == 0));
}

TEST_CASE("every line that is no arrival is reported where it stands") {
  for (const char* const line : {"-1", "+1", "1e5", "0x10", "1.", ".5", "1.0000000001", "1000000000", "1,", "1,0",
                                 "1,4", "1,-1", "1,2,3", "nan", "time,user", "1 2"}) {
    Diagnostics problems;
    CHECK(read_trace(std::string("0\n") + line + "\n1\n", 7, 3, problems).size() == 2);
    REQUIRE(problems.size() == 1);
    CHECK(problems[0].code == "SP144");
    CHECK(problems[0].where.file == 7);
    CHECK(problems[0].where.line == 2);
  }
  Diagnostics many;
  CHECK(read_trace(std::string(1000, '\n') + std::string(2000, 'x') + "\n", 0, 1, many).empty());
  CHECK(many.size() == 1);
}

TEST_CASE("a trace may begin with a byte order mark, and another header than its own is told the right one") {
  Diagnostics problems;
  CHECK(read_trace("\xEF\xBB\xBFtime\n1\n", 0, 1, problems).size() == 1);
  CHECK(problems.empty());
  CHECK(read_trace("timestamp\n1\n", 0, 1, problems).size() == 1);
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].label.find("`time,client`") != std::string::npos);
}
