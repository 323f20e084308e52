import type { TurnpikeClientOptions } from '../exchange';

/**
 * Connection to the gateway, or a function that returns it. The function is called before each request, so that it can
 * renew a wallet's sign-in.
 */
export type Connection = TurnpikeClientOptions | (() => TurnpikeClientOptions);

export function connectionNow(connection: Connection): TurnpikeClientOptions {
  return typeof connection === 'function' ? connection() : connection;
}
