import type { Gateway } from '../gateway';
import type { Endpoint } from './endpoint';
import type { Router } from './router';

/** The gateway with the endpoints it serves: what the entries (node:http, its fast lane, Next) hold. */
export interface ServedGateway extends Gateway {
  endpoints: readonly Endpoint[];
  router: Router;
}

/** Next's bundles and the server's have modules of their own: the one gateway of the process lives here. */
const SLOT = Symbol.for('turnpike.gateway');
type Slot = { [SLOT]?: ServedGateway };

/** The gateway of this process; undefined before it has started. */
export function startedGateway(): ServedGateway | undefined {
  return (globalThis as Slot)[SLOT];
}

/** @throws Error before `setGateway`. */
export function theGateway(): ServedGateway {
  const gateway = startedGateway();
  if (!gateway) throw new Error('The gateway has not been started.');
  return gateway;
}

export function setGateway(gateway: ServedGateway): void {
  (globalThis as Slot)[SLOT] = gateway;
}
