const FRAME_MS = [
  // SILK, in three bandwidths.
  ...[10, 20, 40, 60, 10, 20, 40, 60, 10, 20, 40, 60],
  // Hybrid, in two bandwidths.
  ...[10, 20, 10, 20],
  // CELT, in four bandwidths.
  ...[2.5, 5, 10, 20, 2.5, 5, 10, 20, 2.5, 5, 10, 20, 2.5, 5, 10, 20],
];

/** Returns the duration of an Opus packet in seconds, from its first two bytes (RFC 6716, section 3.1). */
export function opusPacketSeconds(packet: Uint8Array): number {
  const [first, second = 0] = packet;
  if (first === undefined) return 0;
  const code = first & 3;
  const frames = code === 0 ? 1 : code === 3 ? second & 63 : 2;
  return ((FRAME_MS[first >>> 3] as number) * frames) / 1_000;
}
