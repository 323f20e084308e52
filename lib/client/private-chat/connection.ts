import type { TurnpikeClientOptions } from '../exchange';

/** How the gateway is reached. A function is asked before every call, for a credential that changes (a wallet signs in anew). */
export type Connection = TurnpikeClientOptions | (() => TurnpikeClientOptions);

/** The connection as it is now. */
export function connectionNow(connection: Connection): TurnpikeClientOptions {
  return typeof connection === 'function' ? connection() : connection;
}
