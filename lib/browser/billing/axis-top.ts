/**
 * Returns the end of a chart's axis: the smallest of 1, 2, 4 or 10 times a power of ten that is at least `max`. Returns
 * 1 for 0.
 */
export function axisTopOf(max: number): number {
  if (!(max > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(max));
  const step = [1, 2, 4, 10].find((each) => each * power >= max) ?? 10;
  // Rounds, because powers of ten below one are inexact floats.
  return Number((step * power).toPrecision(1));
}
