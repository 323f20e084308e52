import type { Config, ConfigSource } from './load';
import {
  FURTHER_NETWORK_SLUG,
  findNetwork,
  NETWORKS,
  SANDBOX_TESTNET,
  upstreamVariable,
} from '@/lib/protocol/networks';
import { fieldPath, valueAt } from './field-path';
import { variableThatGave } from './secret-files';
import { LIMIT_NAMES_BY_PROFILE } from './schema';
import { isSecretField } from './shown-value';
import { UPSTREAM_SERVICES } from './variables';

/** Value that is in use for a field, and where the value came from. */
export interface EffectiveValue {
  path: string;
  /** Value as JSON; a secret is masked. */
  value: unknown;
  origin: 'default' | 'profile' | 'file' | 'environment';
  /** Variables that supplied the value; `NAME_FILE` for a secret file. */
  variables: readonly string[];
}

const MASK = '[secret]';
/** Variables without a field in the configuration. */
const ENVIRONMENT_ONLY: readonly (readonly [name: string, isSecret: boolean])[] = [
  ['HOST', false],
  ['PORT', false],
  ['ADMIN_PORT', false],
  ['ADMIN_HOST', false],
  ['ADMIN_TOKEN', true],
  ['TURNPIKE_SECRET', true],
  ['TURNPIKE_SECRET_PREVIOUS', true],
  ['TURNPIKE_OPERATOR_KEY', true],
  ['DATABASE_URL', true],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', true],
  ...UPSTREAM_SERVICES.flatMap(
    (service) =>
      [
        [`${service}_UPSTREAM_URL`, true],
        [`${service}_UPSTREAM_KEY`, true],
      ] as const,
  ),
];

/** Returns every value with its origin, in the order of the schema. Masks secrets. */
export function effectiveValues(config: Config, source: ConfigSource): EffectiveValue[] {
  const { $schema: _schema, ...complete } = source.complete;
  const fields = leavesOf({
    ...complete,
    networks: withListedUpstreams(complete.networks, source),
    limits: config.limits,
  }).map((leaf) => describe(leaf, source));
  const alone = ENVIRONMENT_ONLY.map(([name, isSecret]): EffectiveValue => {
    const text = source.env[name];
    const standard = name === 'HOST' ? config.host : name === 'PORT' ? config.port : null;
    return {
      path: name,
      value: text ? (isSecret ? masked(text, name.endsWith('_URL')) : text) : standard,
      origin: text ? 'environment' : 'default',
      variables: text ? [variableThatGave(name, source.env)] : [],
    };
  });
  return [...fields, ...alone];
}

interface Leaf {
  steps: readonly PropertyKey[];
  value: unknown;
}

function leavesOf(value: unknown, steps: readonly PropertyKey[] = []): Leaf[] {
  const members: readonly (readonly [PropertyKey, unknown])[] = Array.isArray(value)
    ? value.map((item, index) => [index, item] as const)
    : typeof value === 'object' && value !== null
      ? Object.entries(value)
      : [];
  if (members.length === 0) return value === undefined ? [] : [{ steps, value }];
  return members.flatMap(([step, item]) => leavesOf(item, [...steps, step]));
}

function describe({ steps, value }: Leaf, { given, variables, substituted, env }: ConfigSource): EffectiveValue {
  const path = fieldPath(steps);
  const variable = variableOf(path, variables, env);
  const taken = substituted.get(path) ?? [];
  const isGiven = valueAt(given, steps) !== undefined;
  const isByProfile = steps[0] === 'limits' && LIMIT_NAMES_BY_PROFILE.some((name) => name === steps[1]);
  return {
    path,
    value: shown(path, value, variable === undefined && taken.length > 0),
    origin: variable !== undefined ? 'environment' : isGiven ? 'file' : isByProfile ? 'profile' : 'default',
    variables: (variable !== undefined ? [variable] : taken).map((name) => variableThatGave(name, env)),
  };
}

function variableOf(
  path: string,
  variables: ReadonlyMap<string, string>,
  env: ConfigSource['env'],
): string | undefined {
  const slug = /^networks\.([a-z0-9-]+)\.upstreams/.exec(path)?.[1];
  if (slug !== undefined && env[upstreamVariable(slug)]) return upstreamVariable(slug);
  return [...variables].find(([field]) => path === field || path.startsWith(`${field}[`))?.[1];
}

/** If a network's variable lists upstreams, they replace the file's upstreams of that network. */
function withListedUpstreams(
  networks: Readonly<Record<string, object>>,
  { env }: ConfigSource,
): Record<string, object> {
  const slugs = new Set([...NETWORKS.map(({ slug }) => slug), SANDBOX_TESTNET.slug, ...Object.keys(networks)]);
  const entries = [...slugs]
    .filter((slug) => networks[slug] || env[upstreamVariable(slug)])
    .map((slug): [string, object] => {
      const listed = env[upstreamVariable(slug)]
        ?.split(',')
        .map((url) => url.trim())
        .filter(Boolean);
      return [slug, { ...networks[slug], ...(listed ? { upstreams: listed } : {}) }];
    });
  return Object.fromEntries(entries.sort(([left], [right]) => Number(isFurther(left)) - Number(isFurther(right))));
}

function isFurther(slug: string): boolean {
  return !findNetwork(slug) && FURTHER_NETWORK_SLUG.test(slug);
}

function shown(path: string, value: unknown, isFromVariable: boolean): unknown {
  if (typeof value !== 'string' || value === '') return value;
  if (isSecretField(path)) return masked(value, /(upstreams\[\d+\]|[uU]rl|endpoint)$/.test(path) && !isFromVariable);
  return isFromVariable ? MASK : value;
}

/** Masks a secret. Shows a URL's scheme and host, because secrets are only in its path, query and user name. */
function masked(text: string, isUrl: boolean): string {
  if (!isUrl || !URL.canParse(text)) return MASK;
  const { protocol, host, pathname, search, username, password } = new URL(text);
  const hidden = username || password || search || (pathname !== '/' && pathname !== '');
  return `${protocol}//${host}${hidden ? `/${MASK}` : ''}`;
}
