let dropped = new Set<ArrayBuffer>();

/**
 * Gives back the memory of a chunk that nobody wants, in the next phase of the event loop, in which whoever handed it
 * over is through with it. Left to the collector, a hundred megabytes a second of such chunks make it run all the time.
 * A chunk that shares its memory with others is left alone, and so must be one that anybody else refers to.
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
  // To a buffer without bytes, which is to say to nobody.
  for (const buffer of buffers) buffer.transfer(0);
}
