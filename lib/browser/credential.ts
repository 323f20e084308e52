'use client';

import { useSandbox } from './sandbox';
import { isSendableKey } from './secret';
import { createStoredValue, useStoredValue } from './stored-value';

/** An API key that a person entered. `remember` keeps it beyond the tab. */
export interface OwnKey {
  apiKey: string;
  remember: boolean;
}

/** Whose key the console calls with. `pending` until the browser knows whether there is a demo key. */
export type Credential =
  | { kind: 'own'; apiKey: string; remember: boolean }
  | { kind: 'demo'; apiKey: string }
  | { kind: 'none'; apiKey: null }
  | { kind: 'pending'; apiKey: null };

const ownKeyStore = createStoredValue<OwnKey | null>({
  key: 'turnpike.api-key',
  initial: null,
  parse: parseOwnKey,
  sessionOnly: (key) => key?.remember !== true,
});

/** The credential in use: the person's own key where there is one, else the sandbox's demo key, else none. */
export function useCredential(): Credential {
  const own = useStoredValue(ownKeyStore);
  const sandbox = useSandbox();
  if (own !== null) return { kind: 'own', ...own };
  if (sandbox.isPending) return { kind: 'pending', apiKey: null };
  return sandbox.data ? { kind: 'demo', apiKey: sandbox.data.demoKey } : { kind: 'none', apiKey: null };
}

/** Calls with this key from now on. */
export function enterKey(key: OwnKey): void {
  ownKeyStore.set(key);
}

/** Forgets the person's own key, in this browser's storage too. */
export function forgetKey(): void {
  ownKeyStore.set(null);
}

function parseOwnKey(stored: unknown): OwnKey | null {
  if (typeof stored !== 'object' || stored === null) return null;
  const { apiKey, remember } = stored as Partial<OwnKey>;
  return typeof apiKey === 'string' && isSendableKey(apiKey) ? { apiKey, remember: remember === true } : null;
}
