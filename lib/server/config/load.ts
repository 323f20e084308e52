import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { NETWORKS, SANDBOX_TESTNET } from '@/lib/protocol/networks';
import { type AdminListenerConfig, adminListenerOf } from './admin-listener';
import { ConfigError } from './config-error';
import { checkTogether } from './checks';
import { type DrainConfig, drainOf } from './drain';
import {
  databaseUrlOf,
  type Environment,
  portOf,
  previousSecretOf,
  secretOf,
  settingsOf,
  upstreamUrlsOf,
} from './environment';
import { Faults } from './faults';
import { type ReadFile, readConfigFile } from './file';
import { type InferenceConfig, inferenceConfig, inferenceSchema } from './inference';
import { operatorsOf, type OperatorsConfig } from './operators';
import { type OtlpConfig, otlpOf, otlpSchema } from './otlp';
import { type PaymentsConfig, paymentsConfig } from './payments';
import { type RetentionConfig, retentionOf } from './retention';
import { noteSchemaFaults } from './schema-faults';
import { configSchema, type ConfigFile, type Limits, limitsOf } from './schema';
import { Secret } from './secret';
import { withSecretFiles } from './secret-files';
import type { Substituted } from './substitution';
import { type SpeechConfig, speechConfig, speechSchema } from './speech';
import { type WebhooksConfig, webhooksOf } from './webhooks';
import { type VideoConfig, videoConfig, videoSchema } from './video';

export { ConfigError } from './config-error';

/** One JSON-RPC endpoint of a network. The URL is a secret: providers put keys into it. */
export interface UpstreamConfig {
  url: Secret;
  headers: Readonly<Record<string, Secret>>;
  /** Whether it is sent the traceparent of the requests that it is asked for; false unless given. */
  traceContext?: boolean;
}

/** The configuration as the gateway uses it: defaults filled in, environment applied, secrets wrapped. */
export interface Config extends Omit<
  ConfigFile,
  | 'limits'
  | 'drain'
  | 'webhooks'
  | 'retention'
  | 'networks'
  | 'payments'
  | 'inference'
  | 'speech'
  | 'video'
  | 'otlp'
  | 'operators'
  | '$schema'
> {
  host: string;
  port: number;
  limits: Limits;
  drain: DrainConfig;
  /** Where metrics are served; null for nowhere. */
  adminListener: AdminListenerConfig | null;
  webhooks: WebhooksConfig;
  operators: OperatorsConfig;
  retention: RetentionConfig;
  /** Where traces are sent; null for nowhere. */
  otlp: OtlpConfig | null;
  /** Absolute path of the data folder. */
  dataDir: string;
  /** The operator's secret; absent in the sandbox until one is generated. */
  secret: Secret | null;
  /** The one before it, whose signatures hold until they expire. */
  previousSecret: Secret | null;
  /** The Postgres that several gateways may share; null for SQLite in the data folder. */
  databaseUrl: Secret | null;
  payments: PaymentsConfig;
  inference: InferenceConfig;
  speech: SpeechConfig;
  video: VideoConfig;
  networks: Readonly<
    Record<string, Omit<ConfigFile['networks'][string], 'upstreams'> & { upstreams: UpstreamConfig[] }>
  >;
  /** What is doubtful, each with the path of its field; it is told at the start. */
  warnings: readonly string[];
}

const DEFAULT_FILE = 'turnpike.config.json';
const NO_FILE: ReadFile = { settings: {}, substituted: new Map() };

/** Absolute path of the file that is in use; null where there is none, and none was named. */
export function configFile(env: Environment = process.env, cwd: string = process.cwd()): string | null {
  const path = resolve(cwd, env.TURNPIKE_CONFIG || DEFAULT_FILE);
  return env.TURNPIKE_CONFIG || existsSync(/* turbopackIgnore: true */ path) ? path : null;
}

/**
 * Reads the configuration: the file named by TURNPIKE_CONFIG, else turnpike.config.json where there is one, with
 * `${NAME}` replaced from the environment, then what the environment alone says (docs/operating.md lists it).
 * @param secretNeeded whether the live profile must have its secret, as a gateway must and an offline command need not.
 * @throws ConfigError naming every fault.
 */
export function loadConfig(
  env: Environment = process.env,
  cwd: string = process.cwd(),
  options: { secretNeeded?: boolean } = {},
): Config {
  return readConfig(env, cwd, options).config;
}

/** What a configuration was read from. */
export interface ConfigSource {
  /** The file; null where there is none. */
  file: string | null;
  env: Environment;
  /** File and variables together, before defaults. */
  given: Readonly<Record<string, unknown>>;
  /** The same with every default of the schema. */
  complete: ConfigFile;
  /** Variables that gave a field instead of the file, by its path. */
  variables: ReadonlyMap<string, string>;
  /** Variables that strings of the file took in, by the path of the string. */
  substituted: Substituted;
}

/** The same as `loadConfig`, with what it was read from. @throws ConfigError */
export function readConfig(
  environment: Environment,
  cwd: string,
  { secretNeeded = true }: { secretNeeded?: boolean } = {},
): { config: Config; source: ConfigSource } {
  const [faults, warnings] = [new Faults(), new Faults()];
  const env = withSecretFiles(environment, faults);
  const path = configFile(env, cwd);
  const { settings: file, substituted } = path === null ? NO_FILE : readConfigFile(path, env, faults);
  const { settings: fromEnvironment, variables } = settingsOf(env);
  const merged: Record<string, unknown> = { ...file, ...fromEnvironment };
  const verdict = configSchema.safeParse(merged);
  const together = {
    settings: merged,
    defaults: configSchema.parse({}),
    isLive: merged.profile === 'live',
    env,
    variables,
    substituted,
  };
  // What says most is noted first: the first fault of a field counts.
  checkTogether(together, { faults, warnings });
  if (!verdict.success) noteSchemaFaults(verdict.error, { schema: configSchema, ...together }, faults);
  const port = portOf(env, faults);
  const secret = secretOf(env, secretNeeded && merged.profile === 'live', faults);
  const previousSecret = previousSecretOf(env, faults);
  const databaseUrl = databaseUrlOf(env, faults);
  const adminListener = adminListenerOf(env, faults);
  const otlp = otlpOf(verdict.data?.otlp ?? otlpSchema.parse({}), env, faults);
  const operators = operatorsOf(verdict.data?.operators ?? [], env, faults);
  const networks = withUpstreams(verdict.data?.networks ?? {}, env, faults);
  const inference = inferenceConfig(verdict.data?.inference ?? inferenceSchema.parse({}), env, faults);
  const speech = speechConfig(verdict.data?.speech ?? speechSchema.parse({}), env, faults);
  const video = videoConfig(verdict.data?.video ?? videoSchema.parse({}), env, faults);
  if (!verdict.success || faults.size > 0) throw new ConfigError(faults.lines(), warnings.lines());
  const { $schema: _schema, ...settings } = verdict.data;
  const dataDir = resolve(cwd, settings.dataDir);
  const config: Config = {
    ...settings,
    limits: limitsOf(settings),
    drain: drainOf(settings),
    adminListener,
    webhooks: webhooksOf(settings),
    operators,
    otlp,
    retention: retentionOf(settings.retention, dataDir, cwd),
    host: env.HOST || '127.0.0.1',
    port,
    dataDir,
    secret,
    previousSecret,
    databaseUrl,
    networks,
    payments: paymentsConfig(verdict.data.payments),
    inference,
    speech,
    video,
    warnings: warnings.lines(),
  };
  return { config, source: { file: path, env, given: merged, complete: verdict.data, variables, substituted } };
}

function withUpstreams(networks: ConfigFile['networks'], env: Environment, faults: Faults): Config['networks'] {
  const slugs = new Set([...NETWORKS.map((network) => network.slug), SANDBOX_TESTNET.slug, ...Object.keys(networks)]);
  const complete: Record<string, Config['networks'][string]> = {};
  for (const slug of slugs) {
    const settings = networks[slug];
    const urls = upstreamUrlsOf(slug, env, faults);
    if (!settings && !urls) continue;
    complete[slug] = { ...settings, upstreams: (urls ?? settings?.upstreams ?? []).map(wrapUpstream) };
  }
  return complete;
}

function wrapUpstream(
  upstream: string | { url: string; headers: Record<string, string>; traceContext: boolean },
): UpstreamConfig {
  if (typeof upstream === 'string') return { url: new Secret(upstream), headers: {} };
  const headers = Object.fromEntries(
    Object.entries(upstream.headers).map(([name, value]) => [name.toLowerCase(), new Secret(value)]),
  );
  return { url: new Secret(upstream.url), headers, traceContext: upstream.traceContext };
}
