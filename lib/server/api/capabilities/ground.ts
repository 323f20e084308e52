import type { Logger } from 'pino';
import { type GatewayRules, signInRules } from '../../auth/sign-in-rules';
import type { Config } from '../../config/load';
import { originOf } from '../../config/origin';
import { HeldMemory } from '../../http/held-memory/held-memory';
import { Metrics } from '../../telemetry/metrics';

/** Parts that every capability may use from the start. */
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
