// What modules_test.mjs looks at.
export * from "../../grasp/show/report/page/axis_ticks";
export * from "../../grasp/show/report/page/colours";
export * from "../../grasp/show/report/page/csv";
export { designGain, designValue, designValues } from "../../grasp/show/report/page/designs";
export * from "../../grasp/show/report/page/even_points";
export * from "../../grasp/show/report/page/format";
export * from "../../grasp/show/report/page/laws";
export * from "../../grasp/show/report/page/normal";
export * from "../../grasp/show/report/page/philox";
export * from "../../grasp/show/report/page/player";
export { fileName } from "../../grasp/show/report/page/sections";
