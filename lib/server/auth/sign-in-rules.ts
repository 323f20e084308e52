import { BASE_MAINNET, SOLANA_MAINNET } from '@/lib/protocol/sign-in/chain-id';
import { acceptedChainIds, type SignInRules } from '@/lib/protocol/sign-in/check-sign-in';
import type { Call } from '../http/call';

const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]'];
const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/** What sign-ins a gateway accepts, and how it names itself to those who ask. */
export interface GatewayRules extends SignInRules {
  /** Where people reach the gateway, for links in answers. */
  origin: string;
  /** The origins by the Host header of a request that came to them, lower case. */
  originsByHost: ReadonlyMap<string, string>;
}

/**
 * What sign-ins a gateway accepts: those for its public URLs, or for this machine by its usual names where it has
 * none; on Base, Solana's mainnet and the chains that the operator adds, with the first as the one to propose.
 * @param origin where people reach it, as links in answers have it.
 */
export function signInRules(
  {
    publicUrls,
    port,
    chainIds,
  }: { publicUrls: readonly string[]; port: number; chainIds: readonly (string | number)[] },
  origin: string,
): GatewayRules {
  const urls = publicUrls.length > 0 ? publicUrls : [origin, ...LOCAL_HOSTS.map((host) => `http://${host}:${port}`)];
  const parsed = urls.map((url) => new URL(url));
  const originsByHost = new Map<string, string>();
  for (const url of parsed) {
    for (const host of url.port ? [url.host] : [url.host, `${url.host}:${DEFAULT_PORTS[url.protocol]}`]) {
      if (!originsByHost.has(host)) originsByHost.set(host, url.origin);
    }
  }
  return {
    origin,
    domains: new Set(originsByHost.keys()),
    origins: new Set(parsed.map((url) => url.origin)),
    chainIds: acceptedChainIds([BASE_MAINNET, SOLANA_MAINNET, ...chainIds]),
    originsByHost,
  };
}

/**
 * The origin that a client asked, where it is one of the gateway's: answers name it, since a client refuses a challenge
 * for another host than it called. Else the gateway's own; a Host header that is nobody's is not repeated.
 */
export function askedOrigin(
  call: Pick<Call, 'header'>,
  { origin, originsByHost }: Pick<GatewayRules, 'origin' | 'originsByHost'>,
): string {
  const host = call.header('host');
  return (host === null ? undefined : originsByHost.get(host.toLowerCase())) ?? origin;
}
