'use client';

import { createStoredValue, useStoredValue } from './stored-value';

/** What is typed in a form, by the names of its fields. */
export type TypedFields = Readonly<Record<string, string>>;

const FIELDS_MAX = 100;

/** The fields of one form, and how to change them. */
export interface FieldDrafts<T extends TypedFields> {
  fields: T;
  /** What is given is put into its fields; the others stay. */
  edit: (change: Partial<T>) => void;
  /** Back to what stands in an empty form. */
  clear: () => void;
}

/**
 * Makes the draft of a form: what is typed in it survives a reload, another page and a crash, in this browser only.
 * Not for secrets.
 *
 * @param initial what stands in the fields before anybody types
 * @returns a hook
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

/** Keeps the fields that the form has, where they hold text. */
export function readFields<T extends TypedFields>(stored: unknown, initial: T): T | null {
  if (typeof stored !== 'object' || stored === null) return null;
  const known = Object.entries(stored).filter(
    ([name, text]) => Object.hasOwn(initial, name) && typeof text === 'string',
  );
  return { ...initial, ...Object.fromEntries(known.slice(0, FIELDS_MAX)) };
}
