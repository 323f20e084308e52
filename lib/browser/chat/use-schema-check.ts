'use client';

import { useEffect, useMemo, useSyncExternalStore } from 'react';
import type { checkSchema as CheckSchema, SchemaCheck } from './schema-check';
import { createListeners } from '../listeners';

/** State of a schema: `pending` until the checking code has loaded. */
export type SchemaState = SchemaCheck | { kind: 'pending' };

let check: typeof CheckSchema | null = null;
const listeners = createListeners();

/** Checks whether the gateway accepts a text as a schema. Loads the checking code with the first schema. */
export function useSchemaCheck(text: string): SchemaState {
  const known = useSyncExternalStore(
    listeners.subscribe,
    () => check,
    () => null,
  );
  const isNone = text.trim() === '';
  // Retries a failed load with each change of the text.
  useEffect(() => {
    if (!isNone) load();
  }, [isNone, text]);
  return useMemo(() => (isNone ? { kind: 'none' } : (known?.(text) ?? { kind: 'pending' })), [isNone, known, text]);
}

function load(): void {
  if (check !== null) return;
  import('./schema-check').then(
    (module) => {
      check = module.checkSchema;
      listeners.tell();
    },
    () => undefined,
  );
}
