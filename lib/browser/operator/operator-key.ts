'use client';

import { isSendableKey } from '../secret';
import { createSessionValue, useIsAsking } from '../session-value';
import { useStoredValue } from '../stored-value';

/** The operator's key, until the last tab of this browser closes. It pays for nothing, and is no API key. */
const operatorKeyStore = createSessionValue<string | null>({
  key: 'turnpike.operator-key',
  initial: null,
  parse: parseKey,
  sessionOnly: () => true,
});

/** The key that was entered here, and whether another tab may still hand it over. */
export function useOperatorKey(): { key: string | null; isComing: boolean } {
  const key = useStoredValue(operatorKeyStore);
  return { key, isComing: useIsAsking(operatorKeyStore) };
}

/** Opens the operator's page with this key from now on, in all tabs. */
export function keepOperatorKey(key: string): void {
  operatorKeyStore.set(key);
}

/** Forgets it in all tabs. */
export function forgetOperatorKey(): void {
  operatorKeyStore.set(null);
}

function parseKey(stored: unknown): string | null {
  return typeof stored === 'string' && isSendableKey(stored) ? stored : null;
}
