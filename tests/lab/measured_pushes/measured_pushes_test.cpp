#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include "lab/measured_pushes/push_spread.hpp"
#include "lab/measured_pushes/push_study.hpp"
#include "tests/support/config_error.hpp"
#include "tests/support/random.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace graspmap;
using namespace graspmap::testing;
using Catch::Matchers::Contains;

namespace {

constexpr double kLength_mm = 50.0;
constexpr const char* kShapes =
    "[plate]\ncentroid_mm = [5, 0]\nrho_mm = 50\n[[plate.piece]]\nname = \"plate\"\n"
    "outline_mm = [[-35, -30], [45, -30], [45, 30], [-35, 30]]\n";

/// Wrench and twist of an ellipsoid, about the frame's origin.
std::string pairs_text() {
  Eigen::Matrix3d A;
  A << 1.0, 0.1, 0.0, 0.1, 1.2, -0.2, 0.0, -0.2, 2.0;
  const EllipsoidSliding model(A);
  Random random(3);
  std::string text =
      "shape,surface,rho_mm,fx_n,fy_n,moment_over_rho_n,vx_mm_s,vy_mm_s,omega_times_rho_mm_s\n";
  for (int k = 0; k < 40; ++k) {
    Vec3 twist;
    for (double& speed : twist) speed = random.uniform(-1, 1);
    Vec3 wrench = model.wrench_of(twist);
    wrench[2] += cross(Vec2(5, 0), Vec2(wrench.head<2>())) / kLength_mm;
    const Vec2 velocity = twist.head<2>() - twist[2] / kLength_mm * perp(Vec2(5, 0));
    text += fmt::format("plate,glass,{},{},{},{},{},{},{}\n", kLength_mm, wrench[0], wrench[1],
                        wrench[2], velocity.x(), velocity.y(), twist[2]);
  }
  return text;
}

constexpr const char* kHeader =
    "push_id,shape,surface,speed_mm_s,window,split,start_x_mm,start_y_mm,start_theta_rad,"
    "tip_start_x_mm,tip_start_y_mm,tip_end_x_mm,tip_end_y_mm,end_x_mm,end_y_mm,end_theta_rad\n";

/// A push from a corner of the plate's left edge to the right, `lever_mm` beside the middle.
RecordedPush push_of(int number, double lever_mm, double heading_rad, double angle_rad) {
  RecordedPush push;
  push.id = fmt::format("push-{}", number);
  push.shape = "plate";
  push.surface = "glass";
  push.window = "full";
  push.split = "train";
  push.speed_mm_s = 10.0;
  push.start = {{100.0, -50.0}, angle_rad};
  push.tip_start_mm = transform(push.start, Vec2(-35.0 - kPusherRadius_mm, lever_mm));
  push.tip_end_mm = push.tip_start_mm + 30.0 * unit_vector(angle_rad + heading_rad);
  return push;
}

std::string row(const RecordedPush& push) {
  const auto& [start, angle] = push.start;
  std::string text = fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},", push.id, push.shape,
                                 push.surface, push.speed_mm_s, push.window, push.split, start.x(),
                                 start.y(), angle, push.tip_start_mm.x(), push.tip_start_mm.y(),
                                 push.tip_end_mm.x(), push.tip_end_mm.y());
  if (!push.end) return text + ",,\n";
  return text + fmt::format("{},{},{}\n", push.end->position_mm.x(), push.end->position_mm.y(),
                            push.end->angle_rad);
}

PushData read(const std::string& pushes) {
  const TemporaryFolder folder;
  std::ignore = folder.write("shapes.toml", kShapes);
  std::ignore = folder.write("pairs.csv", pairs_text());
  std::ignore = folder.write("pushes.csv", pushes);
  return read_push_data(folder.path());
}

PushLawFamily ellipsoid_of(const PushData& data) {
  return {SlidingKind::kEllipsoid, data.pairs.at({"plate", "glass"}).rows, kLength_mm,
          data.shapes.at("plate").mass.mass_kg};
}

PushData with_pushes(int pushes, unsigned seed) {
  std::string text = kHeader;
  Random random(seed);
  for (int k = 0; k < pushes; ++k) {
    const double lever_mm = random.uniform(-25, 25);
    const double heading_rad = random.uniform(-0.9, 0.9);
    text += row(push_of(k, lever_mm, heading_rad, random.uniform(-3, 3)));
  }
  return read(text);
}

}  // namespace

TEST_CASE("Measured pushes: wrenches, twists and mass are about the centre of mass") {
  const PushData data = read(kHeader);
  const PushedShape& plate = data.shapes.at("plate");
  CHECK((plate.mass.center_of_mass_P_mm - Vec2(5, 0)).norm() < 1e-9);
  CHECK(plate.mass.mass_kg == Approx(80.0 * 60.0 * 13.0 * 7.85e-6));
  const PushFile& pairs = data.pairs.at({"plate", "glass"});
  REQUIRE(pairs.rows.size() == 40);
  Eigen::Matrix3d A;
  A << 1.0, 0.1, 0.0, 0.1, 1.2, -0.2, 0.0, -0.2, 2.0;
  for (const MeasuredPush& pair : pairs.rows) {
    const Vec3 w(pair.wrench[0], pair.wrench[1], pair.wrench[2] / kLength_mm);
    const Vec3 v(pair.twist[0], pair.twist[1], pair.twist[2] * kLength_mm);
    CHECK(angle_deg(A * w, v) < 1e-3);
  }
}

TEST_CASE("Measured pushes: the part is moved to where the pusher touches it") {
  const PushData data = read(kHeader);
  const PushScene scene(data.shapes.at("plate"));
  for (const double gap : {-3.0, -0.5, 0.0, 2.0, 4.9}) {
    RecordedPush push = push_of(0, 10.0, 0.0, 0.4);
    push.start.position_mm += gap * unit_vector(0.4);
    const PushStart start = scene.in_contact(push);
    CHECK((start.moved_mm + gap * unit_vector(0.4)).norm() < 1e-3);
    CHECK((start.part.position_mm - push.start.position_mm - start.moved_mm).norm() < 1e-12);
  }
  RecordedPush apart = push_of(0, 10.0, 0.0, 0.4);
  apart.start.position_mm += 5.5 * unit_vector(0.4);
  CHECK(scene.in_contact(apart).moved_mm == Vec2(0, 0));
}

TEST_CASE("Measured pushes: a push through the centre of mass moves the part as far") {
  const PushData data = read(kHeader);
  const PushScene scene(data.shapes.at("plate"));
  Workspace workspace;
  SimulationResult result;
  const RecordedPush push = push_of(0, 0.0, 0.0, 0.7);
  const PushStart start = scene.in_contact(push);
  const SimulatedPush moved =
      scene.simulated(push, start, uniform_law(data.shapes.at("plate")), workspace, result);
  REQUIRE(moved.solved);
  CHECK((moved.end.position_mm - push.start.position_mm - push.path_mm()).norm() < 0.02);
  CHECK(moved.end.angle_rad == Approx(0.7).margin(1e-4));
  RecordedPush inside = push;
  inside.start.position_mm -= 20.0 * unit_vector(0.7);  // the pusher's centre lies on the part
  const SimulatedPush stuck = scene.simulated(
      inside, scene.in_contact(inside), uniform_law(data.shapes.at("plate")), workspace, result);
  CHECK_FALSE(stuck.solved);
  CHECK(stuck.end == inside.start);
}

TEST_CASE("Measured pushes: a law is found again from the ends of its pushes") {
  PushData data = with_pushes(48, 7);
  const PushScene scene(data.shapes.at("plate"));
  const PushLawFamily family = ellipsoid_of(data);
  PushParameters truth;
  truth << 0.1, -0.15, 0.1, 0.1, 0.2, 0.3, 0.0, 0.0;
  Workspace workspace;
  SimulationResult result;
  for (RecordedPush& push : data.pushes) {
    push.end =
        scene.simulated(push, scene.in_contact(push), family.law(truth, 0.0), workspace, result)
            .end;
  }
  RecordedPush asked = push_of(99, -12.0, 0.2, 1.0);
  asked.split = "asked";
  data.pushes.push_back(asked);
  int said = 0;
  const PushStudy study = study_pushes(data, {}, [&](const PushSet&, const PushFit&) { ++said; });
  CHECK(said == 1);
  const PushFit& fit = study.fits.at({"plate", "glass"});
  CHECK(fit.pushes == 48);
  CHECK(fit.unsolved == 0);
  CHECK(fit.law_at(0.0).mu_pusher == Approx(0.25 * std::exp(0.3)).epsilon(0.05));
  double before = 0.0;
  double after = 0.0;
  for (std::size_t k = 0; k < 48; ++k) {
    const Pose2& end = *data.pushes[k].end;
    after += (study.predictions[k].fitted.end.position_mm - end.position_mm).norm() / 48;
    before += (study.predictions[k].uniform.end.position_mm - end.position_mm).norm() / 48;
  }
  CHECK(before > 0.5);
  CHECK(after < 0.05 * before);
  const SimulatedPush expected =
      scene.simulated(asked, scene.in_contact(asked), family.law(truth, 0.0), workspace, result);
  CHECK((study.predictions[48].fitted.end.position_mm - expected.end.position_mm).norm() < 0.05);
  const PushStudy one_thread =
      study_pushes(data, {.threads = 1}, [](const PushSet&, const PushFit&) {});
  CHECK(one_thread.predictions[48].fitted.end == study.predictions[48].fitted.end);
}

TEST_CASE("Measured pushes: regions of the right spread have as many ends as they say") {
  PushData data = with_pushes(240, 11);
  const PushScene scene(data.shapes.at("plate"));
  const PushLawFamily family = ellipsoid_of(data);
  const PushSpread truth{0.1, 0.25, 0.6, 0.01, 100.0};
  PushStudy study;
  study.fits.emplace(PushSet{"plate", "glass"}, PushFit{.family = family});
  study.predictions.resize(data.pushes.size());
  Workspace workspace;
  SimulationResult result;
  std::mt19937_64 engine(5);
  std::normal_distribution<double> normal;
  std::vector<std::size_t> all;
  for (std::size_t k = 0; k < data.pushes.size(); ++k) {
    RecordedPush& push = data.pushes[k];
    PushParameters x = PushParameters::Zero();
    for (int i = 0; i < 5; ++i) x[i] = truth.axes * normal(engine);
    x[5] = truth.friction * normal(engine);
    push.end =
        scene.simulated(push, scene.in_contact(push), family.law(x, 0.0), workspace, result).end;
    // The camera's errors: the start that is on file is not where the part was.
    const auto camera = [&](Pose2& pose) {
      for (double& at_mm : pose.position_mm) at_mm += truth.position_mm * normal(engine);
      pose.angle_rad += truth.angle_rad * normal(engine);
    };
    const Vec2 was = push.start.position_mm;
    camera(push.start);
    camera(*push.end);
    study.predictions[k].start = scene.in_contact(push);
    // What the start was moved by is taken back at the end, so the camera keeps that error.
    const Vec2 normal_error = -study.predictions[k].start.moved_mm;
    push.end->position_mm += normal_error;
    CHECK((push.start.position_mm - was).norm() < 6.0);
    all.push_back(k);
  }
  const std::vector<double> ranks = ranks_of_ends(data, study, truth, all, 39, 1, {});
  // Three standard deviations of a share of 240.
  CHECK(cover_of(ranks, 0.5) == Approx(0.5).margin(0.1));
  CHECK(cover_of(ranks, 0.9) == Approx(0.9).margin(0.06));
  PushSpread narrow = truth;
  for (double* size : {&narrow.axes, &narrow.friction, &narrow.position_mm, &narrow.angle_rad}) {
    *size *= 0.5;
  }
  CHECK(cover_of(ranks_of_ends(data, study, narrow, all, 39, 1, {}), 0.9) < 0.75);
  const PushSpread found = fit_spread(data, study, "glass", {});
  CHECK(found.friction == Approx(truth.friction).epsilon(0.35));
  CHECK(found.position_mm == Approx(truth.position_mm).epsilon(0.35));
}

TEST_CASE("Measured pushes: what is wrong with the files is said with file, line and column") {
  RecordedPush push = push_of(0, 0.0, 0.0, 0.0);
  const std::string good = row(push);
  push.shape = "disc";
  CHECK_THAT(config_error([&] { read(kHeader + good + row(push)); }),
             Contains("pushes.csv:3: shape: no shape 'disc'; must be one of shapes.toml"));
  push.shape = "plate";
  push.surface = "ice";
  CHECK_THAT(config_error([&] { read(kHeader + row(push)); }),
             Contains("pushes.csv:2: surface: 'ice' of plate: pairs.csv has no row of it"));
  push.surface = "glass";
  push.speed_mm_s = 0.0;
  CHECK_THAT(config_error([&] { read(kHeader + row(push)); }),
             Contains("pushes.csv:2: speed_mm_s: 0; must be > 0"));
  const TemporaryFolder folder;
  std::ignore = folder.write("shapes.toml", std::string(kShapes).replace(23, 1, "4"));
  CHECK_THAT(config_error([&] { read_push_data(folder.path()); }),
             Contains("shapes.toml:2: plate.centroid_mm: is [4, 0]; must be the centroid"));
}
