'use client';

import { type CallCredential, listKeys, type ListedKey } from '@/lib/client';
import { gatewayOptions } from '../gateway';
import { useRead } from '../reads/use-read';

const KEYS_MAX = 100;

/** Returns the live keys of an account, newest first. Waits for a credential. */
export function useKeys(credential: CallCredential | null) {
  return useRead({
    key: ['keys', credential],
    enabled: credential !== null,
    read: async (signal): Promise<readonly ListedKey[]> =>
      (await listKeys(gatewayOptions(credential), { signal, limit: KEYS_MAX })).data,
    staleMs: 10_000,
    onReturn: true,
  });
}
