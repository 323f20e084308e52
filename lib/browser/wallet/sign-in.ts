'use client';

import type { GatewaySettings } from '@/lib/client';
import { buildSignIn } from '@/lib/protocol/sign-in/build-sign-in';
import { chooseCredential } from '../credential';
import { findSignIn, keepSignIn, type StoredSignIn } from './sign-in-store';
import { askInTime } from './ask-in-time';
import { requireAccount } from './require-account';
import { walletLayer } from './wallet-store';
import type { WalletFamily } from './wallet-address';

/** How long the console stays signed in. The gateway takes up to 24 hours. */
export const SIGN_IN_LASTS_MS = 8 * 3600_000;

/** A sign-in about to end is not worth keeping to. */
const MARGIN_MS = 60_000;

export interface SignInRequest {
  family: WalletFamily;
  address: string;
  settings: GatewaySettings | null;
  /** EVM chain for which it is made. */
  chainId: number;
  /** Whether calls are made with it from now on. */
  useForCalls: boolean;
}

const running = new Map<string, Promise<StoredSignIn>>();

/**
 * Signs a wallet in. The wallet is asked only where there is no sign-in of it that still
 * holds; asking twice at once asks once. Rejects where the person refuses.
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
