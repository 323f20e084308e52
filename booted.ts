import type { Gateway } from '@/lib/server/create-gateway';

const SLOT = Symbol.for('turnpike.boot');
type Slot = { [SLOT]?: Promise<Gateway> };

/**
 * Returns the gateway of this process, started or starting; undefined if no entry has begun to start it. The promise is
 * on `globalThis`, because Next bundles its own copy of this module.
 */
export function bootedGateway(): Promise<Gateway> | undefined {
  return (globalThis as Slot)[SLOT];
}

/** Runs `start` once in this process, for the first caller. */
export function bootOnce(start: () => Promise<Gateway>): Promise<Gateway> {
  return ((globalThis as Slot)[SLOT] ??= start());
}
