'use client';

import { newId } from './new-id';
import { editDraft } from './rpc/rpc-draft';

/** Whether a text can be an Idempotency-Key (spec, "POST /crypto/rpc/{network}"). */
export function isIdempotencyKey(text: string): boolean {
  return /^[A-Za-z0-9_-]{1,255}$/.test(text);
}

/** Puts a key that was never used into the draft, and returns it: the next sending is a new request. */
export function renewIdempotencyKey(): string {
  const idempotencyKey = `console-${newId()}`;
  editDraft({ idempotencyKey });
  return idempotencyKey;
}
