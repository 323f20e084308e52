'use client';

import { useEffect } from 'react';
import { useBalance } from './billing/use-balance';
import { useLastCharges } from './billing/use-usage';
import { useCallHistory } from './rpc/call-history';
import { type Credential, useCredential } from './credential';
import { useKeys } from './keys/use-keys';
import { FIRST_STEPS, type FirstStep, firstStepsDone } from './first-steps-done';
import { useStoredValue } from './stored-value';
import { useReceipts } from './top-up/receipts';
import { useSignIns } from './wallet/sign-in-store';
import { useConnectedWallets } from './wallet/wallet-store';

export type { FirstStep } from './first-steps-done';

/** Order of steps. The sandbox starts with a call, which demo money pays for. */
const ORDER: Readonly<Record<'sandbox' | 'live', readonly FirstStep[]>> = {
  sandbox: ['call', 'wallet', 'sign-in', 'top-up', 'chat', 'key'],
  live: ['wallet', 'sign-in', 'top-up', 'call', 'chat', 'key'],
};

export function stepsOf(profile: 'sandbox' | 'live'): readonly FirstStep[] {
  return ORDER[profile];
}

/** Returns the steps to the user's own key. A completed step stays completed after a change of payment method. */
export function useFirstSteps(profile: 'sandbox' | 'live'): readonly { step: FirstStep; isDone: boolean }[] {
  const remembered = useStoredValue(firstStepsDone);
  const seen = useWhatIsDone();
  const news = FIRST_STEPS.filter((step) => seen[step] && !remembered.includes(step)).join();
  useEffect(() => {
    if (news !== '') firstStepsDone.set([...firstStepsDone.get(), ...(news.split(',') as FirstStep[])]);
  }, [news]);
  return stepsOf(profile).map((step) => ({ step, isDone: seen[step] || remembered.includes(step) }));
}

/** Returns the user's own charges: charges of the shared demo key do not count. */
export function ownCharges<Charged>(payer: Credential['kind'], charges: readonly Charged[]): readonly Charged[] {
  return payer === 'demo' ? [] : charges;
}

/**
 * Returns whether the user has a key: one that the wallet minted, or an entered one whose balance the gateway returned.
 */
export function holdsKey(payer: Credential['kind'], isTaken: boolean, minted: number): boolean {
  return (payer === 'own' && isTaken) || minted > 0;
}

function useWhatIsDone(): Readonly<Record<FirstStep, boolean>> {
  const wallets = useConnectedWallets();
  const hasCalledHere = useCallHistory().some(({ outcome }) => outcome === 'ok');
  const isSignedIn = useSignIns().length > 0;
  const credential = useCredential();
  const lastCharges = useLastCharges().data ?? [];
  const charges = ownCharges(credential.kind, lastCharges);
  const keys = useKeys(credential.kind === 'wallet' && credential.family === 'evm' ? credential.presented : null);
  const hasReceipts = useReceipts().length > 0;
  const { balance } = useBalance();
  return {
    call: hasCalledHere || charges.some(({ resource }) => resource.startsWith('rpc/')),
    wallet: wallets.length > 0,
    'sign-in': isSignedIn,
    'top-up': hasReceipts || (balance?.x402Usd ?? 0) > 0,
    chat: charges.some(({ resource }) => resource.startsWith('chat/')),
    key: holdsKey(credential.kind, balance !== null, keys.data?.length ?? 0),
  };
}
