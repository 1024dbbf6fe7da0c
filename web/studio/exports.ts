// Files that the page gives: TOML, CSV, texts, the map as PNG.

import { h } from "../report/dom";

export function download(name: string, content: BlobPart, type: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = h("a", { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

const SCALE = 2; // pixels of the picture for one of the page
const GAP = 8;

function loaded(svg: SVGSVGElement): Promise<HTMLImageElement> {
  const clone = svg.cloneNode(true) as SVGSVGElement;
  const style = document.createElementNS("http://www.w3.org/2000/svg", "style");
  style.textContent = [...document.querySelectorAll("style")].map((one) => one.textContent).join("\n");
  clone.prepend(style);
  clone.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  const image = new Image();
  const text = new XMLSerializer().serializeToString(clone);
  return new Promise((resolve, reject) => {
    image.onload = () => resolve(image);
    image.onerror = () => reject(new Error("the picture cannot be drawn"));
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  });
}

/** Pictures below each other as PNG. */
export async function png(svgs: SVGSVGElement[]): Promise<Blob> {
  const images = await Promise.all(svgs.map(loaded));
  const sizes = svgs.map((svg) => [Number(svg.getAttribute("width")), Number(svg.getAttribute("height"))]);
  const canvas = document.createElement("canvas");
  canvas.width = Math.ceil(SCALE * Math.max(...sizes.map(([width]) => width)));
  canvas.height = Math.ceil(SCALE * sizes.reduce((sum, [, height]) => sum + height + GAP, 0));
  const context = canvas.getContext("2d") as CanvasRenderingContext2D;
  context.fillStyle = getComputedStyle(document.body).backgroundColor;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.scale(SCALE, SCALE);
  let y = 0;
  images.forEach((image, k) => {
    context.drawImage(image, 0, y, sizes[k][0], sizes[k][1]);
    y += sizes[k][1] + GAP;
  });
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the picture cannot be made"))), "image/png"),
  );
}
