'use client';

import { kindOfMethod } from '@/components/json/kind-of-method';
import { describeNetwork } from '@/lib/browser/reads/networks';
import { firstRequestOf } from '@/lib/browser/rpc/first-request';
import { replaceDraft, type StoredDraft } from '@/lib/browser/rpc/rpc-draft';
import type { RpcDraft } from './request-href';
import { lacksParams, readRequestLink } from './request-link';
import { checkRequest } from './request-text';
import { loadMethodBook } from './use-method-book';

/**
 * Opens the request in a URL, if any. Sends nothing.
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

/** Applies a link to the draft. If the link contains only a network, adapts the request to that network. */
export function applyLink(draft: StoredDraft, linked: Partial<RpcDraft>): StoredDraft {
  const text = linked.network === undefined ? draft.text : requestForNetwork(linked.network, draft.text);
  return { ...draft, text, ...linked, answerView: linked.compared ? 'compare' : draft.answerView };
}

const MARK = 'turnpikeOpened';

/**
 * Marks the link of the current history entry as opened, so that a reload or Back does not overwrite newer input.
 * @param link query and fragment of the opened link
 * @param href URL that replaces the current one
 */
export function markOpened(link: string, href?: string): void {
  // Keeps Next's state in the history entry. If the URL changes, Next adds its state itself.
  window.history.replaceState({ ...(href === undefined && window.history.state), [MARK]: link }, '', href);
}

/** Returns whether the current history entry is marked as opened by this link. */
export function isOpened(link: string): boolean {
  return (window.history.state as Readonly<Record<string, unknown>> | null)?.[MARK] === link;
}

/**
 * Returns the request text for a network. If a method belongs to another kind of chain, returns a call of this
 * network's first method. Judges methods by name. Keeps incomplete requests.
 */
export function requestForNetwork(slug: string, text: string): string {
  const kind = describeNetwork(slug)?.kind;
  const check = checkRequest(text);
  if (kind === undefined || !check.ok) return text;
  return check.calls.some(({ method }) => kindOfMethod(method) !== kind) ? firstRequestOf(slug) : text;
}
