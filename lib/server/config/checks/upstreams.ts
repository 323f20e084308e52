import { networkMeant } from '@/lib/protocol/nearest-networks';
import {
  FURTHER_NETWORK_SLUG,
  findNetwork,
  NETWORKS,
  SANDBOX_TESTNET,
  upstreamVariable,
} from '@/lib/protocol/networks';
import type { Findings } from '../faults';
import { fieldPath, itemsAt, membersAt, textAt, valueAt } from '../field-path';
import { isHttpUrl } from '../fields';
import { meant, nearestName } from '@/lib/protocol/nearest-name';
import { hasUpstream, UPSTREAM_SERVICES } from '../variables';
import type { SettingsView } from './view';

interface Named {
  path: string;
  url: string;
  /** True if a header, a key or the URL itself holds a secret. */
  holdsSecret: boolean;
  /** Request headers as text. Two upstreams with the same URL are different servers if their headers differ. */
  distinction: string;
}

/** Reports servers configured twice, without TLS for a secret, or without a needed key, and repeated names. */
export function checkUpstreams(view: SettingsView, findings: Findings): void {
  const { faults } = findings;
  const groups = [
    nodesOf(view),
    [...serverOfVariable(view, 'CHAT'), ...serversOf(view, ['inference', 'chatUpstreams'])],
    [...serverOfVariable(view, 'ENCLAVE'), ...serversOf(view, ['inference', 'enclaveUpstreams'])],
    [...serverOfVariable(view, 'SPEECH'), ...serversOf(view, ['speech', 'upstreams'])],
    [...serverOfVariable(view, 'EMBEDDINGS'), ...serversOf(view, ['embeddings', 'upstreams'])],
    [...serverOfVariable(view, 'IMAGES'), ...serversOf(view, ['images', 'upstreams'])],
    serversOf(view, ['transcriptions', 'upstreams']),
    [...serverOfVariable(view, 'VIDEO'), ...serversOf(view, ['video', 'upstreams'])],
  ];
  for (const group of groups) {
    const seen = new Map<string, string>();
    for (const { path, url, distinction } of group) {
      const key = `${sameUrl(url)} ${distinction}`;
      const before = seen.get(key);
      if (before === undefined) seen.set(key, path);
      else
        faults.set(
          path,
          `is listed twice: ${before.replace(/\.url$/, '')} is the same upstream. Remove one, or set another URL`,
        );
    }
  }
  const facilitators = itemsAt(view.settings, 'payments', 'rails').flatMap((rail, index) =>
    serverAt(valueAt(rail, ['facilitator']), ['payments', 'rails', index, 'facilitator'], view),
  );
  const traces = serverAt(valueAt(view.settings, ['otlp']), ['otlp'], view);
  const controls = itemsAt(view.settings, 'inference', 'enclaveUpstreams').flatMap((upstream, index) =>
    serverAt(upstream, ['inference', 'enclaveUpstreams', index], view, 'controlUrl'),
  );
  if (view.isLive)
    for (const named of [...groups.flat(), ...controls, ...facilitators, ...traces]) checkTransport(named, findings);
  checkNames(view, findings);
  checkKeys(view, findings);
}

function checkTransport({ path, url, holdsSecret }: Named, { faults, warnings }: Findings): void {
  const { protocol, hostname } = new URL(url);
  if (protocol !== 'http:' || isLoopback(hostname)) return;
  if (holdsSecret)
    faults.set(path, 'is http:, so its secret would be sent unencrypted: expected https:, or a loopback address');
  else if (isPublicHost(hostname))
    warnings.set(
      path,
      'is http: to a host on the internet, so others on the way can read and change the answers: use https:',
    );
}

export function isLoopback(hostname: string): boolean {
  return /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\]|::1)$/i.test(hostname);
}

function isPublicHost(hostname: string): boolean {
  return (
    hostname.includes('.') &&
    !/^(10|192\.168|172\.(1[6-9]|2\d|3[01])|169\.254)\.|\.(local|internal|lan|intranet|svc|test|home\.arpa)$/i.test(
      hostname,
    )
  );
}

function sameUrl(url: string): string {
  const parsed = new URL(url);
  return `${parsed.origin}${parsed.pathname.replace(/\/+$/, '')}${parsed.search} ${parsed.username}:${parsed.password}`;
}

function nodesOf(view: SettingsView): Named[] {
  const { env, settings } = view;
  const slugs = new Set([
    ...NETWORKS.map(({ slug }) => slug),
    SANDBOX_TESTNET.slug,
    ...membersAt(settings, 'networks').map(([slug]) => slug),
  ]);
  return [...slugs].flatMap((slug) => {
    const variable = upstreamVariable(slug);
    const listed = (env[variable] ?? '')
      .split(',')
      .map((url) => url.trim())
      .filter(Boolean);
    if (listed.length > 0)
      return listed.flatMap((url, index) =>
        isHttpUrl(url)
          ? [{ path: `${variable}[${index}]`, url, holdsSecret: looksSecret(url), distinction: '[]' }]
          : [],
      );
    return itemsAt(settings, 'networks', slug, 'upstreams').flatMap((upstream, index) =>
      serverAt(upstream, ['networks', slug, 'upstreams', index], view),
    );
  });
}

function serverOfVariable({ env }: SettingsView, service: string): Named[] {
  const path = `${service}_UPSTREAM_URL`;
  const url = env[path];
  if (!url || !isHttpUrl(url)) return [];
  return [{ path, url, holdsSecret: Boolean(env[`${service}_UPSTREAM_KEY`]) || looksSecret(url), distinction: '[]' }];
}

function serversOf(view: SettingsView, steps: readonly PropertyKey[]): Named[] {
  return itemsAt(view.settings, ...steps).flatMap((upstream, index) => serverAt(upstream, [...steps, index], view));
}

function serverAt(
  upstream: unknown,
  steps: readonly PropertyKey[],
  { substituted }: SettingsView,
  member = 'url',
): Named[] {
  const isText = typeof upstream === 'string';
  const url = isText ? upstream : textAt(upstream, member);
  if (url === undefined || !isHttpUrl(url)) return [];
  const path = fieldPath(isText ? steps : [...steps, member]);
  const headers = membersAt(upstream, 'headers');
  const hasKey =
    headers.length > 0 || textAt(upstream, 'key') !== undefined || valueAt(upstream, ['cdpApiKey']) !== undefined;
  return [
    {
      path,
      url,
      holdsSecret: hasKey || (substituted.has(path) && looksSecret(url, true)) || looksSecret(url),
      distinction: JSON.stringify(headers.map(([name, value]) => [name.toLowerCase(), value]).sort()),
    },
  ];
}

/**
 * Returns whether a URL may contain a secret. In a URL from an environment variable, any path or query counts as a
 * secret.
 */
function looksSecret(url: string, fromVariable = false): boolean {
  const { username, password, pathname, search } = new URL(url);
  if (username || password) return true;
  if (fromVariable && (pathname.length > 1 || search.length > 1)) return true;
  return /(?=[\w-]*\d)[\w-]{20,}/.test(pathname + search) || /[?&][^=]*(key|token|secret|auth)[^=]*=/i.test(search);
}

function checkNames({ settings, env }: SettingsView, { faults, warnings }: Findings): void {
  const groups: { lists: string[][]; reserved: readonly (readonly [name: string, variable: string])[] }[] = [
    {
      lists: [
        ['inference', 'chatUpstreams'],
        ['inference', 'enclaveUpstreams'],
      ],
      reserved: [
        ['chat', 'CHAT_UPSTREAM_URL'],
        ['enclave', 'ENCLAVE_UPSTREAM_URL'],
      ],
    },
    { lists: [['speech', 'upstreams']], reserved: [['speech', 'SPEECH_UPSTREAM_URL']] },
    { lists: [['embeddings', 'upstreams']], reserved: [['embeddings', 'EMBEDDINGS_UPSTREAM_URL']] },
    { lists: [['images', 'upstreams']], reserved: [['images', 'IMAGES_UPSTREAM_URL']] },
    { lists: [['video', 'upstreams']], reserved: [['video', 'VIDEO_UPSTREAM_URL']] },
  ];
  for (const { lists, reserved } of groups) {
    const seen = new Map(
      reserved.filter(([, variable]) => env[variable]).map(([name, variable]) => [name, `the upstream of ${variable}`]),
    );
    for (const steps of lists) {
      itemsAt(settings, ...steps).forEach((upstream, index) => {
        const name = textAt(upstream, 'name');
        if (name === undefined) return;
        const path = fieldPath([...steps, index, 'name']);
        const before = seen.get(name);
        if (before === undefined) seen.set(name, path);
        else faults.set(path, `is used twice (also ${before}): expected another name`);
      });
    }
  }
  checkModelUpstreams({ settings, env }, faults);
  for (const service of ['EMBEDDINGS', 'IMAGES'] as const) {
    const [variable, steps] = [`${service}_UPSTREAM_URL`, [service.toLowerCase(), 'models']];
    if (env[variable] && membersAt(settings, ...steps).length === 0)
      warnings.set(
        variable,
        `is set, but ${fieldPath(steps)} lists no model, so the gateway offers no models of this upstream: list its models in ${fieldPath(steps)}`,
      );
  }
  itemsAt(settings, 'speech', 'upstreams').forEach((upstream, index) => {
    const models = itemsAt(upstream, 'models');
    models.forEach((model, place) => {
      if (models.indexOf(model) < place)
        faults.set(`speech.upstreams[${index}].models[${place}]`, 'is listed twice: remove one');
    });
  });
}

function checkModelUpstreams(
  { settings, env }: Pick<SettingsView, 'settings' | 'env'>,
  faults: Findings['faults'],
): void {
  for (const service of ['video', 'speech', 'embeddings', 'images', 'transcriptions'] as const) {
    const names = itemsAt(settings, service, 'upstreams').flatMap((upstream) => textAt(upstream, 'name') ?? []);
    if (env[`${service.toUpperCase()}_UPSTREAM_URL`]) names.push(service);
    for (const [id, model] of membersAt(settings, service, 'models')) {
      const name = textAt(model, 'upstream');
      if (name === undefined || names.includes(name) || (service === 'speech' && name === 'speech')) continue;
      faults.set(
        `${service}.models.${id}.upstream`,
        `Must be the name of one of ${service}.upstreams, found ${JSON.stringify(name.slice(0, 40))}${meant(name, names)}${nearestName(name, names) === null && names.length > 0 ? ` (they are ${names.join(', ')})` : ''}`,
      );
    }
  }
}

const KEYED_HOSTS =
  /(^|\.)(openai\.com|near\.ai|redpill\.ai|anthropic\.com|openrouter\.ai|together\.xyz|groq\.com|mistral\.ai|deepinfra\.com)$/i;

function checkKeys({ settings, env }: SettingsView, { faults }: Findings): void {
  for (const steps of [
    ['inference', 'chatUpstreams'],
    ['inference', 'enclaveUpstreams'],
    ['speech', 'upstreams'],
    ['embeddings', 'upstreams'],
    ['images', 'upstreams'],
    ['transcriptions', 'upstreams'],
  ]) {
    itemsAt(settings, ...steps).forEach((upstream, index) => {
      const hasKey = Boolean(textAt(upstream, 'key')) || membersAt(upstream, 'headers').length > 0;
      if (needsKey(textAt(upstream, 'url')) && !hasKey)
        faults.set(
          fieldPath([...steps, index, 'key']),
          'is missing, but this service needs a key: set it to ${NAME}, the name of an environment variable with the key',
        );
    });
  }
  for (const service of UPSTREAM_SERVICES) {
    if (needsKey(env[`${service}_UPSTREAM_URL`]) && !env[`${service}_UPSTREAM_KEY`])
      faults.set(`${service}_UPSTREAM_URL`, `is a service that needs a key: also set ${service}_UPSTREAM_KEY`);
  }
}

function needsKey(url: string | undefined): boolean {
  return url !== undefined && isHttpUrl(url) && KEYED_HOSTS.test(new URL(url).hostname);
}

/**
 * Reports networks that are not built in and have no upstream, or a chain id that is missing or belongs to another
 * network.
 */
export function checkNetworks({ settings, env, isLive }: SettingsView, { faults, warnings }: Findings): void {
  const takenBy = new Map<number, string>(
    [...NETWORKS, SANDBOX_TESTNET].flatMap(({ slug, chainId }) => (chainId === null ? [] : [[chainId, slug] as const])),
  );
  const builtIn = [...NETWORKS, SANDBOX_TESTNET].map(({ slug }) => slug);
  for (const [slug, own] of membersAt(settings, 'networks')) {
    if (builtIn.includes(slug) || !FURTHER_NETWORK_SLUG.test(slug)) continue;
    const path = `networks.${slug}.chainId`;
    const chainId = valueAt(own, ['chainId']);
    const kind = textAt(own, 'kind') ?? 'evm';
    if (kind !== 'evm') {
      if (chainId !== undefined)
        faults.set(path, `is only for EVM networks, and ${slug} is of kind ${kind}: remove it`);
    } else if (typeof chainId === 'number') {
      const other = takenBy.get(chainId);
      if (other !== undefined)
        faults.set(
          path,
          `is ${chainId}, the chain id of ${other}: set the chain id of ${slug}, or move the upstreams to networks.${other}`,
        );
      else takenBy.set(chainId, slug);
    } else if (
      chainId === undefined &&
      valueAt(own, ['chainIdentity']) === undefined &&
      hasUpstream(slug, env, settings)
    ) {
      faults.set(
        path,
        `is missing: expected the chainId of ${slug}, so that the gateway can check the chain of its upstreams${networkMeant(slug, [...NETWORKS, SANDBOX_TESTNET], '; did')}`,
      );
    }
    if (!hasUpstream(slug, env, settings))
      warnings.set(
        `networks.${slug}`,
        `has no upstream, so calls to this network are refused: set ${upstreamVariable(slug)} or its upstreams`,
      );
    else if (isNearBuiltIn(slug, builtIn))
      warnings.set(`networks.${slug}`, `is not a built-in network, but similar to ${nearestName(slug, builtIn)}`);
  }
  if (isLive && !sellsAnything(settings, env))
    warnings.set(
      'networks',
      'have no upstream, and no other service has one: this gateway has nothing to sell. Set RPC_… variables or upstreams',
    );
}

function isNearBuiltIn(slug: string, builtIn: readonly string[]): boolean {
  return findNetwork(slug) === undefined && nearestName(slug, builtIn) !== null;
}

function sellsAnything(settings: unknown, env: SettingsView['env']): boolean {
  const slugs = [
    ...NETWORKS.map(({ slug }) => slug),
    SANDBOX_TESTNET.slug,
    ...membersAt(settings, 'networks').map(([slug]) => slug),
  ];
  const listed = [
    ['inference', 'chatUpstreams'],
    ['inference', 'enclaveUpstreams'],
    ['speech', 'upstreams'],
    ['embeddings', 'upstreams'],
    ['images', 'upstreams'],
    ['transcriptions', 'upstreams'],
    ['video', 'upstreams'],
  ].some((steps) => itemsAt(settings, ...steps).length > 0);
  return (
    listed ||
    slugs.some((slug) => hasUpstream(slug, env, settings)) ||
    UPSTREAM_SERVICES.some((service) => env[`${service}_UPSTREAM_URL`])
  );
}
