"""The types of the fields of results, for type checkers and editors. Written by
tests/python/formats_test.py from results that have all fields; which are there depends on what was
asked, and a number that is not finite is None."""
from __future__ import annotations

from .results import Interval, Result


class PlanErrorModel(Result):
    __slots__ = ()

    covariance: tuple[tuple[float, ...], ...]
    half_width: tuple[float, ...]
    measured: int
    repeats: int
    offset_sigma: tuple[float, ...]
    after: str
    posterior_draws: int


class PlanPlacementsAsGood(Result):
    __slots__ = ()

    x_mm: Interval
    y_mm: Interval
    theta_rad: Interval


class PlanPlacementsUnknownButConstant(Result):
    __slots__ = ()

    success_probability: Interval
    interval_of_trials_alone: Interval
    success_probability_of_random_part: float


class PlanPlacementsOutcomes(Result):
    __slots__ = ()

    success: float
    wedged: float
    missed: float
    timeout: float
    blocked: float
    failed: float


class PlanPlacements(Result):
    __slots__ = ()

    x_mm: float
    y_mm: float
    theta_rad: float
    success_probability: float
    interval: Interval
    unknown_share: float
    effective_trials: float
    standard_error: float
    as_good: PlanPlacementsAsGood
    unknown_but_constant: PlanPlacementsUnknownButConstant
    outcomes: PlanPlacementsOutcomes


class PlanUnselectedHalves(Result):
    __slots__ = ()

    x_mm: float
    y_mm: float
    theta_rad: float
    success_probability: float


class PlanUnselected(Result):
    __slots__ = ()

    success_probability: float
    halves: tuple[PlanUnselectedHalves, ...]


class PlanRequiredNormalEstimate(Result):
    __slots__ = ()

    reached: bool
    sigma_x_mm: float
    sigma_y_mm: float
    limited_by_map: bool
    x_mm: float
    y_mm: float
    theta_rad: float
    success_probability: float
    interval: Interval
    unknown_share: float
    effective_trials: float
    standard_error: float
    as_good: PlanPlacementsAsGood
    outcomes: PlanPlacementsOutcomes


class PlanRequiredNormal(Result):
    __slots__ = ()

    estimate: PlanRequiredNormalEstimate
    confidence: PlanRequiredNormalEstimate


class PlanRequiredSquareEstimate(Result):
    __slots__ = ()

    reached: bool
    half_width_mm: float
    limited_by_map: bool
    x_mm: float
    y_mm: float
    theta_rad: float
    success_probability: float
    interval: Interval
    unknown_share: float
    effective_trials: float
    standard_error: float
    as_good: PlanPlacementsAsGood
    outcomes: PlanPlacementsOutcomes


class PlanRequiredSquare(Result):
    __slots__ = ()

    estimate: PlanRequiredSquareEstimate
    confidence: PlanRequiredSquareEstimate


class PlanRequiredGuaranteedSquareEstimate(Result):
    __slots__ = ()

    reached: bool
    half_width_mm: float
    limited_by_map: bool
    x_mm: float
    y_mm: float
    theta_rad: float


class PlanRequiredGuaranteedSquare(Result):
    __slots__ = ()

    estimate: PlanRequiredGuaranteedSquareEstimate
    confidence: PlanRequiredGuaranteedSquareEstimate


class PlanRequired(Result):
    __slots__ = ()

    probability: float
    normal: PlanRequiredNormal
    square: PlanRequiredSquare
    guaranteed_square: PlanRequiredGuaranteedSquare


class PlanTolerancesInputsEstimate(Result):
    __slots__ = ()

    state: str
    factor: float
    width: float


class PlanTolerancesInputs(Result):
    __slots__ = ()

    key: str
    measure: str
    width: float
    estimate: PlanTolerancesInputsEstimate
    confidence: PlanTolerancesInputsEstimate


class PlanTolerances(Result):
    __slots__ = ()

    x_mm: float
    y_mm: float
    trials: int
    success_probability: float
    interval: Interval
    inputs: tuple[PlanTolerancesInputs, ...]


class PlanLotsNextPart(Result):
    __slots__ = ()

    value: float
    interval: Interval


class PlanLots(Result):
    __slots__ = ()

    x_mm: float
    y_mm: float
    simulated_lots: int
    parts_of_each: int
    lot_sigma: float
    next_part: PlanLotsNextPart
    median: PlanLotsNextPart
    fifth_percentile: PlanLotsNextPart
    share_that_reaches: PlanLotsNextPart


class PlanFields(Result):
    __slots__ = ()

    graspmap_version: str
    git_commit: str
    name: str
    trials: int
    confidence: float
    sweep_has_placement_noise: bool
    angle_sigma_rad: float
    answer: str
    error: str
    position_sigma_mm: tuple[float, ...]
    judged_sigma: tuple[float, ...]
    error_model: PlanErrorModel
    placements: tuple[PlanPlacements, ...]
    unselected: PlanUnselected
    required: PlanRequired
    tolerances: PlanTolerances
    lots: PlanLots


class DeliveredPosePlateau(Result):
    __slots__ = ()

    probability_at_least: float
    cells: int


class DeliveredPoseMean(Result):
    __slots__ = ()

    x_mm: float
    y_mm: float
    theta_rad: float
    opening_mm: float


class DeliveredPoseQuantiles(Result):
    __slots__ = ()

    x_mm: Result
    y_mm: Result
    theta_rad: Result
    opening_mm: Result


class DeliveredPoseModes(Result):
    __slots__ = ()

    share: float
    trials: int
    effective_number: float
    mean: DeliveredPoseMean
    standard_deviation: DeliveredPoseMean
    standard_error: DeliveredPoseMean
    covariance: tuple[tuple[float, ...], ...]
    left_touches: tuple[str, ...]
    right_touches: tuple[str, ...]


class DeliveredPosePlacement(Result):
    __slots__ = ()

    x_mm: float
    y_mm: float
    theta_rad: float
    error: str
    sigma_x_mm: float
    sigma_y_mm: float
    sigma_theta_rad: float


class DeliveredPoseMeanDeviation(Result):
    __slots__ = ()

    x_mm: float
    y_mm: float
    theta_rad: float


class DeliveredPoseFields(Result):
    __slots__ = ()

    graspmap_version: str
    git_commit: str
    name: str
    outcome: str
    plateau: DeliveredPosePlateau
    outcome_share: float
    unknown_share: float
    trials: int
    effective_number: float
    mean: DeliveredPoseMean
    standard_deviation: DeliveredPoseMean
    standard_error: DeliveredPoseMean
    covariance: tuple[tuple[float, ...], ...]
    confidence: float
    mean_half_width: DeliveredPoseMean
    correlation: tuple[tuple[float, ...], ...]
    quantiles: DeliveredPoseQuantiles
    modes: tuple[DeliveredPoseModes, ...]
    placement: DeliveredPosePlacement
    mean_deviation: DeliveredPoseMeanDeviation


class HoldPlacement(Result):
    __slots__ = ()

    x_mm: float
    y_mm: float
    theta_rad: float
    error: str


class HoldCloses(Result):
    __slots__ = ()

    value: float
    interval: Interval


class HoldCheck(Result):
    __slots__ = ()

    force_n: float
    lifted: HoldCloses
    trials: int


class HoldCurve(Result):
    __slots__ = ()

    force_n: float
    lifted: HoldCloses


class HoldFields(Result):
    __slots__ = ()

    graspmap_version: str
    git_commit: str
    name: str
    manoeuvre: str
    factor: float
    required_probability: float
    confidence: float
    trials: int
    unknown_factors: int
    closing_force_n: float
    placement: HoldPlacement
    closes: HoldCloses
    lifted: HoldCloses
    factor_quantiles: Result
    shifts: float
    force_n: float
    sure_force_n: float
    check: HoldCheck
    curve: tuple[HoldCurve, ...]


class ComparisonExperiment(Result):
    __slots__ = ()

    file: str
    origin: str
    source: str


class ComparisonRunTotal(Result):
    __slots__ = ()

    trials: int
    successes: int
    failed: int


class ComparisonOutside(Result):
    __slots__ = ()

    trials: int
    cells: int


class ComparisonAgreementChangesLevelEstimate(Result):
    __slots__ = ()

    value: float
    low: float
    high: float


class ComparisonAgreementChangesLevel(Result):
    __slots__ = ()

    estimate: ComparisonAgreementChangesLevelEstimate
    at_bound: bool
    p_value: float
    adjusted_p_value: float
    largest_effect: float
    detectable_80: float
    detectable_90: float


class ComparisonAgreementChanges(Result):
    __slots__ = ()

    level: ComparisonAgreementChangesLevel
    shift_x_mm: ComparisonAgreementChangesLevel
    shift_y_mm: ComparisonAgreementChangesLevel


class ComparisonAgreementPlaces(Result):
    __slots__ = ()

    p_value: float
    adjusted_p_value: float


class ComparisonAgreementSessions(Result):
    __slots__ = ()

    session: str
    trials: int
    successes: int
    expected: float
    expected_sd: float


class ComparisonAgreement(Result):
    __slots__ = ()

    verdict: str
    within: float
    smallest_within: float
    significant: bool
    p_value: float
    trials: int
    successes: int
    expected: float
    expected_sd: float
    replicates: int
    simulated_at_placements: bool
    simulated_trials: int
    simulated_failed: int
    placements: int
    changes: ComparisonAgreementChanges
    places: ComparisonAgreementPlaces
    mean_difference: float
    mean_difference_by_chance: float
    largest_mean_difference: float
    between_sessions: ComparisonAgreementPlaces
    session_widening: float
    sessions: tuple[ComparisonAgreementSessions, ...]


class ComparisonSameProcess(Result):
    __slots__ = ()

    p_value: float
    deviance: float
    informative_cells: int
    replicates: int
    mean_difference: float
    mean_difference_by_chance: float


class ComparisonLargestDifference(Result):
    __slots__ = ()

    x_min_mm: float
    x_max_mm: float
    y_min_mm: float
    y_max_mm: float
    run: ComparisonAgreementChangesLevelEstimate
    experiment: ComparisonAgreementChangesLevelEstimate
    difference: ComparisonAgreementChangesLevelEstimate
    adjusted_p_value: float


class ComparisonMapsPlateauAreaMm2DifferenceByChance(Result):
    __slots__ = ()

    low: float
    high: float


class ComparisonMapsPlateauAreaMm2(Result):
    __slots__ = ()

    run: ComparisonAgreementChangesLevelEstimate
    experiment: ComparisonAgreementChangesLevelEstimate
    difference: ComparisonAgreementChangesLevelEstimate
    difference_by_chance: ComparisonMapsPlateauAreaMm2DifferenceByChance


class ComparisonMapsDropOffLeftMmRun(Result):
    __slots__ = ()

    value: float | None
    low: float | None
    high: float | None


class ComparisonMapsDropOffLeftMmDifferenceByChance(Result):
    __slots__ = ()

    low: float | None
    high: float | None


class ComparisonMapsDropOffLeftMm(Result):
    __slots__ = ()

    run: ComparisonMapsDropOffLeftMmRun
    experiment: ComparisonMapsDropOffLeftMmRun
    difference: ComparisonMapsDropOffLeftMmRun
    difference_by_chance: ComparisonMapsDropOffLeftMmDifferenceByChance


class ComparisonMaps(Result):
    __slots__ = ()

    cells: int
    plateau_probability: float
    lines_from_x_mm: float
    lines_from_y_mm: float
    replicates: int
    plateau_area_mm2: ComparisonMapsPlateauAreaMm2
    sweet_spot_x_mm: ComparisonMapsPlateauAreaMm2
    sweet_spot_y_mm: ComparisonMapsPlateauAreaMm2
    drop_off_left_mm: ComparisonMapsDropOffLeftMm
    low_begins_left_mm: ComparisonMapsDropOffLeftMm
    low_extent_left_mm: ComparisonMapsDropOffLeftMm
    drop_off_right_mm: ComparisonMapsDropOffLeftMm
    low_begins_right_mm: ComparisonMapsDropOffLeftMm
    low_extent_right_mm: ComparisonMapsDropOffLeftMm
    drop_off_front_mm: ComparisonMapsDropOffLeftMm
    low_begins_front_mm: ComparisonMapsDropOffLeftMm
    low_extent_front_mm: ComparisonMapsDropOffLeftMm
    drop_off_behind_mm: ComparisonMapsDropOffLeftMm
    low_begins_behind_mm: ComparisonMapsDropOffLeftMm
    low_extent_behind_mm: ComparisonMapsDropOffLeftMm
    sweet_spot_displacement_mm: ComparisonAgreementChangesLevelEstimate
    sweet_spot_displacement_by_chance_mm: ComparisonMapsPlateauAreaMm2DifferenceByChance
    plateau_overlap: ComparisonAgreementChangesLevelEstimate
    plateau_overlap_by_chance: ComparisonMapsPlateauAreaMm2DifferenceByChance


class ComparisonFields(Result):
    __slots__ = ()

    graspmap_version: str
    git_commit: str
    run: str
    theta_rad: float
    experiment: ComparisonExperiment
    confidence: float
    cells_compared: int
    are_cells_of_run: bool
    run_total: ComparisonRunTotal
    experiment_total: ComparisonRunTotal
    outside: ComparisonOutside
    unknown: ComparisonOutside
    agreement: ComparisonAgreement
    same_process: ComparisonSameProcess
    cells_significant: int
    typical_half_width: float
    largest_difference: ComparisonLargestDifference
    maps: ComparisonMaps


class FactCheckFacts(Result):
    __slots__ = ()

    claim: str
    quantity: str
    unit: str
    asked: str
    run: float
    run_low: float
    run_high: float
    verdict: str


class FactCheckFields(Result):
    __slots__ = ()

    graspmap_version: str
    git_commit: str
    run: str
    run_trials: int
    confidence: float
    file: str
    origin: str
    source: str
    published_trials: int
    facts: tuple[FactCheckFacts, ...]


class CalibrationExperiment(Result):
    __slots__ = ()

    file: str
    origin: str
    source: str
    cells: int
    trials: int
    trials_left_out: int


class CalibrationPrior(Result):
    __slots__ = ()

    key: str
    low: float
    high: float


class CalibrationLearned(Result):
    __slots__ = ()

    name: str
    parameter: bool
    mean: float
    median: float
    sd: float
    interval: Interval
    prior_range: Interval
    touches_prior_low: bool
    touches_prior_high: bool
    prior_sd: float
    sd_ratio: float


class CalibrationFitTrends(Result):
    __slots__ = ()

    name: str
    deviation: float


class CalibrationFit(Result):
    __slots__ = ()

    deviance: float
    expected_deviance: float
    p_value: float
    deviance_p_value: float
    trend_p_value: float
    successes: float
    predicted_successes: float
    trends: tuple[CalibrationFitTrends, ...]
    log_evidence: float


class CalibrationStoredBandwidths(Result):
    __slots__ = ()

    jaw_bins: float
    support_bins: float


class CalibrationStored(Result):
    __slots__ = ()

    trials: int
    failed: int
    median_effective_trials_of_cells: float
    bandwidths: CalibrationStoredBandwidths


class CalibrationFields(Result):
    __slots__ = ()

    graspmap_version: str
    git_commit: str
    name: str
    law: str
    confidence: float
    experiment: CalibrationExperiment
    prior: tuple[CalibrationPrior, ...]
    learned: tuple[CalibrationLearned, ...]
    correlations: tuple[tuple[float, ...], ...]
    fit: CalibrationFit
    stored: CalibrationStored
    posterior_file: str
    posterior_draws: int
    effective_draws: float


class ReweightingLaws(Result):
    __slots__ = ()

    key: str
    stored: str
    now: str


class ReweightingStoredSweetSpot(Result):
    __slots__ = ()

    found: bool
    half_width_mm: float
    x_mm: float
    y_mm: float
    theta_rad: float
    lowest_probability: float
    interval: Interval


class ReweightingStored(Result):
    __slots__ = ()

    success_probability: float
    success_interval: Interval
    sweet_spot: ReweightingStoredSweetSpot
    plateau_area_mm2: float
    plateau_cells: int


class ReweightingFields(Result):
    __slots__ = ()

    graspmap_version: str
    git_commit: str
    name: str
    confidence: float
    laws: tuple[ReweightingLaws, ...]
    trials: int
    failed: int
    effective_trials: float
    median_effective_trials_of_cells: float
    least_effective_trials: float
    unknown_cells: int
    pareto_k: float | None
    stored: ReweightingStored
    now: ReweightingStored


class SensitivityPlacement(Result):
    __slots__ = ()

    x_mm: float
    y_mm: float
    sigma_x_mm: float
    sigma_y_mm: float
    theta_rad: float
    sigma_theta_rad: float
    judged_sigma: tuple[float, ...]
    outside_of_map: float


class SensitivityGroupsPositionAlone(Result):
    __slots__ = ()

    value: float
    interval: Interval


class SensitivityGroups(Result):
    __slots__ = ()

    position_alone: SensitivityGroupsPositionAlone
    friction_alone: SensitivityGroupsPositionAlone
    together: SensitivityGroupsPositionAlone
    position_less_friction: SensitivityGroupsPositionAlone


class SensitivityInputs(Result):
    __slots__ = ()

    input: str
    group: str
    first_order: SensitivityGroupsPositionAlone
    total: SensitivityGroupsPositionAlone


class SensitivityHalvedAsItIs(Result):
    __slots__ = ()

    success_probability: SensitivityGroupsPositionAlone
    failed: int


class SensitivityHalvedInputs(Result):
    __slots__ = ()

    input: str
    success_probability: SensitivityGroupsPositionAlone
    failed: int
    gain: SensitivityGroupsPositionAlone


class SensitivityHalved(Result):
    __slots__ = ()

    trials: int
    as_it_is: SensitivityHalvedAsItIs
    inputs: tuple[SensitivityHalvedInputs, ...]


class SensitivityFields(Result):
    __slots__ = ()

    graspmap_version: str
    git_commit: str
    confidence: float
    trials: int
    failed: int
    foretold: float
    placement: SensitivityPlacement
    state: str
    predictivity: float
    success_probability: float
    groups: SensitivityGroups
    inputs: tuple[SensitivityInputs, ...]
    fixed: tuple[str, ...]
    total_trials: int
    halved: SensitivityHalved


class DifferenceASweetSpot(Result):
    __slots__ = ()

    found: bool
    half_width_mm: float
    x_mm: float
    y_mm: float
    theta_rad: float
    lowest_probability: float


class DifferenceAPlateau(Result):
    __slots__ = ()

    probability_at_least: float
    cells: int
    area_mm2: float


class DifferenceA(Result):
    __slots__ = ()

    run: str
    trials: int
    failed: int
    sweet_spot: DifferenceASweetSpot
    plateau: DifferenceAPlateau


class DifferenceConfiguration(Result):
    __slots__ = ()

    key: str
    a: str
    b: str


class DifferencePairingPairsWithEqual(Result):
    __slots__ = ()

    x_mm: int
    y_mm: int
    theta_rad: int
    mu_jaw: int
    mu_support: int


class DifferencePairing(Result):
    __slots__ = ()

    paired: bool
    pairs: int
    pairs_with_equal: DifferencePairingPairsWithEqual
    worth_times_the_trials: float


class DifferenceWholeMap(Result):
    __slots__ = ()

    cells: int
    probability_a: float
    probability_b: float
    b_minus_a: float
    interval: Interval


class DifferenceSignificantCells(Result):
    __slots__ = ()

    false_discovery_rate: float
    of_cells: int
    b_better: int
    b_worse: int


class DifferenceFields(Result):
    __slots__ = ()

    graspmap_version: str
    git_commit: str
    confidence: float
    a: DifferenceA
    b: DifferenceA
    configuration: tuple[DifferenceConfiguration, ...]
    pairing: DifferencePairing
    whole_map: DifferenceWholeMap
    plateaus: DifferenceWholeMap
    sweet_spot_of_a: DifferenceWholeMap
    sweet_spot_of_b: DifferenceWholeMap
    significant_cells: DifferenceSignificantCells


class TolerancesTodayWidths(Result):
    __slots__ = ()

    keys: tuple[str, ...]
    width: float
    factor: float
    cost: float


class TolerancesToday(Result):
    __slots__ = ()

    cost: float
    success_probability: float
    interval: Interval
    trials: int
    widths: tuple[TolerancesTodayWidths, ...]


class TolerancesGain(Result):
    __slots__ = ()

    success_probability: float
    interval: Interval


class TolerancesFields(Result):
    __slots__ = ()

    graspmap_version: str
    git_commit: str
    name: str
    x_mm: float
    y_mm: float
    theta_rad: float
    robot_sigma: tuple[float, ...]
    required_probability: float
    confidence: float
    seed: int
    search_trials: int
    check_trials: int
    simulated_trials: int
    cost_unit: str
    found: bool
    promised: bool
    proven: bool
    sets_tried: int
    today: TolerancesToday
    cheapest: TolerancesToday
    equal_shares: TolerancesToday
    gain: TolerancesGain
    worth: tuple[Result, ...]


class SupportFitModelsParameters(Result):
    __slots__ = ()

    name: str
    value: float
    interval: Interval


class SupportFitModels(Result):
    __slots__ = ()

    model: str
    twist_error_deg: float
    twist_error_deg_interval: Interval
    wrench_error_deg: float
    wrench_error_deg_interval: Interval
    behind_best_deg: float
    behind_best_deg_interval: Interval
    friction_force_n: float
    friction_force_n_interval: Interval
    parameters: tuple[SupportFitModelsParameters, ...]
    support_toml: str


class SupportFitFields(Result):
    __slots__ = ()

    graspmap_version: str
    git_commit: str
    file: str
    origin: str
    source: str
    rows: int
    pushes: int
    rows_against_force: int
    length_mm: float
    folds: int
    resamples: int
    confidence: float
    weight_n: float
    best: str
    simplest_not_told_apart: str
    models: tuple[SupportFitModels, ...]


class SqueezePlanSqueezes(Result):
    __slots__ = ()

    turn_rad: float
    offset_mm: float
    push_mm: float


class SqueezePlanPhases(Result):
    __slots__ = ()

    phase: str
    time_s: float
    share_of_one_pose: float
    angle_rms_rad: float
    position_rms_mm: float


class SqueezePlanSearched(Result):
    __slots__ = ()

    squeezes: int
    share_in_map: float
    share_in_trials: float


class SqueezePlanFields(Result):
    __slots__ = ()

    graspmap_version: str
    git_commit: str
    name: str
    reaches: bool
    probability_asked: float
    probability: float
    interval: Interval
    confidence: float
    trials: int
    successes: int
    failed: int
    lost: int
    cycle_s: float
    evaluated: bool
    bound: float
    squeezes: tuple[SqueezePlanSqueezes, ...]
    squeeze_point_mm: tuple[float, ...]
    pose_x_mm: float
    pose_y_mm: float
    pose_theta_rad: float
    period_rad: float
    within_rad: float
    within_mm: float
    seed: int
    phases: tuple[SqueezePlanPhases, ...]
    searched: tuple[SqueezePlanSearched, ...]
    squeezes_simulated: int
    refuted: int


class FingerDesignParts(Result):
    __slots__ = ()

    name: str
    config: str
    weight: float


class FingerDesignBestValues(Result):
    __slots__ = ()

    value: float
    interval: Interval


class FingerDesignBestSuccesses(Result):
    __slots__ = ()

    trials: int
    successes: int
    failed: int


class FingerDesignBest(Result):
    __slots__ = ()

    values: tuple[FingerDesignBestValues, ...]
    successes: tuple[FingerDesignBestSuccesses, ...]


class FingerDesignDesigns(Result):
    __slots__ = ()

    number: int
    words: str
    value: float
    second_value: float
    trials: int
    tied: bool
    on_front: bool
    set: tuple[str, ...]
    placements: tuple[tuple[float, ...], ...]


class FingerDesignVariables(Result):
    __slots__ = ()

    key: str
    worth: float
    matters: bool
    down: float
    up: float
    levels: tuple[str, ...]
    values: tuple[float | None, ...]


class FingerDesignFields(Result):
    __slots__ = ()

    graspmap_version: str
    git_commit: str
    name: str
    objectives: tuple[str, ...]
    probability: float
    spread_of: str
    parts: tuple[FingerDesignParts, ...]
    confidence: float
    seed: int
    best: FingerDesignBest
    today: FingerDesignBest
    gains: tuple[FingerDesignBestValues, ...]
    designs: tuple[FingerDesignDesigns, ...]
    variables: tuple[FingerDesignVariables, ...]
    tried: int
    refused: int
    refused_first: str
    search_trials: int
    simulated_trials: int


class SummaryOutcomes(Result):
    __slots__ = ()

    success: int
    wedged: int
    missed: int
    timeout: int
    blocked: int
    failed: int


class SummarySuccess(Result):
    __slots__ = ()

    probability: float | None
    wilson_95: Interval


class SummarySweetSpot(Result):
    __slots__ = ()

    found: bool
    half_width_mm: float
    x_mm: float
    y_mm: float
    lowest_probability: float
    wilson_95: Interval
    theta_rad: float
    theta_min_rad: float
    theta_max_rad: float


class SummaryPlateau(Result):
    __slots__ = ()

    probability_at_least: float
    cells: int
    of_cells: int
    area_mm2: float
    area_interval_95_mm2: Interval
    x_min_mm: float
    x_max_mm: float
    y_min_mm: float
    y_max_mm: float
    theta_rad: float
    mean_area_mm2: float
    theta_min_rad: float
    theta_max_rad: float


class SummaryNoSuccessConditionsFound(Result):
    __slots__ = ()

    touches: str
    share: float


class SummaryNoSuccessConditions(Result):
    __slots__ = ()

    key: str
    wanted: str
    share: float
    found: tuple[SummaryNoSuccessConditionsFound, ...]
    middle_half: Interval


class SummaryNoSuccess(Result):
    __slots__ = ()

    trials: int
    looked_at: int
    conditions: tuple[SummaryNoSuccessConditions, ...]
    exchanged: float


class SummarySolverStepsByRung(Result):
    __slots__ = ()

    warm: int
    cold: int
    damped: int
    pattern: int
    halved: int


class SummarySolver(Result):
    __slots__ = ()

    steps: int
    newton_iterations: int
    steps_by_rung: SummarySolverStepsByRung
    worst_residual: float
    worst_gap_mm: float
    least_dissipation_mn_mm: float


class SummaryFirstFailed(Result):
    __slots__ = ()

    index: int
    reason: str
    replay: str


class SummaryTiming(Result):
    __slots__ = ()

    wall_s: float
    trials_per_s: float
    threads: int


class SummaryRobot(Result):
    __slots__ = ()

    error: str
    x_mm: float
    y_mm: float
    theta_rad: float
    success_probability: float
    interval: Interval


class SummaryAdaptive(Result):
    __slots__ = ()

    stopped_because: str
    goal: str
    rounds: int
    complete_run_trials: int
    trials_saved: int
    sweet_spot_within_mm: float
    sweet_spot_confidence: float
    sweet_spot_known: bool
    sweet_spot_known_after_trials: int
    edge_cells: int
    edge_cells_wider_than_asked: int
    standard_error: float


class SummaryFailedReasons(Result):
    __slots__ = ()

    step_not_solved: int
    too_much_work: int


class SummaryFields(Result):
    __slots__ = ()

    graspmap_version: str
    git_commit: str
    name: str
    complete: bool
    trials_asked: int
    trials_done: int
    independent_trials: float
    seed: int
    answer: str
    outcomes: SummaryOutcomes
    success: SummarySuccess
    sweet_spot: SummarySweetSpot
    plateau: SummaryPlateau
    no_success: SummaryNoSuccess
    solver: SummarySolver
    first_failed: tuple[SummaryFirstFailed, ...]
    timing: SummaryTiming
    robot: SummaryRobot
    adaptive: SummaryAdaptive
    failed_reasons: SummaryFailedReasons


class DetectionsCenter(Result):
    __slots__ = ()

    x_mm: float
    y_mm: float
    theta_rad: float


class DetectionsFields(Result):
    __slots__ = ()

    graspmap_version: str
    git_commit: str
    file: str
    detections: int
    misses: int
    miss_interval: Interval
    confidence: float
    period_deg: float
    flips: int
    center: DetectionsCenter
    covariance: tuple[tuple[float, ...], ...]
    claimed_ratio: float
    drift_p_value: float
    drift: DetectionsCenter


class RobotGraspsPlaneInRobot(Result):
    __slots__ = ()

    position_mm: tuple[float, ...]
    quaternion_wxyz: tuple[float, ...]
    residual_mm: float


class RobotGraspsRunsPartInRobot(Result):
    __slots__ = ()

    position_mm: tuple[float, ...]
    quaternion_wxyz: tuple[float, ...]


class RobotGraspsRunsGraspsInHandMean(Result):
    __slots__ = ()

    x_mm: float
    y_mm: float
    theta_rad: float
    opening_mm: float


class RobotGraspsRunsGraspsInHand(Result):
    __slots__ = ()

    mean: RobotGraspsRunsGraspsInHandMean
    covariance: tuple[tuple[float, ...], ...]
    part_in_tool: RobotGraspsRunsPartInRobot


class RobotGraspsRunsGrasps(Result):
    __slots__ = ()

    x_mm: float
    y_mm: float
    theta_rad: float
    success_probability: float
    interval: Interval
    quality: float
    opening_mm: float
    tool_in_part: RobotGraspsRunsPartInRobot
    tool_in_robot: RobotGraspsRunsPartInRobot
    before_in_robot: RobotGraspsRunsPartInRobot
    after_in_robot: RobotGraspsRunsPartInRobot
    in_hand: RobotGraspsRunsGraspsInHand


class RobotGraspsRuns(Result):
    __slots__ = ()

    name: str
    run: str
    object: str
    trials: int
    robot_error: str
    opening_before_mm: float
    closing_force_n: float
    part_in_robot: RobotGraspsRunsPartInRobot
    grasps: tuple[RobotGraspsRunsGrasps, ...]


class RobotGraspsFields(Result):
    __slots__ = ()

    graspmap_version: str
    git_commit: str
    format: str
    format_version: int
    height_mm: float
    approach_mm: float
    retreat_mm: float
    jaw_angle_rad: float
    confidence: float
    plane_in_robot: RobotGraspsPlaneInRobot
    runs: tuple[RobotGraspsRuns, ...]


class LabPlanGoal(Result):
    __slots__ = ()

    kind: str
    change: str
    amount: float


class LabPlanPlanChecked(Result):
    __slots__ = ()

    trials: int
    experiments: int
    reached: int
    power: float
    interval_95: Interval


class LabPlanPlan(Result):
    __slots__ = ()

    placements: str
    enough: bool
    trials: int
    checked: LabPlanPlanChecked
    search: tuple[LabPlanPlanChecked, ...]


class LabPlanFields(Result):
    __slots__ = ()

    graspmap_version: str
    git_commit: str
    run: str
    goal: LabPlanGoal
    power: float
    confidence: float
    sessions: int
    trials_per_placement: int
    seed: int
    cells_left_out: int
    plan: LabPlanPlan
    other: LabPlanPlan
