#include "grasp/base/io/request.hpp"

#include <catch2/catch.hpp>

namespace graspmap {
namespace {

/// What was given, without a command.
class GivenValues final : public RequestValues {
 public:
  GivenValues(bool typed, std::initializer_list<std::pair<const char*, Value>> values) {
    typed_ = typed;
    for (const auto& [name, value] : values) given_[name] = {value, "GIVEN"};
  }
  [[noreturn]] void raise(const RequestError& error) const override {
    throw std::invalid_argument(error.what());
  }
};

enum class Kind { kRound, kSquare };

struct Request {
  double size_mm = 1.5;
  std::optional<double> angle_rad;
  std::optional<std::array<double, 2>> sigma_mm;
  std::vector<double> place;
  std::optional<std::array<double, 2>> range;
  int trials = 7;
  Kind kind = Kind::kRound;
  bool simulate = false;
  std::vector<std::string> with;
  std::string file;

  RequestFields fields() {
    return {number_field("size-mm S", size_mm, kAboveZero, "how large"),
            number_field("angle-rad A", angle_rad, {"an angle below 2", 0.0, 2.0, false, true}, ""),
            pair_field("sigma-mm X,Y", sigma_mm, ""),
            numbers_field("place X,Y[,T]", place, "X,Y or X,Y,T", so_many(2, 3), ""),
            numbers_field("range A,B", range, "A,B", so_many(2, 2), ""),
            count_field("trials N", trials, 1, 10, ""),
            word_field("kind K", kind, {"round", "square"}, ""),
            flag_field("simulate", simulate, ""),
            words_field("with LIST", with, ""),
            text_field("file FILE", file, "")};
  }
};

Request read(bool typed, std::initializer_list<std::pair<const char*, Value>> values) {
  Request request;
  read_request(GivenValues(typed, values), request.fields());
  return request;
}

TEST_CASE("a request keeps the defaults of what was not given", "[request]") {
  const Request request = read(true, {});
  CHECK(request.size_mm == 1.5);
  CHECK_FALSE(request.angle_rad);
  CHECK(request.trials == 7);
  CHECK(request.kind == Kind::kRound);
}

TEST_CASE("texts of a command line and values of Python fill the same request", "[request]") {
  const Request typed = read(true, {{"size-mm", "2.5"},
                                    {"angle-rad", "0"},
                                    {"sigma-mm", "3"},
                                    {"place", "1,-2,0.5"},
                                    {"range", "0.1,0.2"},
                                    {"trials", "9"},
                                    {"kind", "square"},
                                    {"simulate", true},
                                    {"with", "a,b"},
                                    {"file", "x.csv"}});
  const Request called = read(false, {{"size-mm", 2.5},
                                      {"angle-rad", 0},
                                      {"sigma-mm", 3.0},
                                      {"place", std::vector{1.0, -2.0, 0.5}},
                                      {"range", std::vector{0.1, 0.2}},
                                      {"trials", 9},
                                      {"kind", "square"},
                                      {"simulate", true},
                                      {"with", std::vector<std::string>{"a", "b"}},
                                      {"file", "x.csv"}});
  for (const Request& request : {typed, called}) {
    CHECK(request.size_mm == 2.5);
    CHECK(request.angle_rad == 0.0);
    CHECK(request.sigma_mm == std::array{3.0, 3.0});
    CHECK(request.place == std::vector{1.0, -2.0, 0.5});
    CHECK(request.range == std::array{0.1, 0.2});
    CHECK(request.trials == 9);
    CHECK(request.kind == Kind::kSquare);
    CHECK(request.simulate);
    CHECK(request.with == std::vector<std::string>{"a", "b"});
    CHECK(request.file == "x.csv");
  }
}

TEST_CASE("a field that is not as it must be is named with what is allowed", "[request]") {
  const auto refused = [](const char* name, const Value& value, bool typed = true) {
    try {
      read(typed, {{name, value}});
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(refused("size-mm", "0") == "--size-mm: GIVEN; must be a number > 0");
  CHECK(refused("size-mm", "1e-9").empty());
  CHECK(refused("size-mm", "nan") == "--size-mm: GIVEN; must be a number > 0");
  CHECK(refused("angle-rad", "2") == "--angle-rad: GIVEN; must be an angle below 2");
  CHECK(refused("angle-rad", "1.999").empty());
  CHECK(refused("sigma-mm", "1,2,3") ==
        "--sigma-mm: GIVEN; must be one or two numbers >= 0: SX,SY (mm)");
  CHECK(refused("place", "1") == "--place: GIVEN; must be X,Y or X,Y,T");
  CHECK(refused("range", "1,2,3") == "--range: GIVEN; must be A,B");
  CHECK(refused("trials", "11") == "--trials: GIVEN; must be a whole number from 1 to 10");
  CHECK(refused("trials", 2.0, false) == "--trials: GIVEN; must be a whole number from 1 to 10");
  CHECK(refused("kind", "oval") == "--kind: GIVEN; must be round or square");
  CHECK(refused("size-mm", "1", false) == "--size-mm: GIVEN; must be a number > 0");
}

TEST_CASE("a request error has fields, and the command line's sentence of them", "[request]") {
  const RequestError error("points", "has 2 points", "3 to 16");
  CHECK(error.option == "points");
  CHECK(error.problem == "has 2 points");
  CHECK(error.allowed == "3 to 16");
  CHECK(std::string(error.what()) == "--points: has 2 points; must be 3 to 16");
  CHECK(std::string(RequestError("at", "", "X,Y (mm)").what()) == "--at: must be X,Y (mm)");
  CHECK(std::string(RequestError("learn", "needs --to-width W").what()) ==
        "--learn: needs --to-width W");
  const RequestError of_none("give --at X,Y");
  CHECK(of_none.option.empty());
  CHECK(of_none.problem == of_none.what());
}

}  // namespace
}  // namespace graspmap
