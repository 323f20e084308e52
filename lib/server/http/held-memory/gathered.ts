import type { HeldMemory } from './held-memory';
import { HeldParts } from './held-parts';

/**
 * Collects a body part by part. While no memory is free, reads no further part, so that the source waits.
 * @param memory as for `MemoryClaim`
 */
export async function gathered(parts: AsyncIterable<Uint8Array>, memory: HeldMemory | null): Promise<Buffer> {
  let goOn: () => void = () => undefined;
  const body = new HeldParts(memory, () => goOn());
  let isWhole = false;
  try {
    for await (const part of parts) if (!body.add(part)) await new Promise<void>((resolve) => (goOn = resolve));
    isWhole = true;
    return body.whole();
  } finally {
    if (!isWhole) body.giveUp();
  }
}
