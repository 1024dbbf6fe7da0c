#pragma once

#include <cstdint>

#include "grasp/base/probability/interval.hpp"

namespace graspmap {

/// A confidence sequence of a success probability p: the intervals after 1, 2, 3, ... trials hold p
/// all at once with probability `confidence` or more. So the interval may be looked at after every
/// trial, and the trials ended for whatever reason, their outcomes included: the price is that it
/// is wider than Wilson's.
///
/// It has all p with M_n(p) < 1 / (1 - confidence), where after s successes and f others
///   M_n(p) = B(s + 1/2, f + 1/2) / B(1/2, 1/2) / (p^s (1 - p)^f)
/// is the likelihood of p's rivals, weighted by Beta(1/2, 1/2), over that of p. For the true p it
/// is a martingale of mean 1 whatever p is, which by Ville's inequality ever reaches 1 / a with
/// probability a or less (Robbins 1970, "Statistical methods related to the law of the iterated
/// logarithm"; Howard, Ramdas, McAuliffe, Sekhon 2021, "Time-uniform, nonparametric, nonasymptotic
/// confidence sequences"). [0, 1] for no trials.
Interval anytime_interval(std::int64_t successes, std::int64_t trials, double confidence = 0.95);

/// The same where `failed` further trials say nothing: they count once as successes, once as no
/// successes, and the interval reaches from the lower end to the upper one.
Interval anytime_interval_with_failed(std::int64_t successes, std::int64_t trials,
                                      std::int64_t failed, double confidence = 0.95);

}  // namespace graspmap
