// The keyboard's place when a part of the page is rebuilt.

/** Calls `draw`; what had the focus in `root` has it again, found by its label. */
export function keepFocus(root: HTMLElement, draw: () => void): void {
  const active = document.activeElement;
  const label = active && root.contains(active) ? active.getAttribute("aria-label") : null;
  draw();
  if (label === null) return;
  const same = [...root.querySelectorAll<HTMLElement>("[aria-label]")].find(
    (one) => one.getAttribute("aria-label") === label,
  );
  same?.focus();
}
