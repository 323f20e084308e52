'use client';

import { useFirstNetwork } from '@/lib/browser/reads/settings';
import { FIRST_REQUEST, firstRequestOf } from './first-request';
import { createStoredValue, useStoredValue } from '@/lib/browser/storage/stored-value';

export interface StoredDraft {
  network: string | null;
  text: string;
  idempotencyKey: string;
  compared: readonly string[];
  answerView: AnswerView;
}

export const ANSWER_VIEWS = ['tree', 'raw', 'compare'] as const;
export type AnswerView = (typeof ANSWER_VIEWS)[number];

const draftStore = createStoredValue<StoredDraft>({
  key: 'turnpike.rpc-draft',
  initial: { network: null, text: FIRST_REQUEST, idempotencyKey: '', compared: [], answerView: 'tree' },
  parse: parseDraft,
  // Drops the Idempotency-Key, which belongs to the tab that sent the request.
  draftOf: (last) => ({ ...last, idempotencyKey: '' }),
});

const replacedStore = createStoredValue<StoredDraft | null>({
  key: 'turnpike.rpc-replaced',
  initial: null,
  parse: parseDraft,
  sessionOnly: () => true,
});

/** Returns the draft of the RPC page. `network` is null until the page knows the gateway's first network. */
export function useRpcDraft(): StoredDraft {
  const draft = useStoredValue(draftStore);
  const network = useFirstNetwork();
  if (draft.network !== null || network === null) return draft;
  return { ...draft, network, text: draft.text === FIRST_REQUEST ? firstRequestOf(network) : draft.text };
}

export function editDraft(changes: Partial<StoredDraft>): void {
  draftStore.set({ ...draftStore.get(), ...changes });
}

function changeDraft(change: (draft: StoredDraft) => StoredDraft): void {
  draftStore.set(change(draftStore.get()));
}

/** Replaces the draft with a linked or kept request. The user can restore the old draft. */
export function replaceDraft(change: (draft: StoredDraft) => StoredDraft): void {
  const before = draftStore.get();
  changeDraft(change);
  if (draftStore.get().text !== before.text && before.text !== FIRST_REQUEST) replacedStore.set(before);
}

export function useReplacedDraft(): StoredDraft | null {
  return useStoredValue(replacedStore);
}

/** Restores the replaced draft if `isWanted`, else forgets it. */
export function settleReplacedDraft(isWanted: boolean): void {
  const replaced = replacedStore.get();
  if (isWanted && replaced !== null) draftStore.set(replaced);
  replacedStore.set(null);
}

function parseDraft(stored: unknown): StoredDraft | null {
  if (typeof stored !== 'object' || stored === null) return null;
  const { network, text, idempotencyKey, compared, answerView } = stored as Partial<StoredDraft>;
  if (typeof text !== 'string' || typeof idempotencyKey !== 'string') return null;
  return {
    network: typeof network === 'string' ? network : null,
    text,
    idempotencyKey,
    compared: Array.isArray(compared) ? compared.filter((slug) => typeof slug === 'string') : [],
    answerView: ANSWER_VIEWS.find((view) => view === answerView) ?? 'tree',
  };
}
