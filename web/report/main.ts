// Unpacks the report and puts the page together.

import { CellPanel } from "./cell_panel";
import { showDesigns } from "./designs";
import { byId, h } from "./dom";
import { showHeader } from "./header";
import { Layers } from "./layers";
import { LivePanel } from "./live_panel";
import { MapSection, showMapSection } from "./map_section";
import { unpackReport } from "./report_data";
import { showComparison, showHold, showPose, showProvenance, showSensitivity } from "./sections";
import { Simulator } from "./simulator";
import { Store } from "./state";
import { TrialPanel } from "./trial_panel";

async function start(): Promise<void> {
  const report = await unpackReport();
  const simulator = await Simulator.start(report);
  const layers = new Layers(report, simulator);
  const spot = report.facts.sweet_spot;
  const store = new Store({
    layer: "success",
    slice: spot.found ? spot.cell_theta : Math.floor(report.facts.axes.theta_rad.cells / 2),
    cell: -1,
    hover: -1,
    trial: -1,
  });
  showHeader(report, simulator);
  const map = new MapSection(report, layers, store);
  const cellPanel = new CellPanel(report, store, simulator);
  const trialPanel = new TrialPanel(report, store, simulator);
  showMapSection(map.build(), h("div", { class: "side" }, cellPanel.element, trialPanel.element));
  map.onEnter = (cell) => trialPanel.playFirstOf(cell);
  map.draw();
  const live = new LivePanel(report, simulator, (at) => map.showGripper(at));
  live.build();
  trialPanel.onTry = (drawn) => live.take(drawn);
  showDesigns(report);
  showComparison(report);
  showSensitivity(report);
  showPose(report);
  showHold(report);
  showProvenance(report);
  byId("loading").remove();
  document.documentElement.dataset.ready = "yes";
}

start().catch((error: Error) => {
  byId("loading").textContent = `This report cannot be shown: ${error.message}. ` +
    "It needs a browser of 2023 or later (DecompressionStream).";
  document.documentElement.dataset.ready = "failed";
});
