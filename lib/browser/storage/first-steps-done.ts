'use client';

import { createStoredValue } from './stored-value';

/** A new visitor's steps on the way to their own API key. */
export const FIRST_STEPS = ['call', 'wallet', 'sign-in', 'top-up', 'chat', 'key'] as const;
export type FirstStep = (typeof FIRST_STEPS)[number];

/** Steps completed in this browser, with any payment method. */
export const firstStepsDone = createStoredValue<readonly FirstStep[]>({
  key: 'turnpike.first-steps',
  initial: [],
  parse: (stored) => (Array.isArray(stored) ? FIRST_STEPS.filter((step) => stored.includes(step)) : null),
});

let isKept = true;

/**
 * Stores a completed step. All visitors share the demo key, so its charges do not show who completed a step. If storage
 * is full, the next call retries.
 */
export function noteFirstStep(step: FirstStep): void {
  const done = firstStepsDone.get();
  if (done.includes(step) && isKept) return;
  isKept = firstStepsDone.set(done.includes(step) ? done : [...done, step]);
}
