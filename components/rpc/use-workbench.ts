'use client';

import { type PastCall } from '@/lib/browser/call-history';
import { type Credential, useCredential } from '@/lib/browser/credential';
import { isIdempotencyKey, renewIdempotencyKey } from '@/lib/browser/idempotency-key';
import { describeNetwork, useNetworks } from '@/lib/browser/networks';
import { usePricePerCredit } from '@/lib/browser/price';
import { requestForNetwork } from '@/lib/browser/request-for-network';
import { readRequestLink, requestHref, type RpcDraft } from '@/lib/browser/request-link';
import { quoteRequest, type RequestQuote } from '@/lib/browser/request-quote';
import { appendCall, checkRequest, composeRequest, type RequestCheck, toggleBatch } from '@/lib/browser/request-text';
import { type RpcCallState, useRpcCall } from '@/lib/browser/rpc-call';
import { applyLink, editDraft, openRequestLink, type StoredDraft, useRpcDraft } from '@/lib/browser/rpc-draft';
import type { CallCredential } from '@/lib/client';
import type { Network } from '@/lib/protocol/networks';
import { exampleParams } from '@/lib/protocol/rpc-methods/examples';
import { useSearchParams } from 'next/navigation';
import { useEffect, useMemo, useState } from 'react';

/** Everything the RPC page shows and does. The request text is the one truth; pickers and fields read and write it. */
export interface Workbench {
  draft: StoredDraft;
  network: Network | null;
  credential: Credential;
  check: RequestCheck;
  /** What the request will cost; null while it cannot be sent. */
  quote: RequestQuote | null;
  state: RpcCallState;
  /** Why the request cannot be sent as it stands: the text, or the idempotency key; null where it can. */
  problem: string | null;
  /** Whether somebody tried to send what cannot be sent, until it changes. */
  refusedToSend: boolean;
  send: () => void;
  /** Sends the last request again as it was, with another credential where one is given. */
  resend: (presented?: CallCredential) => void;
  /** Sends the last request again under an Idempotency-Key of its own. */
  resendWithNewKey: () => void;
  cancel: () => void;
  editText: (text: string) => void;
  chooseNetwork: (slug: string) => void;
  chooseMethod: (method: string) => void;
  switchBatch: () => void;
  openPastCall: (call: PastCall) => void;
  /** Puts a request into the address of the page, so that a reload brings it back. */
  noteLink: (draft: RpcDraft) => void;
}

export function useWorkbench(): Workbench {
  const stored = useRpcDraft();
  const credential = useCredential();
  const price = usePricePerCredit();
  const { state, send: sendCall, cancel } = useRpcCall();
  const [refused, setRefused] = useState<StoredDraft | null>(null);
  const { linked, noteOwnLink } = useRequestLink();
  const draft = useMemo((): StoredDraft => (linked === null ? stored : applyLink(stored, linked)), [stored, linked]);
  const network = useMemo(() => (draft.network === null ? null : describeNetwork(draft.network)), [draft.network]);
  const check = useMemo(() => checkRequest(draft.text), [draft.text]);
  const { networks, isLive } = useNetworks();
  const isUnlisted = isLive && draft.network !== null && !networks.some(({ slug }) => slug === draft.network);
  const priced = useMemo(() => (network && check.ok ? quoteRequest(network, check.calls.map(({ method }) => method), price) : null), [network, check, price]);

  const quote: RequestQuote | null = isUnlisted ? { kind: 'refused', sentence: `${draft.network} is not a network of this gateway. Choose another in the picker.` } : priced;

  const problem = problemOf(check, draft);
  const showAnswer = () => draft.answerView === 'compare' && editDraft({ answerView: 'tree' });
  const send = () => {
    if (draft.network === null || credential.kind === 'pending') return;
    setRefused(problem === null ? null : draft);
    if (!check.ok || problem !== null) return;
    noteOwnLink(requestHref({ network: draft.network, text: draft.text }));
    showAnswer();
    void sendCall({ network: draft.network, text: draft.text, calls: check.calls, credential: credential.presented, idempotencyKey: draft.idempotencyKey || null });
  };
  const editText = (text: string) => editDraft({ text });
  return {
    draft,
    network,
    credential,
    check,
    quote,
    state,
    problem,
    refusedToSend: problem !== null && refused !== null && refused.text === draft.text && refused.idempotencyKey === draft.idempotencyKey,
    send,
    resend: (presented) => state.status !== 'idle' && void sendCall({ ...state.request, credential: presented ?? credential.presented }),
    resendWithNewKey: () => state.status !== 'idle' && void sendCall({ ...state.request, credential: credential.presented, idempotencyKey: renewIdempotencyKey() }),
    cancel,
    editText,
    chooseNetwork: (slug) => editDraft({ network: slug, text: requestForNetwork(slug, draft.text, { keepRefused: true }) }),
    chooseMethod: (method) => editText(check.ok && check.isBatch ? appendCall(check.document, method, exampleParams(method)) : composeRequest(method, exampleParams(method))),
    switchBatch: () => check.ok && editText(toggleBatch(check.document)),
    openPastCall: ({ network: slug, requestText }) => editDraft({ network: slug, text: requestText }),
    noteLink: (link) => noteOwnLink(requestHref(link)),
  };
}

function problemOf(check: RequestCheck, { idempotencyKey }: StoredDraft): string | null {
  if (!check.ok) return check.problem.sentence;
  return idempotencyKey === '' || isIdempotencyKey(idempotencyKey) ? null : 'The Idempotency-Key takes 1 to 255 letters, digits, "_" or "-".';
}

/** Opens requests that arrive in the address, and puts the one that was sent there, so that a reload brings it back. */
function useRequestLink(): { linked: Partial<RpcDraft> | null; noteOwnLink: (href: string) => void } {
  const search = useSearchParams().toString();
  const [openedSearch, setOpenedSearch] = useState<string | null>(null);
  // Shown from the very first render, the server's included, so that nothing moves when the page comes alive.
  const linked = openedSearch === search ? null : readRequestLink(search, '');
  useEffect(() => {
    const open = () => {
      openRequestLink(search, window.location.hash);
      setOpenedSearch(search);
    };
    if (openedSearch !== search) open();
    window.addEventListener('hashchange', open);
    return () => window.removeEventListener('hashchange', open);
  }, [search, openedSearch]);
  return {
    linked,
    noteOwnLink(href) {
      setOpenedSearch(new URL(href, window.location.origin).searchParams.toString());
      window.history.replaceState(null, '', href);
    },
  };
}
