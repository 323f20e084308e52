import { nearestName } from './nearest-name';
import type { Network } from './networks';

type Named = Pick<Network, 'slug' | 'family' | 'chainId'>;

const SHOWN_MAX = 3;
const LENGTH_MAX = 64;

/** Names that wallets, libraries or exchanges use for network families. */
const FAMILY_ALIASES: Readonly<Record<string, string>> = {
  eth: 'ethereum',
  ether: 'ethereum',
  homestead: 'ethereum',
  matic: 'polygon',
  pol: 'polygon',
  mumbai: 'polygon',
  arb: 'arbitrum',
  arb1: 'arbitrum',
  op: 'optimism',
  opt: 'optimism',
  avax: 'avalanche',
  bnb: 'bsc',
  binance: 'bsc',
  sol: 'solana',
  zk: 'zksync',
  era: 'zksync',
  stark: 'starknet',
  strk: 'starknet',
};
/** Words for testnets, including names of shut-down testnets. */
const TESTNETS = /^(?:test|testnet|dev|devnet|sepolia|goerli|rinkeby|ropsten|kovan|holesky|amoy|mumbai|fuji|chapel)$/;

/**
 * Returns at most three slugs that an unknown name may mean, likeliest first. Accepts chain ids, family names and
 * aliases, testnet names, and names with typing errors.
 */
export function nearestNetworks(asked: string, networks: readonly Named[]): readonly string[] {
  const word = asked.slice(0, LENGTH_MAX).trim().toLowerCase();
  const chainId = chainIdOf(word);
  const found =
    chainId === null
      ? byName(word.split(/[^a-z0-9]+/).filter(Boolean), networks)
      : networks.filter((network) => network.chainId === chainId);
  return found.slice(0, SHOWN_MAX).map(({ slug }) => slug);
}

/** Returns a question that begins with `start` and suggests the nearest slugs, or an empty text if no slug is near. */
export function networkMeant(asked: string, networks: readonly Named[], start: ' Did' | '; did' = ' Did'): string {
  const slugs = nearestNetworks(asked, networks);
  return slugs.length === 0
    ? ''
    : `${start} you mean ${slugs.length === 1 ? '' : `${slugs.slice(0, -1).join(', ')} or `}${slugs.at(-1)}?`;
}

function chainIdOf(word: string): number | null {
  const digits = /^(?:eip155[:-])?(\d{1,15}|0x[0-9a-f]{1,12})$/.exec(word)?.[1];
  return digits === undefined ? null : Number(digits);
}

function byName(parts: readonly string[], networks: readonly Named[]): readonly Named[] {
  const family = familyOf(parts, [...new Set(networks.map((network) => network.family))]);
  const ofFamily = networks.filter((network) => network.family === family);
  if (ofFamily.length > 0) return ranked(ofFamily, parts);
  const slug = nearestName(
    parts.join('-'),
    networks.map((network) => network.slug),
  );
  if (slug !== null) return networks.filter((network) => network.slug === slug);
  return networks.filter((network) => parts.length === 1 && parts[0] === netOf(network));
}

/** Finds a family whose name equals a part, starts the first part (as in `basesepolia`), or is similar to a part. */
function familyOf(parts: readonly string[], families: readonly string[]): string | null {
  const names = [...families, ...Object.keys(FAMILY_ALIASES)];
  const meant = (name: string | null | undefined): string | null =>
    name == null ? null : Object.hasOwn(FAMILY_ALIASES, name) ? (FAMILY_ALIASES[name] ?? name) : name;
  const [first = ''] = parts;
  const exact = [parts.join('-'), ...parts].find((part) => names.includes(part));
  const beginning = names
    .filter((name) => first.startsWith(name) && TESTNET_OR_MAIN.test(first.slice(name.length)))
    .sort((one, other) => other.length - one.length)[0];
  const near = parts
    .filter((part) => part.length > 3 && !TESTNET_OR_MAIN.test(part))
    .map((part) =>
      nearestName(
        part,
        names.filter((name) => name.length > 3),
      ),
    )
    .find((name) => name !== null);
  return meant(exact) ?? meant(beginning) ?? meant(near);
}

const TESTNET_OR_MAIN = new RegExp(`^(?:main|mainnet|one|${TESTNETS.source.slice(4, -2)})$`);

function ranked(networks: readonly Named[], parts: readonly string[]): readonly Named[] {
  const text = parts.join('-');
  const isTest = parts.some((part) => TESTNETS.test(part)) || /test|sepolia|goerli|devnet/.test(text);
  const rank = (network: Named): number =>
    text.endsWith(netOf(network)) || parts.includes(netOf(network))
      ? 0
      : (netOf(network) === 'mainnet') === isTest
        ? 2
        : 1;
  return [...networks].sort((one, other) => rank(one) - rank(other));
}

const netOf = ({ slug, family }: Named): string => slug.slice(family.length + 1);
