'use client';

import { useSyncExternalStore } from 'react';
import { newId } from '../../new-id';
import type { WalletFamily } from '../wallet-address';
import { createListeners } from '../../listeners';

/** Request for a demo wallet's signature, as the user sees it. */
export interface ApprovalDetails {
  family: WalletFamily;
  address: string;
  title: string;
  /** Effect of signing, as one sentence. */
  consequence: string;
  /** Facts in display order, such as call, amount and chain. */
  facts: readonly (readonly [name: string, value: string])[];
  body: string;
  /** Whether the wallet also sends the signed transaction. */
  isSent?: boolean;
  /** Whether the title says everything, so that the page can hide `body`. */
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
