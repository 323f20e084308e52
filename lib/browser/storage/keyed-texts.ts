'use client';

import { createStoredValue, useStoredValue } from './stored-value';

type Texts = Readonly<Record<string, string>>;

export interface KeyedTexts {
  /** Returns the draft stored under the key `place`; null if no draft is stored. */
  useText: (place: string) => string | null;
  /** Like `useText`, but for use outside rendering. */
  textOf: (place: string) => string | null;
  /** Stores a draft; null removes it. */
  put: (place: string, text: string | null) => void;
  forgetAll: () => void;
}

/** Maximum number of drafts. Older drafts are deleted. */
const TEXTS_MAX = 50;

/** Creates a store of drafts that survive a reload, navigation and a crash, in this browser only. Not for secrets. */
export function createKeyedTexts(key: string): KeyedTexts {
  const store = createStoredValue<Texts>({ key, initial: {}, parse: readTexts, draftOf: (last) => last });
  return {
    useText: (place) => useStoredValue(store)[place] ?? null,
    textOf: (place) => store.get()[place] ?? null,
    put(place, text) {
      const others = Object.entries(store.get()).filter(([each]) => each !== place);
      store.set(Object.fromEntries([...others, ...(text === null ? [] : [[place, text] as const])].slice(-TEXTS_MAX)));
    },
    forgetAll: () => void store.set({}),
  };
}

/** Returns the stored entries that are strings; null if the value is not an object. */
export function readTexts(stored: unknown): Texts | null {
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) return null;
  return Object.fromEntries(
    Object.entries(stored)
      .filter((entry): entry is [string, string] => typeof entry[1] === 'string')
      .slice(-TEXTS_MAX),
  );
}
