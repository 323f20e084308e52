import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { z } from 'zod';
import { NETWORKS, SANDBOX_TESTNET } from '@/lib/protocol/networks';
import { ConfigError } from './config-error';
import { databaseUrlOf, type Environment, furtherSlugs, portOf, secretOf, settingsOf, upstreamUrlsOf } from './environment';
import { type Faults, readConfigFile } from './file';
import { type InferenceConfig, inferenceConfig, inferenceSchema } from './inference';
import { type PaymentsConfig, paymentsConfig } from './payments';
import { configSchema, type ConfigFile, type Limits, limitsOf } from './schema';
import { Secret } from './secret';
import { type SpeechConfig, speechConfig, speechSchema } from './speech';
import { type VideoConfig, videoConfig, videoSchema } from './video';

export { ConfigError } from './config-error';

/** One JSON-RPC endpoint of a network. The URL is a secret: providers put keys into it. */
export interface UpstreamConfig {
  url: Secret;
  headers: Readonly<Record<string, Secret>>;
}

/** The configuration as the gateway uses it: defaults filled in, environment applied, secrets wrapped. */
export interface Config extends Omit<ConfigFile, 'limits' | 'networks' | 'payments' | 'inference' | 'speech' | 'video' | '$schema'> {
  host: string;
  port: number;
  limits: Limits;
  /** Absolute path of the data folder. */
  dataDir: string;
  /** The operator's secret; absent in the sandbox until one is generated. */
  secret: Secret | null;
  /** The Postgres that several gateways may share; null for SQLite in the data folder. */
  databaseUrl: Secret | null;
  payments: PaymentsConfig;
  inference: InferenceConfig;
  speech: SpeechConfig;
  video: VideoConfig;
  networks: Readonly<Record<string, Omit<ConfigFile['networks'][string], 'upstreams'> & { upstreams: UpstreamConfig[] }>>;
}

const DEFAULT_FILE = 'turnpike.config.json';

/**
 * Reads the configuration: the file named by TURNPIKE_CONFIG, else turnpike.config.json where there is one, with
 * `${NAME}` replaced from the environment, then what the environment alone says (docs/operating.md lists it).
 * @param secretNeeded whether the live profile must have its secret, as a gateway must and an offline command need not.
 * @throws ConfigError naming every fault.
 */
export function loadConfig(env: Environment = process.env, cwd: string = process.cwd(), { secretNeeded = true } = {}): Config {
  const faults: Faults = new Map();
  const path = resolve(cwd, env.TURNPIKE_CONFIG || DEFAULT_FILE);
  const file = env.TURNPIKE_CONFIG || existsSync(/* turbopackIgnore: true */ path) ? readConfigFile(path, env, faults) : {};
  const { settings: fromEnvironment, variables } = settingsOf(env);
  const merged: Record<string, unknown> = { ...file, ...fromEnvironment };
  const verdict = configSchema.safeParse(merged);
  if (!verdict.success) noteFaults(verdict.error, variables, faults);
  const port = portOf(env, faults);
  const secret = secretOf(env, secretNeeded && merged.profile === 'live', faults);
  const databaseUrl = databaseUrlOf(env, faults);
  const networks = withUpstreams(verdict.data?.networks ?? {}, env, faults);
  const inference = inferenceConfig(verdict.data?.inference ?? inferenceSchema.parse({}), env, faults);
  const speech = speechConfig(verdict.data?.speech ?? speechSchema.parse({}), env, faults);
  const video = videoConfig(verdict.data?.video ?? videoSchema.parse({}), env, faults);
  if (!verdict.success || faults.size > 0) throw new ConfigError([...faults].map(([field, fault]) => `${field}: ${fault}`));
  const { $schema: _schema, ...settings } = verdict.data;
  return { ...settings, limits: limitsOf(settings), host: env.HOST || '127.0.0.1', port, dataDir: resolve(cwd, settings.dataDir), secret, databaseUrl, networks, payments: paymentsConfig(verdict.data.payments), inference, speech, video };
}

/** Names each fault by the path of its field, or by the variable that gave its value. */
function noteFaults(error: z.ZodError, variables: ReadonlyMap<string, string>, faults: Faults): void {
  for (const { path: steps, message } of error.issues.flatMap(innermost)) {
    const path = steps.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('').replace(/^\./, '');
    const [field, variable] = [...variables].find(([given]) => path === given || path.startsWith(`${given}[`)) ?? [path, path];
    const name = variable + path.slice(field.length) || '(the whole file)';
    if (!faults.has(name)) faults.set(name, message);
  }
}

/** What is wrong with a key, or with the one alternative of several that was meant, instead of that something is. */
function innermost(issue: z.core.$ZodIssue): { path: PropertyKey[]; message: string }[] {
  if (issue.code === 'invalid_key') return [{ path: issue.path, message: issue.issues[0]?.message ?? issue.message }];
  if (issue.code !== 'invalid_union') return [issue];
  const [meant, ...others] = issue.errors.filter((faults) => faults.some(({ code, path }) => code !== 'invalid_type' || path.length > 0));
  if (!meant || others.length > 0) return [issue];
  return meant.flatMap(innermost).map(({ path, message }) => ({ path: [...issue.path, ...path], message }));
}

function withUpstreams(networks: ConfigFile['networks'], env: Environment, faults: Faults): Config['networks'] {
  const slugs = new Set([...NETWORKS.map((network) => network.slug), SANDBOX_TESTNET.slug, ...Object.keys(networks), ...furtherSlugs(env)]);
  const complete: Record<string, Config['networks'][string]> = {};
  for (const slug of slugs) {
    const settings = networks[slug];
    const urls = upstreamUrlsOf(slug, env, faults);
    if (!settings && !urls) continue;
    complete[slug] = { ...settings, upstreams: (urls ?? settings?.upstreams ?? []).map(wrapUpstream) };
  }
  return complete;
}

function wrapUpstream(upstream: string | { url: string; headers: Record<string, string> }): UpstreamConfig {
  if (typeof upstream === 'string') return { url: new Secret(upstream), headers: {} };
  const headers = Object.fromEntries(Object.entries(upstream.headers).map(([name, value]) => [name.toLowerCase(), new Secret(value)]));
  return { url: new Secret(upstream.url), headers };
}
