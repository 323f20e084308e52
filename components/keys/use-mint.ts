'use client';

import { useHasPassed } from '@/lib/browser/page/clock';
import { gatewayOptions } from '@/lib/browser/reads/gateway';
import { useRead, useReads } from '@/lib/browser/reads/use-read';
import { useSignIns } from '@/lib/browser/wallet/sign-in-store';
import { sameAddress, walletLayer } from '@/lib/browser/wallet/wallet-store';
import {
  type Balance,
  GatewayError,
  type MintedKey,
  mintRefusalOf,
  type MintRemedy,
  readBalance,
  UnsignableTokenError,
} from '@/lib/client';
import type { Network } from '@/lib/protocol/networks';
import type { MintWish } from '@/lib/protocol/api-keys/terms-digest';
import { useCallback, useState } from 'react';
import { mintWords } from './key-list-words';

/** Progress of minting. The wallet signs a token, which expires at `tokenEndsAtMs`. */
export type MintState =
  | { step: 'idle' }
  | { step: 'token' }
  | { step: 'signature'; tokenEndsAtMs: number }
  | { step: 'check'; tokenEndsAtMs: number }
  | { step: 'done'; key: MintedKey; allow: MintWish['allow'] }
  | { step: 'failed'; at: 'token' | 'signature' | 'check'; error: Error };

const TOKEN_LASTS_MS = 15 * 60_000;

export function useMint(): {
  state: MintState;
  mint: (address: string, wish: MintWish) => Promise<void>;
  clear: () => void;
  clearFailure: () => void;
} {
  const [state, setState] = useState<MintState>({ step: 'idle' });
  const reads = useReads();
  const mint = async (address: string, wish: MintWish) => {
    let at: 'token' | 'signature' | 'check' = 'token';
    try {
      setState({ step: 'token' });
      const { mintByWallet } = await import('@/lib/client/mint-by-wallet');
      const signText = async (token: string): Promise<string> => {
        const tokenEndsAtMs = tokenEndOf(token) ?? Date.now() + TOKEN_LASTS_MS;
        at = 'signature';
        setState({ step: 'signature', tokenEndsAtMs });
        const signature = await (await walletLayer('evm')).signMessage('evm', token);
        at = 'check';
        setState({ step: 'check', tokenEndsAtMs });
        return signature;
      };
      const key = await mintByWallet(gatewayOptions(), { address: () => Promise.resolve(address), signText }, wish);
      setState({ step: 'done', key, allow: wish.allow });
      await reads.readAgain(['keys']);
    } catch (thrown) {
      setState({ step: 'failed', at, error: thrown instanceof Error ? thrown : new Error(String(thrown)) });
    }
  };
  const clearFailure = useCallback(() => setState((now) => (now.step === 'failed' ? { step: 'idle' } : now)), []);
  return { state, mint, clear: () => setState({ step: 'idle' }), clearFailure };
}

/**
 * Chooses a network that the key allows, for the key's first call: the sandbox's network, else an EVM network, else
 * any.
 */
export function firstCallNetwork<T extends Pick<Network, 'slug' | 'family' | 'kind'>>(
  networks: readonly T[],
  allow: MintWish['allow'],
): T | undefined {
  if (allow?.endpoints !== undefined && !allow.endpoints.includes('rpc')) return undefined;
  const allowed = networks.filter(({ slug }) => allow?.networks === undefined || allow.networks.includes(slug));
  return allowed.find(({ family }) => family === 'sandbox') ?? allowed.find(({ kind }) => kind === 'evm') ?? allowed[0];
}

/**
 * Returns the `exp` of a JWT (RFC 7519) in milliseconds; null if absent. For display only: the gateway enforces the
 * expiry.
 */
export function tokenEndOf(token: string): number | null {
  try {
    const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    const { exp } = JSON.parse(atob(payload)) as { exp?: unknown };
    return typeof exp === 'number' && Number.isFinite(exp) ? exp * 1000 : null;
  } catch {
    return null;
  }
}

export interface MintAdvice {
  sentence: string;
  cure: string;
  remedy: MintRemedy | null;
}

/**
 * Returns advice for a gateway error or an unsignable token, else null. The API's sentence about a missing stake always
 * mentions Base, as the API specification requires; this advice mentions the pool's network.
 * @param pool symbol of the staked token, and the pool's network
 */
export function mintAdviceOf(error: Error, pool: { symbol: string; network: string }): MintAdvice | null {
  const refusal = mintRefusalOf(error);
  if (refusal?.reason === 'no-stake')
    return {
      sentence: mintWords.noStake(pool.symbol, pool.network),
      cure: mintWords.cures[refusal.remedy],
      remedy: refusal.remedy,
    };
  if (refusal !== null)
    return { sentence: withFullStop(error.message), cure: mintWords.cures[refusal.remedy], remedy: refusal.remedy };
  if (error instanceof GatewayError)
    return { sentence: withFullStop(error.message), cure: error.detail.hint ?? mintWords.tryAgainSoon, remedy: null };
  if (error instanceof UnsignableTokenError)
    return { sentence: error.message, cure: mintWords.otherToken, remedy: null };
  return null;
}

function withFullStop(sentence: string): string {
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** Returns a wallet's balances; null before sign-in or while unknown. */
export function useWalletBalance(address: string): Balance | null {
  const signIn = useSignIns().find((each) => sameAddress(each.address, address));
  const hasEnded = useHasPassed(signIn?.expiresAtMs ?? null);
  const presented = signIn === undefined || hasEnded ? null : ({ kind: 'signIn', signIn: signIn.header } as const);
  const { data } = useRead({
    key: ['balance', presented],
    enabled: presented !== null,
    read: (signal) => readBalance(gatewayOptions(presented), { signal }),
    staleMs: 5_000,
  });
  return presented === null ? null : (data ?? null);
}
