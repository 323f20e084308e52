'use client';

import { useSandbox } from '../sandbox';
import { createStoredValue, useStoredValue } from '../stored-value';

/** What is on the RPC page before it is sent. */
export interface StoredDraft {
  /** null: nobody chose one yet. */
  network: string | null;
  text: string;
  /** Sent as Idempotency-Key; empty for none. */
  idempotencyKey: string;
  /** Networks that the request is compared with. */
  compared: readonly string[];
  answerView: AnswerView;
}

export const ANSWER_VIEWS = ['tree', 'raw', 'compare'] as const;
/** How answers are looked at: one as a tree, one as received, or those of several networks side by side. */
export type AnswerView = (typeof ANSWER_VIEWS)[number];

/** As `composeRequest` lays it out; written here, so that whoever touches the draft need not load that. */
export const FIRST_REQUEST = `{
  "jsonrpc": "2.0",
  "id": 1,
  "method": "eth_blockNumber",
  "params": []
}`;
const SANDBOX_NETWORK = 'sandbox-testnet';
const LIVE_NETWORK = 'ethereum-mainnet';

const draftStore = createStoredValue<StoredDraft>({
  key: 'turnpike.rpc-draft',
  initial: { network: null, text: FIRST_REQUEST, idempotencyKey: '', compared: [], answerView: 'tree' },
  parse: parseDraft,
  // A key belongs to the request that was sent with it, and so to the tab that sent it.
  draftOf: (last) => ({ ...last, idempotencyKey: '' }),
});

const replacedStore = createStoredValue<StoredDraft | null>({
  key: 'turnpike.rpc-replaced',
  initial: null,
  parse: parseDraft,
  sessionOnly: () => true,
});

/**
 * The draft of the RPC page, kept in this browser. `network` is null until it is known whether there is a
 * sandbox, whose own network is the first choice there.
 */
export function useRpcDraft(): StoredDraft {
  const draft = useStoredValue(draftStore);
  const sandbox = useSandbox();
  if (draft.network !== null || sandbox.isPending) return draft;
  return { ...draft, network: sandbox.data ? SANDBOX_NETWORK : LIVE_NETWORK };
}

/** Changes parts of the draft. */
export function editDraft(changes: Partial<StoredDraft>): void {
  draftStore.set({ ...draftStore.get(), ...changes });
}

function changeDraft(change: (draft: StoredDraft) => StoredDraft): void {
  draftStore.set(change(draftStore.get()));
}

/** Puts the request of a link in the place of the one there is, which can be had back where it was the person's own. */
export function replaceDraft(change: (draft: StoredDraft) => StoredDraft): void {
  const before = draftStore.get();
  changeDraft(change);
  if (draftStore.get().text !== before.text && before.text !== FIRST_REQUEST) replacedStore.set(before);
}

/** What stood on the page before a link put its own request there; null where nothing was lost by it. */
export function useReplacedDraft(): StoredDraft | null {
  return useStoredValue(replacedStore);
}

/** Puts back what a link has replaced, or, where it is not wanted, forgets it. */
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
