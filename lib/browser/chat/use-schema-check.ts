'use client';

import { useEffect, useMemo, useSyncExternalStore } from 'react';
import type { checkSchema as CheckSchema, SchemaCheck } from './schema-check';

/** How a schema stands: `pending` while the rules have yet to come, which load with the first schema. */
export type SchemaState = SchemaCheck | { kind: 'pending' };

let check: typeof CheckSchema | null = null;
const listeners = new Set<() => void>();

/** Whether a text is a schema that the gateway takes; without one nothing is loaded. */
export function useSchemaCheck(text: string): SchemaState {
  const known = useSyncExternalStore(
    subscribe,
    () => check,
    () => null,
  );
  const isNone = text.trim() === '';
  // With each change anew: what did not come is asked for again.
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
      listeners.forEach((listener) => listener());
    },
    () => undefined,
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
