'use client';

import { isSendableKey } from './credential';
import { createSessionValue, useIsAsking } from '@/lib/browser/storage/session-value';
import { useStoredValue } from '@/lib/browser/storage/stored-value';

/** Operator's key, kept until the last tab of this browser closes. The key is not an API key. */
const operatorKeyStore = createSessionValue<string | null>({
  key: 'turnpike.operator-key',
  initial: null,
  parse: parseKey,
  sessionOnly: () => true,
});

/** Returns the operator's key, and whether other tabs may still send the key to this tab. */
export function useOperatorKey(): { key: string | null; isComing: boolean } {
  const key = useStoredValue(operatorKeyStore);
  return { key, isComing: useIsAsking(operatorKeyStore) };
}

export function keepOperatorKey(key: string): void {
  operatorKeyStore.set(key);
}

export function forgetOperatorKey(): void {
  operatorKeyStore.set(null);
}

function parseKey(stored: unknown): string | null {
  return typeof stored === 'string' && isSendableKey(stored) ? stored : null;
}
