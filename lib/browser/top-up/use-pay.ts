'use client';

import { useCallback, useEffect, useRef, useState } from 'react';
import { loadCode } from '../load-code';
import { useReads } from '../reads/use-read';
import type { ConnectedWallet } from '../wallet/wallet-store';
import type { PayRail } from './pay-rails';
import type { PaymentDraft } from './payment-draft';

/** How far a payment has come before it is sent. */
export type PayState =
  | { step: 'form' }
  | { step: 'drafting' }
  | { step: 'review'; draft: PaymentDraft }
  /** The wallet has the question. */
  | { step: 'asking'; draft: PaymentDraft }
  | { step: 'failed'; at: 'draft'; error: unknown }
  | { step: 'failed'; at: 'signature'; draft: PaymentDraft; error: unknown };

export interface PayWish {
  rail: PayRail;
  wallet: ConnectedWallet;
  usd: string;
  units: bigint;
}

/** What drafts payments and follows them: it is there before the wallet is asked, so that what is signed can be sent. */
const loadDesk = () => loadCode(() => import('./payment-desk'));

/** Drafts a payment, shows it, has it signed, and hands it over to be followed. Going back takes it back, also while the wallet is asked; going to another page does not. */
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
  useEffect(() => () => draft?.discard(), [draft]);
  const review = useCallback(async (wish: PayWish) => {
    wished.current = wish;
    const mine = ++turn.current;
    setState({ step: 'drafting' });
    try {
      const { draftPayment } = await loadDesk();
      const drafted = await draftPayment(wish.rail, wish.wallet, wish);
      if (turn.current === mine) setState({ step: 'review', draft: drafted });
      else drafted.discard();
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
