import type { Gateway } from '@/lib/server/create-gateway';

const SLOT = Symbol.for('turnpike.boot');
type Slot = { [SLOT]?: Promise<Gateway> };

/**
 * The gateway of this process, starting or started; undefined where no entry has begun to. It is kept on `globalThis`
 * since Next bundles what it loads: under server.ts, its copy of the code that starts gateways need not be loaded to ask.
 */
export function bootedGateway(): Promise<Gateway> | undefined {
  return (globalThis as Slot)[SLOT];
}

/** Has `start` run once in this process, whichever entry comes first. */
export function bootOnce(start: () => Promise<Gateway>): Promise<Gateway> {
  return ((globalThis as Slot)[SLOT] ??= start());
}
