/** Where the axis of a chart ends: the smallest of 1, 2, 4 or 10 times a power of ten that `max` fits under, so that its half is round too. 1 for nothing. */
export function axisTopOf(max: number): number {
  if (!(max > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(max));
  const step = [1, 2, 4, 10].find((each) => each * power >= max) ?? 10;
  // Powers of ten below one are not exact: 4 × 10⁻⁷ is to be 4e-7.
  return Number((step * power).toPrecision(1));
}
