import { NETWORKS, SANDBOX_TESTNET } from '@/lib/protocol/networks';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type BrandConfig, brandOf, brandSchema } from './brand';
import { checkTogether } from './checks';
import { type EmbeddingsConfig, embeddingsConfig, embeddingsSchema } from './embeddings';
import {
  databaseUrlOf,
  type Environment,
  portOf,
  previousSecretOf,
  secretOf,
  settingsOf,
  upstreamUrlsOf,
} from './environment';
import { ConfigError, Faults } from './faults';
import { readConfigFile, type ReadFile, type Substituted } from './file';
import { type ImagesConfig, imagesConfig, imagesSchema } from './images';
import { type InferenceConfig, inferenceConfig, inferenceSchema } from './inference';
import { type OtlpConfig, otlpOf, otlpSchema } from './observability';
import { type OperatorsConfig, operatorsOf } from './operators';
import { type PaymentsConfig, paymentsConfig } from './payments';
import { type DrainConfig, drainOf } from './readiness';
import { type RetentionConfig, retentionOf } from './retention';
import { type ConfigFile, configSchema, type Limits, limitsOf } from './schema';
import { noteSchemaFaults } from './schema-faults';
import { Secret } from './secret';
import { withSecretFiles } from './secret-files';
import { type SpeechConfig, speechConfig, speechSchema } from './speech';
import { type TranscriptionsConfig, transcriptionsConfig, transcriptionsSchema } from './transcriptions';
import { type VideoConfig, videoConfig, videoSchema } from './video';
import { type WebhooksConfig, webhooksOf } from './webhooks';

export { ConfigError } from './faults';

/** A network's JSON-RPC endpoint. Its URL is a secret, because providers put keys into URLs. */
export interface UpstreamConfig {
  url: Secret;
  headers: Readonly<Record<string, Secret>>;
  /** True to forward requests' trace context to the endpoint. */
  traceContext?: boolean;
}

/**
 * Configuration with defaults, variables and wrapped secrets.
 *
 * Only `lib/server/config` reads it from the file and environment: at the start and at each reload. An invalid
 * configuration prevents the start with an error that lists every faulty field and its expected form.
 */
export interface Config extends Omit<
  ConfigFile,
  | 'limits'
  | 'brand'
  | 'drain'
  | 'webhooks'
  | 'retention'
  | 'networks'
  | 'payments'
  | 'inference'
  | 'speech'
  | 'embeddings'
  | 'images'
  | 'transcriptions'
  | 'video'
  | 'otlp'
  | 'operators'
  | '$schema'
> {
  host: string;
  port: number;
  limits: Limits;
  brand: BrandConfig;
  drain: DrainConfig;
  adminListener: AdminListenerConfig | null;
  webhooks: WebhooksConfig;
  operators: OperatorsConfig;
  retention: RetentionConfig;
  otlp: OtlpConfig | null;
  /** Absolute path of the data folder. */
  dataDir: string;
  /** The operator's secret. In the sandbox, null until the gateway has generated one. */
  secret: Secret | null;
  /** Previous secret. Signatures that were made with it are accepted until they expire. */
  previousSecret: Secret | null;
  /** URL of Postgres, which several gateways may share; null for SQLite in the data folder. */
  databaseUrl: Secret | null;
  payments: PaymentsConfig;
  inference: InferenceConfig;
  speech: SpeechConfig;
  embeddings: EmbeddingsConfig;
  images: ImagesConfig;
  transcriptions: TranscriptionsConfig;
  video: VideoConfig;
  networks: Readonly<
    Record<string, Omit<ConfigFile['networks'][string], 'upstreams'> & { upstreams: UpstreamConfig[] }>
  >;
  /** Warnings to log at the start, each with the path of its field. */
  warnings: readonly string[];
}

const DEFAULT_FILE = 'turnpike.config.json';
const NO_FILE: ReadFile = { settings: {}, substituted: new Map() };

/** Returns the absolute path of the configuration file; null without a file. */
export function configFile(env: Environment = process.env, cwd: string = process.cwd()): string | null {
  const path = resolve(cwd, env.TURNPIKE_CONFIG || DEFAULT_FILE);
  return env.TURNPIKE_CONFIG || existsSync(/* turbopackIgnore: true */ path) ? path : null;
}

/**
 * Reads the configuration: the file that TURNPIKE_CONFIG names, or turnpike.config.json if it exists. Replaces
 * `${NAME}` in the file, then applies the variables that override fields (listed in docs/operating.md).
 * @param secretNeeded true to require TURNPIKE_SECRET in the live profile; offline commands do not need it
 * @throws ConfigError that names every fault
 */
export function loadConfig(
  env: Environment = process.env,
  cwd: string = process.cwd(),
  options: { secretNeeded?: boolean } = {},
): Config {
  return readConfig(env, cwd, options).config;
}

/** Where a configuration came from. */
export interface ConfigSource {
  file: string | null;
  env: Environment;
  /** Settings from file and variables, without defaults. */
  given: Readonly<Record<string, unknown>>;
  /** Configuration with every default of the schema. */
  complete: ConfigFile;
  /** Variables that override fields, by the path of the field. */
  variables: ReadonlyMap<string, string>;
  substituted: Substituted;
}

/** Loads the configuration together with its sources. @throws ConfigError */
export function readConfig(
  environment: Environment,
  cwd: string,
  { secretNeeded = true }: { secretNeeded?: boolean } = {},
): { config: Config; source: ConfigSource } {
  const [faults, warnings] = [new Faults(), new Faults()];
  const env = withSecretFiles(environment, faults);
  const path = configFile(env, cwd);
  const { settings: file, substituted } = path === null ? NO_FILE : readConfigFile(path, env, faults);
  const { settings: fromEnvironment, variables } = settingsOf(env, file);
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
  // Runs first, because its messages are the most specific and each field keeps only its first fault.
  checkTogether(together, { faults, warnings });
  if (!verdict.success) noteSchemaFaults(verdict.error, { schema: configSchema, ...together }, faults);
  const port = portOf(env, faults);
  const secret = secretOf(env, secretNeeded && merged.profile === 'live', faults);
  const previousSecret = previousSecretOf(env, faults);
  const databaseUrl = databaseUrlOf(env, faults);
  const adminListener = adminListenerOf(env, faults);
  const otlp = otlpOf(verdict.data?.otlp ?? otlpSchema.parse({}), env, faults);
  const brand = brandOf(verdict.data?.brand ?? brandSchema.parse({}), cwd, faults);
  const operators = operatorsOf(verdict.data?.operators ?? [], env, faults);
  const networks = withUpstreams(verdict.data?.networks ?? {}, env, faults);
  const inference = inferenceConfig(verdict.data?.inference ?? inferenceSchema.parse({}), env, faults);
  const speech = speechConfig(verdict.data?.speech ?? speechSchema.parse({}), env, faults);
  const embeddings = embeddingsConfig(verdict.data?.embeddings ?? embeddingsSchema.parse({}), env, faults);
  const images = imagesConfig(verdict.data?.images ?? imagesSchema.parse({}), env, faults);
  const transcriptions = transcriptionsConfig(verdict.data?.transcriptions ?? transcriptionsSchema.parse({}));
  const video = videoConfig(verdict.data?.video ?? videoSchema.parse({}), env, faults);
  if (!verdict.success || faults.size > 0) throw new ConfigError(faults.lines(), warnings.lines());
  const { $schema: _schema, ...settings } = verdict.data;
  const dataDir = resolve(cwd, settings.dataDir);
  const config: Config = {
    ...settings,
    limits: limitsOf(settings),
    brand,
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
    embeddings,
    images,
    transcriptions,
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

const PORT_MAX = 65_535;
const TOKEN_LENGTH_MIN = 16;
const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|::1|localhost)$/;

interface AdminListenerConfig {
  port: number;
  host: string;
  token: Secret | null;
}

/**
 * Returns the listener of ADMIN_PORT; null if this variable is not set. Reports a fault if other machines can reach the
 * listener and there is no token.
 */
export function adminListenerOf(
  { ADMIN_PORT: text, ADMIN_HOST: host = '127.0.0.1', ADMIN_TOKEN: token }: Environment,
  faults: Faults,
): AdminListenerConfig | null {
  if (!text) return null;
  const port = Number(text);
  if (!/^[0-9]{1,5}$/.test(text) || port > PORT_MAX)
    faults.set('ADMIN_PORT', `expected a number from 0 to ${PORT_MAX}, got ${JSON.stringify(text.slice(0, 20))}`);
  if (token && token.length < TOKEN_LENGTH_MIN)
    faults.set('ADMIN_TOKEN', `expected at least ${TOKEN_LENGTH_MIN} characters, got ${token.length}`);
  else if (token && /\s/.test(token)) faults.set('ADMIN_TOKEN', 'expected a token without spaces');
  if (!token && !LOOPBACK.test(host))
    faults.set(
      'ADMIN_TOKEN',
      `expected a token of at least ${TOKEN_LENGTH_MIN} characters, because ADMIN_HOST accepts connections from other machines`,
    );
  return { port, host, token: token ? new Secret(token) : null };
}
