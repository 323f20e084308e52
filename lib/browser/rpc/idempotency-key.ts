'use client';

import { newId } from '@/lib/browser/page/new-id';
import { editDraft } from './rpc-draft';

/** Returns whether a string is a valid Idempotency-Key (spec, "POST /crypto/rpc/{network}"). */
export function isIdempotencyKey(text: string): boolean {
  return /^[A-Za-z0-9_-]{1,255}$/.test(text);
}

/** Puts a new Idempotency-Key into the draft and returns it, so that the next call is a new request. */
export function renewIdempotencyKey(): string {
  const idempotencyKey = `console-${newId()}`;
  editDraft({ idempotencyKey });
  return idempotencyKey;
}
