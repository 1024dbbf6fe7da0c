// What modules_test.mjs looks at.
export * from "../../web/report/axis_ticks";
export * from "../../web/report/colours";
export * from "../../web/report/csv";
export { designGain, designValue, designValues } from "../../web/report/designs";
export * from "../../web/report/format";
export * from "../../web/report/player";
export { fileName } from "../../web/report/sections";
