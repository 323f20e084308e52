/** Does something once what came of the press at hand is painted, which then does not wait for it. */
export function afterPaint(act: () => void): void {
  requestAnimationFrame(() => setTimeout(act));
}
