import { DEFAULT_BRAND } from '@/lib/protocol/brand';
import { familyOfChain, type WalletFamily } from '@/lib/protocol/wallet-address';
import { randomNonce } from '@/lib/protocol/sign-in/build-sign-in';
import { BASE_MAINNET, SOLANA_MAINNET, isUri, SIGN_IN_LIFETIME_MS } from '@/lib/protocol/sign-in/message-fields';
import type { SignInChain, SignInChallenge } from '@/lib/protocol/sign-in/challenge';
import { acceptedChainIds, type SignInRules } from '@/lib/protocol/sign-in/check-sign-in';
import type { Call } from '../http/call';

const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]'];
const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

export interface GatewayRules extends SignInRules {
  origin: string;
  /** Origins by Host header, in lower case. */
  originsByHost: ReadonlyMap<string, string>;
  /** Statement in challenges. A sign-in may contain another statement. */
  statement: string;
}

/**
 * Returns the rules for sign-ins. Accepts the hosts of the public URLs. Without public URLs, accepts `origin` and
 * loopback hosts.
 * @param origin origin of the links in answers
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
 * Returns the origin that a client called. A challenge must use this origin, because clients refuse a challenge of
 * another host. For an unknown Host header, returns the default origin, so that no answer repeats that header.
 */
export function askedOrigin(
  call: Pick<Call, 'header'>,
  { origin, originsByHost }: Pick<GatewayRules, 'origin' | 'originsByHost'>,
): string {
  const host = call.header('host');
  return (host === null ? undefined : originsByHost.get(host.toLowerCase())) ?? origin;
}

const URI_LENGTH_MAX = 512;

/**
 * Builds the sign-in message, to which the client adds the wallet's address. Stores nothing, because the signature and
 * the time in the message are enough to verify a sign-in.
 */
export function signInChallenge(
  call: Pick<Call, 'path' | 'header'>,
  rules: GatewayRules,
  nowMs: number,
): SignInChallenge {
  const origin = askedOrigin(call, rules);
  const uri = origin + call.path;
  return {
    info: {
      domain: new URL(origin).host,
      uri: isUri(uri) && uri.length <= URI_LENGTH_MAX ? uri : origin,
      version: '1',
      nonce: randomNonce(),
      issuedAt: new Date(nowMs).toISOString(),
      expirationTime: new Date(nowMs + SIGN_IN_LIFETIME_MS).toISOString(),
      statement: rules.statement,
    },
    supportedChains: supportedChains(rules.chainIds),
  };
}

interface Signatures {
  ofKey: SignInChain['type'];
  /** Signature type of contract wallets; null if such wallets cannot sign in. */
  ofContract: SignInChain['type'] | null;
}

const SIGNATURES: Readonly<Record<WalletFamily, Signatures>> = {
  evm: { ofKey: 'eip191', ofContract: 'eip1271' },
  solana: { ofKey: 'ed25519', ofContract: null },
};

/** Entries for contracts come last, because a client takes the first entry of its chain. */
function supportedChains(chainIds: ReadonlySet<string>): SignInChain[] {
  const chains = [...chainIds].map((chainId) => ({ chainId, signatures: SIGNATURES[familyOfChain(chainId)] }));
  const byKey = chains.map(({ chainId, signatures }): SignInChain => ({ chainId, type: signatures.ofKey }));
  const byContract = chains.flatMap(({ chainId, signatures: { ofContract } }): SignInChain[] =>
    ofContract === null ? [] : [{ chainId, type: ofContract }],
  );
  return [...byKey, ...byContract];
}
