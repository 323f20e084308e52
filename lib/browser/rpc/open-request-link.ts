'use client';

import { requestForNetwork } from './request-for-network';
import type { RpcDraft } from './request-href';
import { lacksParams, readRequestLink } from './request-link';
import { loadMethodBook } from './methods/use-method-book';
import { replaceDraft, type StoredDraft } from './rpc-draft';

/**
 * Takes over the request in an address, if it holds one. Nothing is sent.
 *
 * @param onOpened is told when that is done: at once, unless the link leaves parameters to the examples, which have to load
 * @returns how to give it up before that
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
  // Without examples the parameters are left to the person.
  else
    void loadMethodBook().then(
      (book) => open(book.exampleParams),
      () => open(),
    );
  return () => {
    isWanted = false;
  };
}

/** The draft with what a link names. Where it names a network alone, the request becomes one that this network can answer. */
export function applyLink(draft: StoredDraft, linked: Partial<RpcDraft>): StoredDraft {
  const text = linked.network === undefined ? draft.text : requestForNetwork(linked.network, draft.text);
  return { ...draft, text, ...linked, answerView: linked.compared ? 'compare' : draft.answerView };
}
