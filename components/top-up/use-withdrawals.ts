'use client';

import { askWithdrawals, GatewayError, type TurnpikeClientOptions, withdraw, type WithdrawalList } from '@/lib/client';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { gatewayOptions } from '@/lib/browser/reads/gateway';
import { queryClient } from '@/lib/browser/reads/query-client';
import { useReads } from '@/lib/browser/reads/use-read';
import { chainChanged } from '@/lib/browser/wallet/use-switch-chain';
import { dropWithdrawal, withdrawalsKeptFor } from './kept-withdrawals';

export { draftWithdrawal } from '@/lib/client';

const OPEN_LOOK_MS = 2_000;

export interface Withdrawing extends WithdrawalList {
  /** Refusal of a withdrawal that was sent; nothing was debited. */
  refused: GatewayError | null;
}

/**
 * Sends a wallet's signed withdrawals that have no answer yet. Returns the amount that the wallet can withdraw, and the
 * wallet's withdrawals.
 */
export function useWithdrawals(wallet: string, signIn: string) {
  const reads = useReads();
  const queryKey = ['withdrawals', wallet, signIn];
  const query = useQuery(
    {
      queryKey,
      queryFn: async ({ signal }): Promise<Withdrawing> => {
        const options = gatewayOptions({ kind: 'signIn', signIn });
        const before = queryClient.getQueryData<Withdrawing>(queryKey)?.refused ?? null;
        const refused = await sendKept(wallet, options, before);
        return { ...(await askWithdrawals(options, { signal })), refused };
      },
      staleTime: 5_000,
      refetchInterval: ({ state }) =>
        withdrawalsKeptFor(wallet).length > 0 || state.data?.withdrawals.some(isOpen) ? OPEN_LOOK_MS : false,
    },
    queryClient,
  );
  const states = query.data?.withdrawals.map(({ id, state }) => `${id} ${state}`).join();
  const seen = useRef(states);
  useEffect(() => {
    const before = seen.current;
    seen.current = states;
    if (before === undefined || before === states) return;
    void Promise.all([
      chainChanged(reads),
      reads.readAgain(['balance']),
      queryClient.invalidateQueries({ queryKey: ['movements'] }),
    ]);
  }, [states, reads]);
  return query;
}

export function isOpen({ state }: { state: string }): boolean {
  return state === 'debited' || state === 'submitted';
}

/**
 * Sends the signed withdrawals that have no answer yet.
 * @param before earlier refusal, which stays until another withdrawal is sent
 * @returns last refusal, if any
 */
export async function sendKept(
  wallet: string,
  options: TurnpikeClientOptions,
  before: GatewayError | null,
): Promise<GatewayError | null> {
  const waiting = withdrawalsKeptFor(wallet);
  let refused = waiting.length === 0 ? before : null;
  for (const kept of waiting) {
    try {
      await withdraw(options, kept, kept.signature);
      dropWithdrawal(kept);
    } catch (error) {
      if (!(error instanceof GatewayError && error.detail.isFromService)) continue;
      const isFinal = error.status === 400 || error.status === 404 || error.detail.code === 'WITHDRAWALS_PAUSED';
      if (!isFinal) continue;
      refused = error;
      dropWithdrawal(kept);
    }
  }
  return refused;
}
