import type { Logger } from 'pino';
import type { HeldMemory } from './held-memory/held-memory';
import type { Drain } from './drain';
import type { Endpoint, RequestObserver } from './endpoint';
import type { Router } from './router';

/** What the entries (node:http, its fast path, Next) serve. */
export interface ServedApi {
  endpoints: readonly Endpoint[];
  router: Router;
  log: Logger;
  /** Hears how each request came out. */
  observer: RequestObserver | null;
  /** What large answers are held in. */
  memory: HeldMemory;
  /** Whether the process is about to end. */
  drain: Drain;
  /** Value of X-Service-Profile on every answer; null for none. */
  profileHeader: string | null;
  /** Proxies in front whose X-Forwarded-For is believed. */
  trustProxyHops: number;
  /** Whether pages connect to WalletConnect, which their content policy has to allow. */
  hasWalletConnect: boolean;
}

/** Next's bundles and the server's have modules of their own: what this process serves lives here. */
const SLOT = Symbol.for('turnpike.api');
type Slot = { [SLOT]?: ServedApi };

/** What this process serves; undefined before it has started. */
export function startedApi(): ServedApi | undefined {
  return (globalThis as Slot)[SLOT];
}

/** @throws Error before `setServedApi`. */
export function servedApi(): ServedApi {
  const api = startedApi();
  if (!api) throw new Error('The gateway has not been started.');
  return api;
}

export function setServedApi(api: ServedApi): void {
  (globalThis as Slot)[SLOT] = api;
}
