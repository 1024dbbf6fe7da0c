"""Headless Chromium for the tests of pages. Ends the program with exit code 77, which CTest takes for "skipped", without
Debian's chromium, chromium-driver and python3-selenium.
"""
import json
import shutil
import sys

SKIPPED = 77
try:
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service
except ImportError:
    print("skipped: python3-selenium is not installed")
    sys.exit(SKIPPED)
DRIVER = shutil.which("chromedriver")
if not DRIVER or not shutil.which("chromium"):
    print("skipped: chromium and chromium-driver are not installed")
    sys.exit(SKIPPED)


class Browser:
    """A browser with one window, and what it was asked for; `file` is the address of its page."""

    def __init__(self, window_size, script_timeout_s):
        options = Options()
        for word in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu",
                     f"--window-size={window_size}"):
            options.add_argument(word)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(service=Service(DRIVER), options=options)
        self.driver.set_script_timeout(script_timeout_s)

    def check_quiet(self):
        """No console message, and no request except for the file itself."""
        messages = self.driver.get_log("browser")
        assert messages == [], messages
        asked = []
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                asked.append(message["params"]["request"]["url"])
        others = [url for url in asked if url != self.file and not url.startswith(("data:", "blob:"))]
        assert others == [], others
