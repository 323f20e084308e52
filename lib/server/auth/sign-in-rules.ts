import { DEFAULT_BRAND } from '@/lib/protocol/brand';
import { BASE_MAINNET, SOLANA_MAINNET } from '@/lib/protocol/sign-in/message-fields';
import { acceptedChainIds, type SignInRules } from '@/lib/protocol/sign-in/check-sign-in';
import type { Call } from '../http/call';

const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]'];
const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

export interface GatewayRules extends SignInRules {
  origin: string;
  /** Origins by Host header in lower case. */
  originsByHost: ReadonlyMap<string, string>;
  /** Statement in challenges. A sign-in may contain another statement. */
  statement: string;
}

/**
 * Returns the accepted sign-ins. Hosts are those of the public URLs, or else this machine's usual names. Challenges
 * propose the first chain.
 * @param origin for links in answers
 */
export function signInRules(
  {
    publicUrls,
    port,
    chainIds,
    statement = DEFAULT_BRAND.signInStatement,
  }: { publicUrls: readonly string[]; port: number; chainIds: readonly (string | number)[]; statement?: string },
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
    statement,
  };
}

/**
 * Returns the gateway's origin that a client called, because a client refuses a challenge for another host. For an
 * unknown Host header, returns the default origin, so that no answer repeats that header.
 */
export function askedOrigin(
  call: Pick<Call, 'header'>,
  { origin, originsByHost }: Pick<GatewayRules, 'origin' | 'originsByHost'>,
): string {
  const host = call.header('host');
  return (host === null ? undefined : originsByHost.get(host.toLowerCase())) ?? origin;
}
