'use client';

import { gatewayOptions } from '@/lib/browser/reads/gateway';
import { queryClient } from '@/lib/browser/reads/query-client';
import { useReads } from '@/lib/browser/reads/use-read';
import { createListeners } from '@/lib/browser/storage/stored-value';
import { type CallCredential, changeKey, type KeyBudget, revokeKey } from '@/lib/client';
import { useMutation } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';

export function useChangeKey(credential: CallCredential | null) {
  const reads = useReads();
  return useMutation(
    {
      mutationFn: ({ id, budget }: { id: string; budget: KeyBudget }) =>
        changeKey(gatewayOptions(credential), id, budget),
      onSuccess: () => reads.readAgain(['keys']),
    },
    queryClient,
  );
}

export function useRevokeKey(credential: CallCredential | null) {
  const reads = useReads();
  return useMutation(
    {
      mutationFn: (id: string) => revokeKey(gatewayOptions(credential), id),
      onSuccess: (_done, id) => (noteRevoked(id), reads.readAgain(['keys'])),
    },
    queryClient,
  );
}

const NONE: ReadonlySet<string> = new Set();

let revoked = NONE;
const listeners = createListeners();

/** Returns the ids of the keys that this page has revoked. */
export function useRevokedKeys(): ReadonlySet<string> {
  return useSyncExternalStore(
    listeners.subscribe,
    () => revoked,
    () => NONE,
  );
}

function noteRevoked(id: string): void {
  revoked = new Set([...revoked, id]);
  listeners.tell();
}

export const KEYS_ANCHOR = 'your-keys';
