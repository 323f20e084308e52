'use client';

import { newId } from '@/lib/browser/page/new-id';
import { createListeners } from '@/lib/browser/storage/stored-value';
import { useSyncExternalStore } from 'react';
import type { WalletFamily } from '../wallet-store';

/** Request for a demo wallet's signature, shown to the user. */
export interface ApprovalDetails {
  family: WalletFamily;
  address: string;
  title: string;
  /** Effect of signing, as one sentence. */
  consequence: string;
  /** Facts in display order, such as call, amount and chain. */
  facts: readonly (readonly [name: string, value: string])[];
  body: string;
  isSent?: boolean;
  /** True if the title suffices and the page can hide `body`. */
  isPlain?: boolean;
}

export interface PendingApproval extends ApprovalDetails {
  id: string;
  answer: (approved: boolean) => void;
}

let pending: readonly PendingApproval[] = [];
const listeners = createListeners();

/** Queues a question for the user; resolves to the answer. */
export function askApproval(details: ApprovalDetails): Promise<boolean> {
  return new Promise((resolve) => {
    const id = newId();
    const answer = (approved: boolean) => {
      change(pending.filter((each) => each.id !== id));
      resolve(approved);
    };
    change([...pending, { ...details, id, answer }]);
  });
}

export function usePendingApproval(): PendingApproval | null {
  return useSyncExternalStore(
    listeners.subscribe,
    () => pending[0] ?? null,
    () => null,
  );
}

function change(next: readonly PendingApproval[]): void {
  pending = next;
  listeners.tell();
}

/** Error with a code from EIP-1193 (section "Provider Errors") or EIP-1474. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';

  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

/** The user refused (EIP-1193). */
export const USER_REJECTED = 4001;
export const UNAUTHORIZED = 4100;
export const UNSUPPORTED_METHOD = 4200;
/** The wallet does not know the chain (EIP-3085). */
export const UNKNOWN_CHAIN = 4902;
export const INVALID_PARAMS = -32602;

export function userRejected(): ProviderError {
  return new ProviderError(USER_REJECTED, 'User rejected the request.');
}
