'use client';

import { useConnection } from '@/lib/browser/connection/connection';
import { type Credential, useCredential } from '@/lib/browser/credential/credential';
import { useFirstAct } from '@/lib/browser/page/first-act';
import { isIdempotencyKey, renewIdempotencyKey } from '@/lib/browser/rpc/idempotency-key';
import { healthVerdict, useHealthAfter, useNetworkHealth } from '@/components/health/network-health';
import { describeNetwork, useNetworks } from '@/lib/browser/reads/networks';
import { usePricePerCredit } from '@/lib/browser/reads/price';
import { applyLink, isOpened, markOpened, openRequestLink, requestForNetwork } from './open-request-link';
import { requestHref, type RpcDraft } from './request-href';
import { isLinkTooLong, LINK_CHARACTERS_MAX, readRequestLink } from './request-link';
import type { RequestQuote } from './request-quote';
import { checkRequest, composeRequest, type RequestCheck } from './request-text';
import { preloadSending, useRpcCall } from './rpc-call';
import type { RpcCallState } from './perform-call';
import { loadMethodBook, type MethodBook, quoteAtOnce, useMethodBook } from './use-method-book';
import { editDraft, replaceDraft, type StoredDraft, useRpcDraft } from '@/lib/browser/rpc/rpc-draft';
import type { CallCredential } from '@/lib/client';
import type { Network } from '@/lib/protocol/networks';
import type { Tier } from '@/lib/protocol/rpc-methods';
import { rpcWords } from './words';
import { useSearchParams } from 'next/navigation';
import { useEffect, useMemo, useRef, useState } from 'react';

/** State and actions of the RPC page. All pickers and fields read and write the request text. */
export interface Workbench {
  draft: StoredDraft;
  network: Network | null;
  credential: Credential;
  check: RequestCheck;
  /** Null until known, and for an invalid request. */
  quote: RequestQuote | null;
  /** Sentence to show if the network has no node; null otherwise. */
  unserved: string | null;
  /** Reason why the user cannot send a request now; null for none. */
  obstacle: string | null;
  isQuotePending: boolean;
  /** Pricing tier of a single call; null for several calls or an unknown tier. */
  tier: Tier | null;
  isLinkTooLong: boolean;
  state: RpcCallState;
  /** Fault in the request text or the Idempotency-Key; null if valid. */
  problem: string | null;
  /** True after a refused attempt to send, until the user changes the request. */
  refusedToSend: boolean;
  send: () => void;
  /** Sends the last request again unchanged. */
  resend: (presented?: CallCredential) => void;
  resendWithNewKey: () => void;
  cancel: () => void;
  editText: (text: string) => void;
  chooseNetwork: (slug: string) => void;
  chooseMethod: (method: string) => void;
  switchBatch: () => void;
  /** Puts a stored request into the editor. Offers to restore the replaced text, unless `others` contains it. */
  openKept: (request: { network: string; text: string }, others: readonly string[]) => void;
  /** Puts a request into the page's URL, so that a reload restores the request. */
  noteLink: (draft: RpcDraft) => void;
}

export function useWorkbench(): Workbench {
  const stored = useRpcDraft();
  const credential = useCredential();
  const price = usePricePerCredit();
  const { state, send: sendCall, cancel } = useRpcCall();
  const [refused, setRefused] = useState<StoredDraft | null>(null);
  const { linked, isTooLong, noteOwnLink } = useRequestLink();
  const draft = useMemo((): StoredDraft => (linked === null ? stored : applyLink(stored, linked)), [stored, linked]);
  const network = useMemo(() => (draft.network === null ? null : describeNetwork(draft.network)), [draft.network]);
  const check = useMemo(() => checkRequest(draft.text), [draft.text]);
  const { networks, isLive } = useNetworks();
  const isUnlisted = isLive && draft.network !== null && !networks.some(({ slug }) => slug === draft.network);
  const atOnce = useMemo(
    () => (network && check.ok ? quoteAtOnce(network, namesOf(check), price) : null),
    [network, check, price],
  );
  const unserved = useUnserved(draft.network, isUnlisted);
  const isOffline = useConnection().state === 'offline';
  const obstacle = isOffline ? rpcWords.status.offline : unserved;
  useHealthAfter(state.status === 'answered' || state.status === 'failed' ? state : null);
  const isPriceable = network !== null && check.ok;
  const book = useMethodBook(isPriceable && atOnce === null);
  const priced = useMemo(
    () => atOnce ?? (network && check.ok && book ? book.quoteRequest(network, namesOf(check), price) : null),
    [atOnce, network, check, book, price],
  );
  useFirstAct(preloadSending);
  const latest = useRef(draft);
  useEffect(() => {
    latest.current = draft;
  });
  /**
   * Runs an edit once the method data has loaded. Drops the edit if the user types meanwhile. The shell reports a
   * failed load.
   */
  const withBook = (edit: (book: MethodBook) => void) =>
    void loadMethodBook().then(
      (known) => latest.current === draft && edit(known),
      () => undefined,
    );
  const quote: RequestQuote | null = isUnlisted
    ? { kind: 'refused', sentence: rpcWords.status.notListed(draft.network ?? '') }
    : priced;

  const problem = problemOf(check, draft);
  const showAnswer = () => draft.answerView === 'compare' && editDraft({ answerView: 'tree' });
  const send = () => {
    // The running call may be charged, so the user must cancel it or wait.
    if (draft.network === null || credential.kind === 'pending' || state.status === 'sending') return;
    setRefused(problem === null && obstacle === null ? null : draft);
    if (!check.ok || problem !== null || obstacle !== null) return;
    noteOwnLink(requestHref({ network: draft.network, text: draft.text }));
    showAnswer();
    void sendCall({
      network: draft.network,
      text: draft.text,
      calls: check.calls,
      credential: credential.presented,
      idempotencyKey: draft.idempotencyKey || null,
    });
  };
  const editText = (text: string) => editDraft({ text });
  return {
    draft,
    network,
    credential,
    check,
    quote,
    unserved,
    obstacle,
    isQuotePending: isPriceable && quote === null,
    tier: tierOf(check, book),
    isLinkTooLong: isTooLong,
    state,
    problem,
    refusedToSend:
      (problem ?? obstacle) !== null &&
      refused !== null &&
      refused.text === draft.text &&
      refused.idempotencyKey === draft.idempotencyKey,
    send,
    resend: (presented) =>
      state.status !== 'idle' && void sendCall({ ...state.request, credential: presented ?? credential.presented }),
    resendWithNewKey: () =>
      state.status !== 'idle' &&
      void sendCall({ ...state.request, credential: credential.presented, idempotencyKey: renewIdempotencyKey() }),
    cancel,
    editText,
    chooseNetwork: (slug) => editDraft({ network: slug, text: requestForNetwork(slug, draft.text) }),
    chooseMethod: (method) =>
      withBook(({ appendCall, exampleParams }) =>
        editText(
          check.ok && check.isBatch
            ? appendCall(check.document, method, exampleParams(method))
            : composeRequest(method, exampleParams(method)),
        ),
      ),
    switchBatch: () => check.ok && withBook(({ toggleBatch }) => editText(toggleBatch(check.document))),
    openKept: ({ network: slug, text }, others) =>
      others.includes(draft.text)
        ? editDraft({ network: slug, text })
        : replaceDraft((before) => ({ ...before, network: slug, text })),
    noteLink: (link) => noteOwnLink(requestHref(link)),
  };
}

function useUnserved(slug: string | null, isUnlisted: boolean): string | null {
  const { healthOf } = useNetworkHealth();
  const health = slug === null || isUnlisted ? null : healthOf(slug);
  if (slug === null || health === null || healthVerdict(health) !== 'unconfigured') return null;
  return rpcWords.status.unserved(slug);
}

function namesOf(check: RequestCheck): string[] {
  return check.ok ? check.calls.map(({ method }) => method) : [];
}

function tierOf(check: RequestCheck, book: MethodBook | null): Tier | null {
  const [name, ...others] = namesOf(check);
  if (name === undefined || others.length > 0 || book === null) return null;
  const method = book.lookUpMethod(name);
  return book.isRefusal(method) ? null : method.tier;
}

function problemOf(check: RequestCheck, { idempotencyKey }: StoredDraft): string | null {
  if (!check.ok) return check.problem.sentence;
  return idempotencyKey === '' || isIdempotencyKey(idempotencyKey) ? null : rpcWords.status.badIdempotencyKey;
}

/** Opens requests from the URL, and puts sent requests into the URL. */
function useRequestLink(): {
  linked: Partial<RpcDraft> | null;
  isTooLong: boolean;
  noteOwnLink: (href: string) => void;
} {
  const search = useSearchParams().toString();
  const [openedSearch, setOpenedSearch] = useState<string | null>(null);
  const [isTooLong, setIsTooLong] = useState(false);
  // Reads the link in the first render, also on the server, so that hydration shifts no layout.
  const linked = openedSearch === search ? null : readRequestLink(search, '');
  useEffect(() => {
    let giveUp = () => {};
    const open = () => {
      giveUp();
      if (isLinkTooLong(search, window.location.hash)) {
        setIsTooLong(true);
        // Removes the overlong link from the URL before other code reads it.
        window.history.replaceState(null, '', '/rpc');
      }
      const link = search + window.location.hash;
      if (isOpened(link)) return setOpenedSearch(search);
      giveUp = openRequestLink(search, window.location.hash, () => {
        markOpened(link);
        setOpenedSearch(search);
      });
    };
    if (openedSearch !== search) open();
    window.addEventListener('hashchange', open);
    return () => {
      giveUp();
      window.removeEventListener('hashchange', open);
    };
  }, [search, openedSearch]);
  return {
    linked,
    isTooLong,
    noteOwnLink(whole) {
      // A request too long for a link stays only in the draft.
      const href = whole.length > LINK_CHARACTERS_MAX ? '/rpc' : whole;
      setIsTooLong(false);
      const { searchParams, hash } = new URL(href, window.location.origin);
      setOpenedSearch(searchParams.toString());
      markOpened(searchParams.toString() + hash, href);
    },
  };
}
