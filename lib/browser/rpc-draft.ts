'use client';

import { SANDBOX_TESTNET } from '@/lib/protocol/networks';
import { requestForNetwork } from './request-for-network';
import { readRequestLink, type RpcDraft } from './request-link';
import { composeRequest } from './request-text';
import { useSandbox } from './sandbox';
import { createStoredValue, useStoredValue } from './stored-value';

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

export const FIRST_REQUEST = composeRequest('eth_blockNumber', []);
const LIVE_NETWORK = 'ethereum-mainnet';

const draftStore = createStoredValue<StoredDraft>({
  key: 'turnpike.rpc-draft',
  initial: { network: null, text: FIRST_REQUEST, idempotencyKey: '', compared: [], answerView: 'tree' },
  parse: parseDraft,
  sessionOnly: () => true,
});

/**
 * The draft of the RPC page, kept while the tab lives. `network` is null until it is known whether there is a
 * sandbox, whose own network is the first choice there.
 */
export function useRpcDraft(): StoredDraft {
  const draft = useStoredValue(draftStore);
  const sandbox = useSandbox();
  if (draft.network !== null || sandbox.isPending) return draft;
  return { ...draft, network: sandbox.data ? SANDBOX_TESTNET.slug : LIVE_NETWORK };
}

/** Changes parts of the draft. */
export function editDraft(changes: Partial<StoredDraft>): void {
  draftStore.set({ ...draftStore.get(), ...changes });
}

/** Takes over the request in an address, if it holds one. */
export function openRequestLink(search: string, hash: string): boolean {
  const linked = readRequestLink(search, hash);
  if (linked !== null) editDraft(applyLink(draftStore.get(), linked));
  return linked !== null;
}

/** The draft with what a link names. Where it names a network alone, the request becomes one that this network can answer. */
export function applyLink(draft: StoredDraft, linked: Partial<RpcDraft>): StoredDraft {
  const text = linked.network === undefined ? draft.text : requestForNetwork(linked.network, draft.text, { keepRefused: false });
  return { ...draft, text, ...linked, answerView: linked.compared ? 'compare' : draft.answerView };
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
