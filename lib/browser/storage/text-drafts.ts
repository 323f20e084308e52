'use client';

import { createStoredValue, useStoredValue } from './stored-value';

export type TypedFields = Readonly<Record<string, string>>;

const FIELDS_MAX = 100;

export interface FieldDrafts<T extends TypedFields> {
  fields: T;
  edit: (change: Partial<T>) => void;
  clear: () => void;
}

/**
 * Creates a hook for the draft of a form. The draft survives a reload, navigation and a crash, in this browser only.
 * Not for secrets.
 * @param initial fields of an empty form
 */
export function createFieldDrafts<T extends TypedFields>(key: string, initial: T): () => FieldDrafts<T> {
  const store = createStoredValue<T>({
    key,
    initial,
    parse: (stored) => readFields(stored, initial),
    draftOf: (last) => last,
  });
  const edit = (change: Partial<T>) => void store.set({ ...store.get(), ...change });
  const clear = () => void store.set(initial);
  return function useFieldDrafts() {
    return { fields: useStoredValue(store), edit, clear };
  };
}

export function readFields<T extends TypedFields>(stored: unknown, initial: T): T | null {
  if (typeof stored !== 'object' || stored === null) return null;
  const known = Object.entries(stored).filter(
    ([name, text]) => Object.hasOwn(initial, name) && typeof text === 'string',
  );
  return { ...initial, ...Object.fromEntries(known.slice(0, FIELDS_MAX)) };
}
