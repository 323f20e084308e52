import { nearestNetworks } from '@/lib/protocol/nearest-networks';
import { FURTHER_NETWORK_SLUG, NETWORKS, SANDBOX_TESTNET, upstreamVariable } from '@/lib/protocol/networks';
import type { Environment } from './environment';
import type { Findings } from './faults';
import { membersAt, valueAt } from './field-path';
import { isHttpUrl } from './fields';
import { nearestName } from '@/lib/protocol/nearest-name';

/** Variables beginning with TURNPIKE_ that the gateway and its client programs read. */
const OWN_VARIABLES: readonly string[] = [
  'TURNPIKE_CONFIG',
  'TURNPIKE_PROFILE',
  'TURNPIKE_DATA_DIR',
  'TURNPIKE_SECRET',
  'TURNPIKE_SECRET_PREVIOUS',
  'TURNPIKE_OPERATOR_KEY',
  'TURNPIKE_NODE',
  'TURNPIKE_LAUNCHER',
  'TURNPIKE_BUNDLED',
  'TURNPIKE_TEST_RUN',
  'TURNPIKE_API_KEY',
  'TURNPIKE_PRIVATE_KEY',
  'TURNPIKE_KEYSTORE_PASSWORD',
  'TURNPIKE_PROXY_TOKEN',
  'TURNPIKE_URL',
];

/** Services whose first upstream can be configured by variables. */
export const UPSTREAM_SERVICES = ['CHAT', 'ENCLAVE', 'SPEECH', 'EMBEDDINGS', 'IMAGES', 'VIDEO'] as const;

const UPSTREAM_VARIABLES = UPSTREAM_SERVICES.flatMap((service) => [
  `${service}_UPSTREAM_URL`,
  `${service}_UPSTREAM_KEY`,
]);
/** Names that other programs also use. A similar name causes only a warning. */
const COMMON_VARIABLES = ['PUBLIC_URL', 'DATABASE_URL', 'LOG_LEVEL'];
const FOREIGN_RPC = new Set([
  'RPC_URL',
  'RPC_URLS',
  'RPC_ENDPOINT',
  'RPC_HOST',
  'RPC_PORT',
  'RPC_USER',
  'RPC_PASSWORD',
  'RPC_AUTH',
]);
const IN_FILE = '_FILE';
const NETWORK_END = /_(MAINNET|TESTNET|SEPOLIA|HOLESKY|AMOY|FUJI|DEVNET)$/;

/** Reports Turnpike's variables that are misspelled, that name an unknown network, or that need a missing variable. */
export function checkVariables(env: Environment, settings: unknown, findings: Findings): void {
  for (const [name, text] of Object.entries(env)) {
    if (!text) continue;
    if (name.startsWith('TURNPIKE_')) checkOwn(name, findings);
    else if (!name.startsWith('RPC_')) checkOther(name, findings);
    // The value of a secret file is checked under the variable's name without `_FILE`.
    else if (!name.endsWith(IN_FILE)) checkRpc(name, text, settings, findings);
  }
  for (const key of UPSTREAM_VARIABLES.filter((name) => name.endsWith('_KEY'))) {
    const url = key.replace(/KEY$/, 'URL');
    if (env[key] && !env[url])
      findings.faults.set(key, `is set without ${url}, so the key has no use: set ${url}, or unset ${key}`);
  }
  for (const name of ['DATABASE_URL', 'PUBLIC_URL', 'TURNPIKE_SECRET', ...UPSTREAM_VARIABLES]) {
    if (/\$[{(]/.test(env[name] ?? '')) findings.faults.set(name, UNREPLACED);
  }
}

const UNREPLACED = 'contains a ${…} or $(…), which the gateway does not replace in variables: expected the final value';

function checkOwn(name: string, { faults, warnings }: Findings): void {
  const inFile = name.endsWith(IN_FILE) ? IN_FILE : '';
  const own = inFile ? name.slice(0, -IN_FILE.length) : name;
  if (OWN_VARIABLES.includes(own)) return;
  const nearest = nearestName(own, OWN_VARIABLES);
  if (nearest !== null) faults.set(name, `is not a variable of Turnpike; did you mean ${nearest}${inFile}?`);
  else warnings.set(name, 'is not a variable that the gateway reads; docs/operating.md lists them');
}

function checkRpc(name: string, text: string, settings: unknown, { faults, warnings }: Findings): void {
  const known = [...NETWORKS, SANDBOX_TESTNET].map(({ slug }) => slug);
  const own = membersAt(settings, 'networks')
    .map(([slug]) => slug)
    .filter((slug) => FURTHER_NETWORK_SLUG.test(slug));
  const names = [...known, ...own].map(upstreamVariable);
  if (names.includes(name)) {
    text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean)
      .forEach((part, index) => {
        if (/\$[{(A-Za-z_]/.test(part)) faults.set(`${name}[${index}]`, UNREPLACED);
      });
    return;
  }
  const nearest = nearestName(name, names);
  const slug = name.slice(4).toLowerCase().replaceAll('_', '-');
  const likely = nearest ?? nearestNetworks(slug, NETWORKS).map(upstreamVariable)[0] ?? null;
  const declare = FURTHER_NETWORK_SLUG.test(slug)
    ? `${likely === null ? '' : ' Otherwise,'} to add that network, declare networks.${slug} with its chainId in the configuration file`
    : '';
  const hint = [likely === null ? '' : `did you mean ${likely}?`, declare].join('');
  if (
    nearest !== null ||
    NETWORK_END.test(name) ||
    (!FOREIGN_RPC.has(name) && text.split(',').every((url) => isHttpUrl(url.trim())))
  ) {
    faults.set(
      name,
      `does not name a known network; ${hint || `networks are ${known.slice(0, 3).join(', ')} and others, such as RPC_ETHEREUM_MAINNET. Unset it if another program uses it`}`,
    );
  } else {
    warnings.set(name, 'does not name a network, and is ignored');
  }
}

function checkOther(name: string, { faults, warnings }: Findings): void {
  if (/_UPSTRE?A?M_/.test(name)) {
    const nearest = nearestName(name, UPSTREAM_VARIABLES);
    if (nearest !== null && nearest !== name)
      faults.set(name, `is not a variable of Turnpike; did you mean ${nearest}?`);
    return;
  }
  if (COMMON_VARIABLES.includes(name)) return;
  const nearest = COMMON_VARIABLES.find(
    (common) =>
      name.length >= common.length - 1 &&
      nearestName(name, [common]) === common &&
      Math.abs(name.length - common.length) <= 1,
  );
  if (nearest !== undefined) warnings.set(name, `is ignored; did you mean ${nearest}?`);
}

/** Returns whether a network has upstreams, either in its variable or in the file. */
export function hasUpstream(slug: string, env: Environment, settings: unknown): boolean {
  return upstreamCount(slug, env, settings) > 0;
}

/** Returns the number of a network's upstreams. Its variable takes precedence over the file. */
export function upstreamCount(slug: string, env: Environment, settings: unknown): number {
  const variable = env[upstreamVariable(slug)];
  if (variable) return variable.split(',').filter((url) => url.trim() !== '').length;
  const listed = valueAt(settings, ['networks', slug, 'upstreams']);
  return Array.isArray(listed) ? listed.length : 0;
}
