const PATCH_PX = 28;
const SIDE_MAX_PX = 1_568;

/**
 * Estimates the prompt tokens of a picture: one per 28 × 28 pixels, after scaling the longer side to at most 1,568
 * pixels. Common models count within a factor of two of this.
 */
export function pictureTokens({ width, height }: { width: number; height: number }): number {
  const scale = Math.min(1, SIDE_MAX_PX / Math.max(width, height));
  return Math.ceil((width * scale) / PATCH_PX) * Math.ceil((height * scale) / PATCH_PX);
}
