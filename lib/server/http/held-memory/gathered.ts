import type { HeldMemory } from './held-memory';
import { HeldParts } from './held-parts';

/**
 * Gathers a body that is read part by part. Where there is no memory for it, no further part is taken until there is:
 * what it comes from waits then.
 * @param memory bounds what long bodies take together; null for no bound
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
