'use client';

import type { MintedKey } from '@/lib/client';
import type { MintWish } from '@/lib/protocol/api-keys/terms-digest';
import { useCallback, useState } from 'react';
import { gatewayOptions } from '../gateway';
import { useReads } from '../reads/use-read';
import { walletLayer } from '../wallet/wallet-store';

/** Progress of minting. The token is the text to sign, valid until `tokenEndsAtMs`. */
export type MintState =
  | { step: 'idle' }
  | { step: 'token' }
  | { step: 'signature'; tokenEndsAtMs: number }
  | { step: 'check'; tokenEndsAtMs: number }
  | { step: 'done'; key: MintedKey }
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
      setState({ step: 'done', key });
      await reads.readAgain(['keys']);
    } catch (thrown) {
      setState({ step: 'failed', at, error: thrown instanceof Error ? thrown : new Error(String(thrown)) });
    }
  };
  const clearFailure = useCallback(() => setState((now) => (now.step === 'failed' ? { step: 'idle' } : now)), []);
  return { state, mint, clear: () => setState({ step: 'idle' }), clearFailure };
}

/**
 * Returns the `exp` of a JWT (RFC 7519) in milliseconds; null if absent. For display only, because the gateway enforces
 * the expiry.
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
