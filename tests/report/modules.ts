// What modules_test.mjs looks at.
export * from "../../grasp/report/page/axis_ticks";
export * from "../../grasp/report/page/colours";
export * from "../../grasp/report/page/csv";
export * from "../../grasp/report/page/format";
export * from "../../grasp/report/page/laws";
export * from "../../grasp/report/page/normal";
export * from "../../grasp/report/page/philox";
export * from "../../grasp/report/page/player";
export { fileName } from "../../grasp/report/page/sections";
