'use client';

import { useSyncExternalStore } from 'react';
import { newId } from '../../new-id';
import type { WalletFamily } from '../wallet-address';

/** Something that a demo wallet is asked to sign. */
export interface ApprovalDetails {
  family: WalletFamily;
  address: string;
  /** What it is, as a short title: `Sign a message`. */
  title: string;
  /** What signing it does, as a sentence. */
  consequence: string;
  /** Facts about it, in order: what is called, how much, on which chain. */
  facts: readonly (readonly [name: string, value: string])[];
  /** Exactly what is signed. */
  body: string;
}

/** A question that waits for its answer. */
export interface PendingApproval extends ApprovalDetails {
  id: string;
  answer: (approved: boolean) => void;
}

let pending: readonly PendingApproval[] = [];
const listeners = new Set<() => void>();

/** Asks the person, after those who asked before; resolves to what they said. */
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

/** The question to show now, or null. */
export function usePendingApproval(): PendingApproval | null {
  return useSyncExternalStore(
    subscribe,
    () => pending[0] ?? null,
    () => null,
  );
}

function change(next: readonly PendingApproval[]): void {
  pending = next;
  listeners.forEach((listener) => listener());
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
