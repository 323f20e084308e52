const PATCH_PX = 28;
const SIDE_MAX_PX = 1_568;

/**
 * Estimates a picture's prompt tokens. The counts of common models differ from the estimate by at most a factor of two.
 */
export function pictureTokens({ width, height }: { width: number; height: number }): number {
  const scale = Math.min(1, SIDE_MAX_PX / Math.max(width, height));
  return Math.ceil((width * scale) / PATCH_PX) * Math.ceil((height * scale) / PATCH_PX);
}
