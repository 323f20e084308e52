import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { z } from 'zod';
import { FURTHER_NETWORK_SLUG, NETWORKS, SANDBOX_TESTNET, upstreamVariable } from '@/lib/protocol/networks';
import { configSchema, type ConfigFile } from './schema';
import { Secret } from './secret';

/** One JSON-RPC endpoint of a network. The URL is a secret: providers put keys into it. */
export interface UpstreamConfig {
  url: Secret;
  headers: Readonly<Record<string, Secret>>;
}

/** The configuration as the gateway uses it: defaults filled in, environment applied, secrets wrapped. */
export interface Config extends Omit<ConfigFile, 'networks' | '$schema'> {
  host: string;
  port: number;
  /** Absolute path of the data folder. */
  dataDir: string;
  /** The operator's secret; absent in the sandbox until one is generated. */
  secret: Secret | null;
  networks: Readonly<Record<string, Omit<ConfigFile['networks'][string], 'upstreams'> & { upstreams: UpstreamConfig[] }>>;
}

/** A configuration that cannot be used. Each fault names the path of the field and what was expected. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(readonly faults: readonly string[]) {
    super(`The configuration cannot be used:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

const SECRET_LENGTH_MIN = 32;
const DEFAULT_FILE = 'turnpike.config.json';

/**
 * Reads the configuration: the file named by TURNPIKE_CONFIG, else turnpike.config.json where there is one, with
 * `${NAME}` replaced from the environment, then what the environment alone says (docs/operating.md lists it).
 * @param secretNeeded whether the live profile must have its secret, as a gateway must and an offline command need not.
 * @throws ConfigError naming every fault.
 */
export function loadConfig(env: Environment = process.env, cwd: string = process.cwd(), { secretNeeded = true } = {}): Config {
  const file = readFile(env, cwd);
  const merged = { ...file, ...environmentSettings(env) };
  const verdict = configSchema.safeParse(merged);
  if (!verdict.success) throw new ConfigError(describe(verdict.error));
  const { networks, ...settings } = verdict.data;
  const config: Config = {
    ...settings,
    host: env.HOST || '127.0.0.1',
    port: readPort(env.PORT),
    dataDir: resolve(cwd, settings.dataDir),
    secret: readSecret(env, secretNeeded && settings.profile === 'live'),
    networks: wrapNetworks(networks, env),
  };
  return config;
}

function readFile(env: Environment, cwd: string): Record<string, unknown> {
  const path = resolve(cwd, env.TURNPIKE_CONFIG || DEFAULT_FILE);
  let text: string;
  try {
    text = readFileSync(/* turbopackIgnore: true */ path, 'utf8');
  } catch (error) {
    if (!env.TURNPIKE_CONFIG && (error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new ConfigError([`${path}: cannot be read (${(error as Error).message})`]);
  }
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw new ConfigError([`${path}: is not valid JSON (${(error as Error).message})`]);
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new ConfigError([`${path}: expected a JSON object`]);
  }
  return substitute(parsed, '', env) as Record<string, unknown>;
}

function substitute(value: unknown, path: string, env: Environment): unknown {
  if (typeof value === 'string') {
    return value.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_whole, name: string) => {
      const replacement = env[name];
      if (replacement === undefined) throw new ConfigError([`${path}: the environment variable ${name} is not set`]);
      return replacement;
    });
  }
  if (Array.isArray(value)) return value.map((item, index) => substitute(item, `${path}[${index}]`, env));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, substitute(item, path ? `${path}.${key}` : key, env)]),
  );
}

function environmentSettings(env: Environment): Record<string, unknown> {
  return {
    ...(env.TURNPIKE_PROFILE ? { profile: env.TURNPIKE_PROFILE } : {}),
    ...(env.TURNPIKE_DATA_DIR ? { dataDir: env.TURNPIKE_DATA_DIR } : {}),
    ...(env.PUBLIC_URL ? { publicUrls: splitList(env.PUBLIC_URL) } : {}),
    ...(env.LOG_LEVEL ? { log: { level: env.LOG_LEVEL } } : {}),
  };
}

function readPort(text: string | undefined): number {
  const port = Number(text || '3000');
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new ConfigError([`PORT: expected a number from 0 to 65535, got ${JSON.stringify(text)}`]);
  }
  return port;
}

function readSecret(env: Environment, needed: boolean): Secret | null {
  const text = env.TURNPIKE_SECRET;
  if (text === undefined || text === '') {
    if (!needed) return null;
    throw new ConfigError([`TURNPIKE_SECRET: expected a secret of at least ${SECRET_LENGTH_MIN} characters in the environment`]);
  }
  if (text.length < SECRET_LENGTH_MIN) {
    throw new ConfigError([`TURNPIKE_SECRET: expected at least ${SECRET_LENGTH_MIN} characters, got ${text.length}`]);
  }
  return new Secret(text);
}

function wrapNetworks(networks: ConfigFile['networks'], env: Environment): Config['networks'] {
  const slugs = new Set([...NETWORKS.map((network) => network.slug), SANDBOX_TESTNET.slug, ...Object.keys(networks)]);
  for (const name of Object.keys(env)) {
    const slug = name.startsWith('RPC_') && env[name] ? name.slice(4).toLowerCase().replaceAll('_', '-') : '';
    if (FURTHER_NETWORK_SLUG.test(slug)) slugs.add(slug);
  }
  const wrapped: Record<string, Config['networks'][string]> = {};
  for (const slug of slugs) {
    const settings = networks[slug];
    const fromEnvironment = env[upstreamVariable(slug)];
    if (!settings && !fromEnvironment) continue;
    const upstreams = fromEnvironment ? upstreamsOfVariable(upstreamVariable(slug), fromEnvironment) : (settings?.upstreams ?? []).map(wrapUpstream);
    wrapped[slug] = { ...settings, upstreams };
  }
  return wrapped;
}

function upstreamsOfVariable(name: string, text: string): UpstreamConfig[] {
  const urls = splitList(text);
  const faults = urls.flatMap((url, index) => (/^https?:\/\/[^/]/.test(url) && URL.canParse(url) ? [] : [`${name}[${index}]: expected an http:// or https:// URL`]));
  if (urls.length === 0) faults.push(`${name}: expected one URL or several with commas between`);
  if (faults.length > 0) throw new ConfigError(faults);
  return urls.map(wrapUpstream);
}

function wrapUpstream(upstream: string | { url: string; headers: Record<string, string> }): UpstreamConfig {
  if (typeof upstream === 'string') return { url: new Secret(upstream), headers: {} };
  const headers = Object.fromEntries(Object.entries(upstream.headers).map(([name, value]) => [name.toLowerCase(), new Secret(value)]));
  return { url: new Secret(upstream.url), headers };
}

function splitList(text: string): string[] {
  return text.split(',').map((part) => part.trim()).filter((part) => part !== '');
}

function describe(error: z.ZodError): string[] {
  return error.issues.map((issue) => {
    const path = issue.path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('').replace(/^\./, '');
    return `${path || '(the whole file)'}: ${issue.message}`;
  });
}
