// The script of the page's workers.

import "../package/src/browser_worker";
