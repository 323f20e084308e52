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
import { isHttpUrl } from '../http-url';
import { meant, nearestName } from '@/lib/protocol/nearest-name';
import { hasUpstream } from '../variables';
import type { SettingsView } from './view';

/** A server that the configuration names, and where it does. */
interface Named {
  path: string;
  url: string;
  /** Whether a header, a key or the URL itself holds a secret. */
  holdsSecret: boolean;
  /** Headers, as far as they make two upstreams of one URL different ones. */
  distinction: string;
}

/** Notes servers that are named twice, and those to which a secret would go in clear. */
export function checkUpstreams(view: SettingsView, findings: Findings): void {
  const { faults } = findings;
  const groups = [
    nodesOf(view),
    [...serverOfVariable(view, 'CHAT'), ...serversOf(view, ['inference', 'chatUpstreams'])],
    [...serverOfVariable(view, 'ENCLAVE'), ...serversOf(view, ['inference', 'enclaveUpstreams'])],
    [...serverOfVariable(view, 'SPEECH'), ...serversOf(view, ['speech', 'upstreams'])],
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
          `stands here twice: ${before.replace(/\.url$/, '')} is the same upstream. Expected another one; name each once`,
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
    faults.set(
      path,
      'is http:, so its secret would go over the network in clear: expected https:, or an address of the loopback',
    );
  else if (isPublicHost(hostname))
    warnings.set(
      path,
      'is http: to a host of the internet, so whoever is in between reads and changes what comes: use https:',
    );
}

/** Whether what is sent there stays on this machine. */
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

/** Nodes of all networks together: one node is of one chain. */
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

/** Whether a URL has a password, or a part that reads like a key. What a variable gave beyond the host is taken for one. */
function looksSecret(url: string, fromVariable = false): boolean {
  const { username, password, pathname, search } = new URL(url);
  if (username || password) return true;
  if (fromVariable && (pathname.length > 1 || search.length > 1)) return true;
  return /(?=[\w-]*\d)[\w-]{20,}/.test(pathname + search) || /[?&][^=]*(key|token|secret|auth)[^=]*=/i.test(search);
}

/** Names of upstreams must be those of one server each, also across lists and with those that variables name. */
function checkNames({ settings, env }: SettingsView, { faults }: Findings): void {
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
        else faults.set(path, `stands here twice: ${before} has this name too. Expected another one`);
      });
    }
  }
  checkModelUpstreams({ settings, env }, faults);
  itemsAt(settings, 'speech', 'upstreams').forEach((upstream, index) => {
    const models = itemsAt(upstream, 'models');
    models.forEach((model, place) => {
      if (models.indexOf(model) < place)
        faults.set(`speech.upstreams[${index}].models[${place}]`, 'stands here twice: leave one');
    });
  });
}

function checkModelUpstreams(
  { settings, env }: Pick<SettingsView, 'settings' | 'env'>,
  faults: Findings['faults'],
): void {
  for (const service of ['video', 'speech'] as const) {
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

/** Services that answer nobody without a key. */
const KEYED_HOSTS =
  /(^|\.)(openai\.com|near\.ai|redpill\.ai|anthropic\.com|openrouter\.ai|together\.xyz|groq\.com|mistral\.ai|deepinfra\.com)$/i;

function checkKeys({ settings, env }: SettingsView, { faults }: Findings): void {
  for (const steps of [
    ['inference', 'chatUpstreams'],
    ['inference', 'enclaveUpstreams'],
    ['speech', 'upstreams'],
  ]) {
    itemsAt(settings, ...steps).forEach((upstream, index) => {
      const hasKey = Boolean(textAt(upstream, 'key')) || membersAt(upstream, 'headers').length > 0;
      if (needsKey(textAt(upstream, 'url')) && !hasKey)
        faults.set(
          fieldPath([...steps, index, 'key']),
          'is missing: this service answers nobody without one. Give it as ${NAME}, from a variable',
        );
    });
  }
  for (const service of ['CHAT', 'ENCLAVE', 'SPEECH', 'VIDEO']) {
    if (needsKey(env[`${service}_UPSTREAM_URL`]) && !env[`${service}_UPSTREAM_KEY`])
      faults.set(
        `${service}_UPSTREAM_URL`,
        `is a service that answers nobody without a key: set ${service}_UPSTREAM_KEY too`,
      );
  }
}

function needsKey(url: string | undefined): boolean {
  return url !== undefined && isHttpUrl(url) && KEYED_HOSTS.test(new URL(url).hostname);
}

/** Notes further networks whose chain is not known, or is that of another one. */
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
        faults.set(path, `is of EVM networks only, and ${slug} is of kind ${kind}: leave it out`);
    } else if (typeof chainId === 'number') {
      const other = takenBy.get(chainId);
      if (other !== undefined)
        faults.set(
          path,
          `is ${chainId}, which is taken by ${other}: expected the chain id of ${slug}, or its upstreams under networks.${other}`,
        );
      else takenBy.set(chainId, slug);
    } else if (
      chainId === undefined &&
      valueAt(own, ['chainIdentity']) === undefined &&
      hasUpstream(slug, env, settings)
    ) {
      faults.set(
        path,
        `is missing: expected the chainId of ${slug}, by which its upstreams prove that they are of that chain${networkMeant(slug, [...NETWORKS, SANDBOX_TESTNET], '; did')}`,
      );
    }
    if (!hasUpstream(slug, env, settings))
      warnings.set(
        `networks.${slug}`,
        `has no upstream, so calls to it are refused: set ${upstreamVariable(slug)} or its upstreams`,
      );
    else if (isNearBuiltIn(slug, builtIn))
      warnings.set(
        `networks.${slug}`,
        `is no built-in network, and is nearly called like ${nearestName(slug, builtIn)}`,
      );
  }
  if (isLive && !sellsAnything(settings, env))
    warnings.set(
      'networks',
      'have no upstream, and nothing else has: this gateway has nothing to sell. Set RPC_… variables or upstreams',
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
    ['video', 'upstreams'],
  ].some((steps) => itemsAt(settings, ...steps).length > 0);
  return (
    listed ||
    slugs.some((slug) => hasUpstream(slug, env, settings)) ||
    ['CHAT', 'ENCLAVE', 'SPEECH', 'VIDEO'].some((service) => env[`${service}_UPSTREAM_URL`])
  );
}
