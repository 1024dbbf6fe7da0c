#pragma once

#include <string>
#include <vector>

#include "grasp/base/io/result_file.hpp"
#include "grasp/base/pictures/figure.hpp"
#include "grasp/decide/sequence/sequence_plan.hpp"

namespace graspmap {

/// The plan, its probability and its phases in words.
std::string sequence_text(const SequencePlan& plan);

/// sequence.json and phases.csv; docs/reference/formats.md says what is in them.
Object sequence_fields(const SequencePlan& plan);
Table phases_table(const SequencePlan& plan);
/// Both, and sequence.toml, `config` with the sequence as its program.
std::vector<ResultFile> sequence_files(const SequencePlan& plan, SweepConfig config);

/// The funnel: a row of each phase with the angles of the trials' poses.
Figure sequence_figure(const SequencePlan& plan);

}  // namespace graspmap
