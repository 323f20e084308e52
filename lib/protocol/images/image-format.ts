export const IMAGE_FORMATS = ['png', 'jpeg', 'webp'] as const;
export type ImageFormat = (typeof IMAGE_FORMATS)[number];

/** Returns an image's format by its first bytes; null if unknown. */
export function imageFormatOf(bytes: Uint8Array): ImageFormat | null {
  const starts = (at: number, ...expected: number[]): boolean =>
    expected.every((byte, index) => bytes[at + index] === byte);
  if (starts(0, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'png';
  if (starts(0, 0xff, 0xd8, 0xff)) return 'jpeg';
  // "RIFF", a length, "WEBP".
  if (starts(0, 0x52, 0x49, 0x46, 0x46) && starts(8, 0x57, 0x45, 0x42, 0x50)) return 'webp';
  return null;
}
