import type { Logger } from 'pino';
import type { Auth } from '../../auth/auth';
import { type GatewayRules, signInRules } from '../../auth/sign-in-rules';
import type { PaidCalls } from '../../billing/paid-calls';
import type { Config } from '../../config/load';
import type { Endpoint } from '../../http/endpoint';
import { HeldMemory } from '../../http/held-memory/held-memory';
import { AddressLimiter } from '../../http/rate-limit/address-limiter';
import { Router } from '../../http/router';
import { Metrics } from '../../telemetry/metrics';

/** Parts that all endpoints share. A reload replaces `addressLimiter` and `consoleLimiter`. */
interface Serving {
  config: Config;
  auth: Auth;
  paidCalls: PaidCalls;
  addressLimiter: AddressLimiter;
  /** Limits the console's polling by client address. */
  consoleLimiter: AddressLimiter;
}

/**
 * Part of the gateway, such as chats or payments. It registers its own metrics when it is opened. `create-gateway.ts`
 * lists all capabilities.
 */
export interface Capability {
  /** Returns the endpoints for the current configuration. Called at the start and after each reload. */
  endpoints?(serving: Serving): readonly Endpoint[];
  /**
   * Prepares another configuration, and returns a function that applies it. Throws if the preparation fails.
   * @param changed the changed fields, as paths
   */
  reload?(next: Config, changed: readonly string[]): (() => void) | Promise<() => void>;
  close?(): void | Promise<void>;
}

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

/** Applies another configuration after all capabilities have prepared it. Changes nothing if a preparation throws. */
export async function reloaded(
  capabilities: readonly Capability[],
  next: Config,
  changed: readonly string[],
): Promise<void> {
  const replacements: ((() => void) | undefined)[] = [];
  for (const capability of capabilities) replacements.push(await capability.reload?.(next, changed));
  for (const replace of replacements) replace?.();
}

/** Parts that most capabilities receive. */
export interface Ground {
  /** Configuration at the start. A reload passes the new configuration. */
  config: Config;
  log: Logger;
  now: () => number;
  metrics: Metrics;
  memory: HeldMemory;
  rules: GatewayRules;
}

export function groundOf(config: Config, log: Logger, now: () => number): Ground {
  const { publicUrls, port, signIn, payments, brand } = config;
  const chainIds = [...signIn.chainIds, ...payments.rails.map(({ network }) => network)];
  const rules = signInRules({ publicUrls, port, chainIds, statement: brand.signInStatement }, originOf(config));
  return { config, log, now, rules, metrics: new Metrics(), memory: new HeldMemory(config.memory) };
}

const LOCAL_HOSTS = ['127.0.0.1', '0.0.0.0', '::', '::1'];

function originOf({ publicUrls, host, port }: Pick<Config, 'publicUrls' | 'host' | 'port'>): string {
  const [publicUrl] = publicUrls;
  if (publicUrl) return publicUrl.replace(/\/$/, '');
  if (LOCAL_HOSTS.includes(host)) return `http://localhost:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
