'use client';

import { useEffect } from 'react';
import { useBalance } from './billing/use-balance';
import { useLastCharges } from './billing/use-usage';
import { useCallHistory } from './call-history';
import { useCredential } from './credential';
import { useKeys } from './keys/use-keys';
import { createStoredValue, useStoredValue } from './stored-value';
import { useReceipts } from './top-up/receipts';
import { useSignIns } from './wallet/sign-in-store';
import { useWallets } from './wallet/wallet-store';

const STEPS = ['call', 'wallet', 'sign-in', 'top-up', 'chat', 'key'] as const;
export type FirstStep = (typeof STEPS)[number];

/** Where there is money at hand to try with, the first call comes first; where there is none, the wallet does. */
const ORDER: Readonly<Record<'sandbox' | 'live', readonly FirstStep[]>> = {
  sandbox: ['call', 'wallet', 'sign-in', 'top-up', 'chat', 'key'],
  live: ['wallet', 'sign-in', 'top-up', 'call', 'chat', 'key'],
};

/** The steps in the order that suits the gateway. */
export function stepsOf(profile: 'sandbox' | 'live'): readonly FirstStep[] {
  return ORDER[profile];
}

const doneStore = createStoredValue<readonly FirstStep[]>({ key: 'turnpike.first-steps', initial: [], parse: (stored) => (Array.isArray(stored) ? STEPS.filter((step) => stored.includes(step)) : null) });

/** From nothing to a key of one's own, in the order that suits the gateway. What was done once stays done, whoever pays now. */
export function useFirstSteps(profile: 'sandbox' | 'live'): readonly { step: FirstStep; isDone: boolean }[] {
  const remembered = useStoredValue(doneStore);
  const seen = useWhatIsDone();
  const news = STEPS.filter((step) => seen[step] && !remembered.includes(step)).join();
  useEffect(() => {
    if (news !== '') doneStore.set([...doneStore.get(), ...(news.split(',') as FirstStep[])]);
  }, [news]);
  return stepsOf(profile).map((step) => ({ step, isDone: seen[step] || remembered.includes(step) }));
}

/** As far as it can be told by what this browser keeps, and by what pays now. */
function useWhatIsDone(): Readonly<Record<FirstStep, boolean>> {
  const { evm, solana } = useWallets();
  const charges = useLastCharges().data ?? [];
  const hasCalledHere = useCallHistory().some(({ outcome }) => outcome === 'ok');
  const isSignedIn = useSignIns().length > 0;
  const credential = useCredential();
  const keys = useKeys(credential.kind === 'wallet' && credential.family === 'evm' ? credential.presented : null);
  const hasReceipts = useReceipts().length > 0;
  const { balance } = useBalance();
  return {
    call: hasCalledHere || charges.some(({ resource }) => resource.startsWith('rpc/')),
    wallet: evm !== null || solana !== null,
    'sign-in': isSignedIn,
    'top-up': hasReceipts || (balance?.x402Usd ?? 0) > 0,
    chat: charges.some(({ resource }) => resource.startsWith('chat/')),
    key: credential.kind === 'own' || (keys.data?.length ?? 0) > 0,
  };
}
