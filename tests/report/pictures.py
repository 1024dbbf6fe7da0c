#!/usr/bin/env python3
"""tests/report/pictures.py REPORT.html FOLDER: the picture of a report in docs/images, report_1600_light.png.

A cell of the map is chosen and its first trial is shown at its end. Needs what page_test.py needs.
"""
import base64
import sys
from pathlib import Path

from page_test import Page

SIZE = {"width": 1600, "height": 960, "deviceScaleFactor": 1, "mobile": False}
# The cell is the one above the sweet spot where half of the grasps succeed, on the map of configs/lock_piece.toml.
SHOW = """press('success'); for (let k = 0; k < 7; ++k) key('ArrowUp'); key('Enter');
const scrub = q('.trial_panel input[type=range]'); scrub.value = 900; scrub.dispatchEvent(new Event('input'))"""


def main():
    report, folder = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
    page = Page()
    devtools = page.driver.execute_cdp_cmd
    devtools("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "light"}]})
    devtools("Emulation.setDeviceMetricsOverride", SIZE)
    page.open(report)
    page.run("q('head').append(Object.assign(document.createElement('style'), {textContent: '*::-webkit-scrollbar{width:0;height:0}'}))")
    page.after(SHOW, "window.scrollTo(0, 0)")
    page.run("document.activeElement.blur()")
    picture = devtools("Page.captureScreenshot", {"format": "png", "optimizeForSpeed": False})
    (folder / "report_1600_light.png").write_bytes(base64.b64decode(picture["data"]))
    page.driver.quit()


main()
