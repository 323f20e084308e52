'use client';

import type { GatewaySettings } from '@/lib/client';
import { buildSignIn } from '@/lib/protocol/sign-in/build-sign-in';
import { chooseCredential } from './credential';
import { findSignIn, keepSignIn, type StoredSignIn } from '@/lib/browser/wallet/sign-in-store';
import { askInTime, requireAccount } from '@/lib/browser/wallet/ask-wallet';
import { type WalletFamily, walletLayer } from '@/lib/browser/wallet/wallet-store';

/** Lifetime of the console's sign-in. The gateway accepts up to 24 hours. */
export const SIGN_IN_LASTS_MS = 8 * 3600_000;

/** Remaining lifetime below which a sign-in is replaced. */
const MARGIN_MS = 60_000;

export interface SignInRequest {
  family: WalletFamily;
  address: string;
  settings: GatewaySettings | null;
  chainId: number;
  useForCalls: boolean;
}

const running = new Map<string, Promise<StoredSignIn>>();

/**
 * Signs a wallet in. Asks the wallet only if no valid sign-in exists; concurrent calls share one request. Rejects if
 * the user refuses.
 */
export async function signInWithWallet(request: SignInRequest): Promise<StoredSignIn> {
  const { address, family, useForCalls } = request;
  const signIn = findSignIn(address, MARGIN_MS) ?? (await once(address, () => askWallet(request)));
  if (useForCalls) chooseCredential({ kind: 'wallet', address, family });
  return signIn;
}

async function askWallet({ family, address, settings, chainId }: SignInRequest): Promise<StoredSignIn> {
  const layer = await walletLayer(family);
  const statement = settings?.signIn.statement;
  const unsigned = buildSignIn({
    address,
    uri: window.location.origin,
    lifetimeMs: SIGN_IN_LASTS_MS,
    ...(statement ? { statement } : {}),
    ...(family === 'evm' ? { chainId } : {}),
  });
  requireAccount(family, address);
  const signature = await askInTime(layer.signMessage(family, unsigned.text));
  const signIn: StoredSignIn = { address, family, header: unsigned.header(signature), expiresAtMs: unsigned.expiresAt };
  keepSignIn(signIn);
  return signIn;
}

function once(address: string, ask: () => Promise<StoredSignIn>): Promise<StoredSignIn> {
  const earlier = running.get(address);
  if (earlier !== undefined) return earlier;
  const asked = ask().finally(() => running.delete(address));
  running.set(address, asked);
  return asked;
}
