import type { PageBrand } from '@/lib/protocol/brand';
import type { Logger } from 'pino';
import type { HeldMemory } from './held-memory/held-memory';
import type { Drain } from './drain-server';
import type { RequestObserver } from './endpoint';
import type { Router } from './router';

/** The API that `server.ts` and `next start` serve. A reload replaces its router. */
export interface ServedApi {
  readonly router: Router;
  log: Logger;
  observer: RequestObserver | null;
  memory: HeldMemory;
  drain: Drain;
  profileHeader: string | null;
  brand: PageBrand;
  trustProxyHops: number;
  /** True if pages connect to WalletConnect, which their Content-Security-Policy must then allow. */
  hasWalletConnect: boolean;
}

/** A global symbol, because Next's bundles and the server each have their own copy of this module. */
const SLOT = Symbol.for('turnpike.api');
type Slot = { [SLOT]?: ServedApi };

export function startedApi(): ServedApi | undefined {
  return (globalThis as Slot)[SLOT];
}

export function servedApi(): ServedApi {
  const api = startedApi();
  if (!api) throw new Error('The gateway has not been started.');
  return api;
}

export function setServedApi(api: ServedApi): void {
  (globalThis as Slot)[SLOT] = api;
}
