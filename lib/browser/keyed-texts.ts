'use client';

import { createStoredValue, useStoredValue } from './stored-value';

type Texts = Readonly<Record<string, string>>;

/** Texts that are begun in many places of the same kind, each by a name of its place. */
export interface KeyedTexts {
  /** A hook: what is written at a place; null where nothing was begun there. */
  useText: (place: string) => string | null;
  /** Keeps what is written at a place; null forgets it. */
  put: (place: string, text: string | null) => void;
  forgetAll: () => void;
}

/** The one written longest ago goes first. */
const TEXTS_MAX = 50;

/** Makes drafts that survive a reload, another page and a crash, in this browser only. Not for secrets. */
export function createKeyedTexts(key: string): KeyedTexts {
  const store = createStoredValue<Texts>({ key, initial: {}, parse: readTexts, draftOf: (last) => last });
  return {
    useText: (place) => useStoredValue(store)[place] ?? null,
    put(place, text) {
      const others = Object.entries(store.get()).filter(([each]) => each !== place);
      store.set(Object.fromEntries([...others, ...(text === null ? [] : [[place, text] as const])].slice(-TEXTS_MAX)));
    },
    forgetAll: () => void store.set({}),
  };
}

/** Keeps what is text; an older or a foreign shape must not break the page. */
export function readTexts(stored: unknown): Texts | null {
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) return null;
  return Object.fromEntries(
    Object.entries(stored)
      .filter((entry): entry is [string, string] => typeof entry[1] === 'string')
      .slice(-TEXTS_MAX),
  );
}
