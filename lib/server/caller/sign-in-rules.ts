import { BASE_MAINNET, SOLANA_MAINNET } from '@/lib/protocol/sign-in/chain-id';
import { acceptedChainIds, type SignInRules } from '@/lib/protocol/sign-in/check-sign-in';
import type { Config } from '../config/load';

const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]'];
const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/**
 * What sign-ins a gateway accepts: those for its public URLs, or for this machine by its usual names where it has
 * none; on Base, Solana's mainnet and the chains that the operator adds, with the first as the one to propose.
 * @param origin where people reach it, as links in answers have it.
 */
export function signInRules({ publicUrls, port, signIn }: Pick<Config, 'publicUrls' | 'port' | 'signIn'>, origin: string): SignInRules {
  const urls = publicUrls.length > 0 ? publicUrls : [origin, ...LOCAL_HOSTS.map((host) => `http://${host}:${port}`)];
  const parsed = urls.map((url) => new URL(url));
  return {
    domains: new Set(parsed.flatMap(({ host, port: given, protocol }) => (given ? [host] : [host, `${host}:${DEFAULT_PORTS[protocol]}`]))),
    origins: new Set(parsed.map((url) => url.origin)),
    chainIds: acceptedChainIds([BASE_MAINNET, SOLANA_MAINNET, ...signIn.chainIds]),
  };
}
