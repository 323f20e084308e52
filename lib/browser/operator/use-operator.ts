'use client';

import { askOperatorFigures } from '@/lib/client/operator-figures';
import type { OperatorFigures } from '@/lib/protocol/operator-figures';
import { useEffect } from 'react';
import type { CallCredential } from '@/lib/client';
import { useCredential } from '../credential';
import { gatewayOptions } from '../gateway';
import { useRead } from '../reads/use-read';
import { forgetOperatorKey, useOperatorKey } from './operator-key';
import { seenOperator } from './seen-operator';

const REFRESH_EVERY_MS = 15_000;
const STALE_MS = 5_000;

/** What the console knows of whoever looks at the operator's page. */
export type OperatorView =
  /** No operator: neither the key nor the sign-in of a wallet on the list. */
  | { kind: 'nobody' }
  | { kind: 'looking' }
  | { kind: 'failed'; error: Error; refresh: () => void }
  | {
      kind: 'operator';
      figures: OperatorFigures;
      updatedAtMs: number;
      /** Why the last refresh failed; what was known before is kept. */
      error: Error | null;
      refresh: () => void;
      /** Whether the key opened it; a wallet's sign-in otherwise. */
      isByKey: boolean;
    };

/** Asks as an operator, with what this browser has: the operator's key, else the wallet that pays. API keys are nobody's sign. */
export function useOperator(): OperatorView {
  const { key, isComing } = useOperatorKey();
  const credential = useCredential();
  const presented: CallCredential | null =
    key !== null ? { kind: 'apiKey', apiKey: key } : credential.kind === 'wallet' ? credential.presented : null;
  const { data, error, updatedAtMs, refetch } = useRead({
    key: ['operator-figures', presented],
    enabled: presented !== null,
    read: (signal) => askOperatorFigures(gatewayOptions(presented), { signal }),
    staleMs: STALE_MS,
    // Who is no operator is not asked again and again.
    everyMs: (state) => (state.data === null ? null : REFRESH_EVERY_MS),
    onReturn: true,
  });
  const isLooking =
    presented === null ? isComing || credential.kind === 'pending' : data === undefined && error === null;
  const isOperator = presented !== null && data !== undefined && data !== null;
  const isUnknown = isLooking || (presented !== null && data === undefined);
  useEffect(() => {
    if (!isUnknown && seenOperator.get() !== isOperator) seenOperator.set(isOperator);
  }, [isUnknown, isOperator]);
  // A key that was changed since then would stand before the wallet.
  const isKeyOld = key !== null && data === null;
  useEffect(() => {
    if (isKeyOld) forgetOperatorKey();
  }, [isKeyOld]);
  const refresh = () => void refetch();
  if (isLooking) return { kind: 'looking' };
  if (presented === null || data === null) return { kind: 'nobody' };
  if (data !== undefined)
    return { kind: 'operator', figures: data, updatedAtMs, error, refresh, isByKey: key !== null };
  return error === null ? { kind: 'looking' } : { kind: 'failed', error, refresh };
}
