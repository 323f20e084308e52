import { familyOfChain, type WalletFamily } from '@/lib/protocol/wallet-address';
import { randomNonce } from '@/lib/protocol/sign-in/build-sign-in';
import type { SignInChallenge, SignInChain } from '@/lib/protocol/sign-in/challenge';
import { isUri, SIGN_IN_LIFETIME_MS } from '@/lib/protocol/sign-in/message-fields';
import type { Call } from '../http/call';
import { askedOrigin, type GatewayRules } from './sign-in-rules';

/** Longest URL in a challenge. The origin replaces a longer URL. */
const URI_LENGTH_MAX = 512;

/**
 * Builds a call's sign-in message, without the wallet's address. Stores nothing, because a signed message is verified
 * by its signature and time alone.
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
  /** Null if contracts of this wallet family cannot sign in. */
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
