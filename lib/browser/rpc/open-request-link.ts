'use client';

import { requestForNetwork } from './request-for-network';
import type { RpcDraft } from './request-href';
import { lacksParams, readRequestLink } from './request-link';
import { loadMethodBook } from './methods/use-method-book';
import { replaceDraft, type StoredDraft } from './rpc-draft';

/**
 * Opens the request that an address contains, if any. Sends nothing.
 *
 * @param onOpened called when the request is open; delayed only if examples must load for missing parameters
 * @returns function that cancels the opening
 */
export function openRequestLink(search: string, hash: string, onOpened: () => void): () => void {
  let isWanted = true;
  const open = (exampleParams?: (method: string) => readonly unknown[]) => {
    if (!isWanted) return;
    const linked = readRequestLink(search, hash, exampleParams);
    if (linked !== null) replaceDraft((draft) => applyLink(draft, linked));
    onOpened();
  };
  if (!lacksParams(search, hash)) open();
  // If the examples do not load, the user fills in the parameters.
  else
    void loadMethodBook().then(
      (book) => open(book.exampleParams),
      () => open(),
    );
  return () => {
    isWanted = false;
  };
}

/** Applies a link to the draft. If the link names only a network, adapts the request to that network. */
export function applyLink(draft: StoredDraft, linked: Partial<RpcDraft>): StoredDraft {
  const text = linked.network === undefined ? draft.text : requestForNetwork(linked.network, draft.text);
  return { ...draft, text, ...linked, answerView: linked.compared ? 'compare' : draft.answerView };
}
