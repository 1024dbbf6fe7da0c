// node bundle.mjs FOLDER WASM OUT: puts the page together from FOLDER/main.js, worker.js and style.css.

import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const MOST_BYTES = 3_000_000;
const [folder, wasm, out] = process.argv.slice(2);
if (!out) {
  console.error("usage: node bundle.mjs FOLDER WASM OUT");
  process.exit(2);
}
const text = (file) => readFileSync(file, "utf8");
// Nothing in a script may end it or begin a comment of HTML.
const script = (code) => code.replace(/<\/(script)/gi, "<\\/$1").replace(/<!--/g, "<\\!--");
const here = new URL(".", import.meta.url).pathname;
const policy =
  "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval'; style-src 'unsafe-inline'; img-src data:; " +
  "worker-src blob:; form-action 'none'; base-uri 'none'";
const page = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>graspmap studio</title>
<link rel="icon" href="data:,">
<style>
${text(`${folder}/style.css`)}</style>
</head>
<body class="studio">
${text(`${here}body.html`)}<!-- graspmap: parts -->
<script type="text/plain" data-part="wasm">${gzipSync(readFileSync(wasm), { level: 9 }).toString("base64")}</script>
<script type="text/plain" id="worker">${script(text(`${folder}/worker.js`))}</script>
<script>
${script(text(`${folder}/main.js`))}</script>
</body>
</html>
`;
if (page.length > MOST_BYTES) {
  console.error(`the page has ${page.length} bytes; must be ${MOST_BYTES} at most`);
  process.exit(1);
}
writeFileSync(out, page);
console.log(`${out}: ${(page.length / 1e6).toFixed(2)} MB`);
