'use client';

import { loadCode } from '@/lib/browser/page/load-code';
import { createListeners } from '@/lib/browser/storage/stored-value';
import type { Network } from '@/lib/protocol/networks';
import { costNanoUsd, creditsOf, type NanoUsd } from '@/lib/protocol/pricing';
import { useEffect, useSyncExternalStore } from 'react';
import type * as methodBook from './method-book';
import type { RequestQuote } from './request-quote';

export type MethodBook = typeof methodBook;

let loaded: MethodBook | null = null;
let loading: Promise<MethodBook> | null = null;
const listeners = createListeners();
const ACTS = ['pointerdown', 'keydown'] as const;

/** Returns the method data; null until loaded. Loading begins at the user's first input, or at once if `isNeeded`. */
export function useMethodBook(isNeeded: boolean): MethodBook | null {
  const book = useSyncExternalStore(
    listeners.subscribe,
    () => loaded,
    () => null,
  );
  useEffect(() => {
    if (book !== null) return;
    if (isNeeded || navigator.userActivation.hasBeenActive) load();
    window.addEventListener('pointermove', load, { once: true, passive: true, capture: true });
    // These events also retry a failed load.
    for (const act of ACTS) window.addEventListener(act, load, { passive: true, capture: true });
    return () => ['pointermove', ...ACTS].forEach((act) => window.removeEventListener(act, load, { capture: true }));
  }, [isNeeded, book]);
  return book;
}

/**
 * Loads the method data.
 * @throws {UnreachableError} if the code does not arrive; the next call retries
 */
export function loadMethodBook(): Promise<MethodBook> {
  loading ??= loadCode(() => import('./method-book')).then(
    (book) => {
      loaded = book;
      listeners.tell();
      return book;
    },
    (error: unknown) => {
      loading = null;
      throw error;
    },
  );
  return loading;
}

/** Loads the method data. If loading fails, the console's connection state reports the failure. */
function load(): void {
  void loadMethodBook().catch(() => undefined);
}

/** Most used EVM methods, all in the standard tier. `quote-at-once.test.ts` compares the list with the method table. */
const MOST_CALLED: ReadonlySet<string> = new Set(
  [
    'blockNumber',
    'call',
    'chainId',
    'estimateGas',
    'feeHistory',
    'gasPrice',
    'getBalance',
    'getBlockByNumber',
    'getCode',
    'getLogs',
    'getStorageAt',
    'getTransactionByHash',
    'getTransactionCount',
    'getTransactionReceipt',
    'sendRawTransaction',
  ].map((name) => `eth_${name}`),
);

/**
 * Prices a request for the most used methods of an EVM network, without loading the method table.
 * @returns result of `quoteRequest`; null if the table is needed
 */
export function quoteAtOnce(
  network: Network,
  methodNames: readonly string[],
  pricePerCreditNanoUsd: NanoUsd,
): RequestQuote | null {
  if (network.kind !== 'evm') return null;
  if (!methodNames.every((name) => MOST_CALLED.has(name))) return null;
  const credits = methodNames.length * creditsOf(network, { tier: 'standard' });
  return { kind: 'price', credits, costNanoUsd: costNanoUsd(credits, pricePerCreditNanoUsd) };
}
