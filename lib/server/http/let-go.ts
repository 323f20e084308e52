let dropped = new Set<ArrayBuffer>();

/**
 * Frees an unwanted chunk in the event loop's next phase, when its sender no longer uses the chunk. At 100 MB/s, the
 * garbage collector would otherwise run constantly. Does not free shared memory. Nothing else may refer to the chunk.
 */
export function letGo(chunk: Uint8Array): void {
  const { buffer } = chunk;
  if (!(buffer instanceof ArrayBuffer) || chunk.byteLength !== buffer.byteLength) return;
  if (dropped.size === 0) setImmediate(free);
  dropped.add(buffer);
}

function free(): void {
  const buffers = dropped;
  dropped = new Set();
  for (const buffer of buffers) buffer.transfer(0);
}
