import type { Auth } from '../../auth/auth';
import type { PaidCalls } from '../../billing/paid-calls';
import type { Config } from '../../config/load';
import type { Endpoint } from '../../http/endpoint';
import { AddressLimiter } from '../../http/rate-limit/address-limiter';
import { Router } from '../../http/router';

/** Parts that all endpoints share. A reload creates new address limiters. */
interface Serving {
  config: Config;
  auth: Auth;
  paidCalls: PaidCalls;
  addressLimiter: AddressLimiter;
  /** Limits requests that the console repeats, by client address. */
  consoleLimiter: AddressLimiter;
}

/**
 * Part of the gateway, such as chats or payments. It registers its own metrics when it is opened. `create-gateway.ts`
 * lists all capabilities.
 */
export interface Capability {
  /** Returns the endpoints under a configuration. Called at the start and after each reload. */
  endpoints?(serving: Serving): readonly Endpoint[];
  /**
   * Prepares another configuration, and returns a function that applies it. Throws if the preparation fails.
   * @param changed paths of the changed fields
   */
  reload?(next: Config, changed: readonly string[]): (() => void) | Promise<() => void>;
  close?(): void | Promise<void>;
}

/** Returns the endpoints of all capabilities under a configuration. */
export function served(capabilities: readonly Capability[], shared: Pick<Serving, 'config' | 'auth' | 'paidCalls'>) {
  const { config } = shared;
  const serving: Serving = {
    ...shared,
    addressLimiter: new AddressLimiter(config.limits.publicRequestsPerMinutePerIp),
    consoleLimiter: new AddressLimiter(config.limits.consoleRequestsPerMinutePerIp),
  };
  const endpoints: readonly Endpoint[] = capabilities.flatMap((capability) => capability.endpoints?.(serving) ?? []);
  return { config, endpoints, router: new Router(endpoints) };
}

/** Applies another configuration after all capabilities have prepared it. Changes nothing if it throws. */
export async function reloaded(
  capabilities: readonly Capability[],
  next: Config,
  changed: readonly string[],
): Promise<void> {
  const replacements: ((() => void) | undefined)[] = [];
  for (const capability of capabilities) replacements.push(await capability.reload?.(next, changed));
  for (const replace of replacements) replace?.();
}
