/** Does something as soon as the page has shown what came of the press at hand, so that the press is not answered later for it. */
export function afterPaint(act: () => void): void {
  requestAnimationFrame(() => setTimeout(act));
}
