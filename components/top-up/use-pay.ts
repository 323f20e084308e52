'use client';

import { loadCode } from '@/lib/browser/page/load-code';
import { useGatewaySettings } from '@/lib/browser/reads/settings';
import { useReads } from '@/lib/browser/reads/use-read';
import { createFieldDrafts } from '@/lib/browser/storage/text-drafts';
import type { PayRail } from '@/lib/browser/wallet/pay-rails';
import type { ConnectedWallet } from '@/lib/browser/wallet/wallet-store';
import { useCallback, useRef, useState } from 'react';
import type { PaymentDraft } from './payment-draft';

export type PayState =
  | { step: 'form' }
  | { step: 'drafting' }
  | { step: 'review'; draft: PaymentDraft }
  | { step: 'asking'; draft: PaymentDraft }
  | { step: 'failed'; at: 'draft'; error: unknown }
  | { step: 'failed'; at: 'signature'; draft: PaymentDraft; error: unknown };

export interface PayWish {
  rail: PayRail;
  wallet: ConnectedWallet;
  usd: string;
  units: bigint;
}

/** Loads the code before the wallet signs. If loading failed after signing, the payment could not be sent. */
const loadDesk = () => loadCode(() => import('./payment-desk'));

/**
 * Drafts a payment, shows it, asks the wallet to sign it, and starts tracking it. Going back cancels the payment, even
 * while the wallet asks the user. Opening another page does not.
 */
export function usePay(): {
  state: PayState;
  review: (wish: PayWish) => Promise<void>;
  renew: () => Promise<void>;
  sign: () => Promise<void>;
  back: () => void;
} {
  const [state, setState] = useState<PayState>({ step: 'form' });
  const reads = useReads();
  const wished = useRef<PayWish | null>(null);
  const turn = useRef(0);
  const draft = 'draft' in state ? state.draft : null;
  const review = useCallback(async (wish: PayWish) => {
    wished.current = wish;
    const mine = ++turn.current;
    setState({ step: 'drafting' });
    try {
      const { draftPayment } = await loadDesk();
      const drafted = await draftPayment(wish.rail, wish.wallet, wish);
      if (turn.current === mine) setState({ step: 'review', draft: drafted });
    } catch (error) {
      if (turn.current === mine) setState({ step: 'failed', at: 'draft', error });
    }
  }, []);
  const sign = async () => {
    if (draft === null || state.step === 'asking') return;
    const mine = ++turn.current;
    setState({ step: 'asking', draft });
    try {
      const { signPayment } = await loadDesk();
      await signPayment(draft, reads, () => turn.current === mine);
      if (turn.current === mine) setState({ step: 'form' });
    } catch (error) {
      if (turn.current === mine) setState({ step: 'failed', at: 'signature', draft, error });
    }
  };
  return {
    state,
    review,
    renew: async () => {
      if (wished.current !== null) await review(wished.current);
    },
    sign,
    back: () => {
      turn.current += 1;
      setState({ step: 'form' });
    },
  };
}

/** The API specification's minimum, used until the gateway's settings arrive. */
const MINIMUM_USD = 5;
/** Tokens have six decimals, so amounts in USD have at most six. */
const MICRO = 1_000_000;

/** Returns the minimum top-up on a rail, in base units of its token. */
export function usePaymentTerms({ decimals }: PayRail): bigint {
  const { data } = useGatewaySettings();
  const microUsd = BigInt(Math.round((data?.minimumTopUpUsd ?? MINIMUM_USD) * MICRO));
  return (microUsd * 10n ** BigInt(decimals)) / BigInt(MICRO);
}

/** `network` is a CAIP-2 id. If empty, the form uses the first network on which a connected wallet can pay. */
export const useTopUpDraft = createFieldDrafts('turnpike.top-up-draft', { amount: '10', network: '' });
