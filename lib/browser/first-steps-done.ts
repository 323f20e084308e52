'use client';

import { createStoredValue } from './stored-value';

/** The steps from nothing to a key of one's own. */
export const FIRST_STEPS = ['call', 'wallet', 'sign-in', 'top-up', 'chat', 'key'] as const;
export type FirstStep = (typeof FIRST_STEPS)[number];

/** What was done in this browser once, whoever pays now. */
export const firstStepsDone = createStoredValue<readonly FirstStep[]>({
  key: 'turnpike.first-steps',
  initial: [],
  parse: (stored) => (Array.isArray(stored) ? FIRST_STEPS.filter((step) => stored.includes(step)) : null),
});

let isKept = true;

/**
 * Keeps that a step was done here, where no charge of the person's own would tell it: the demo key is everybody's. What
 * could not be kept, for want of room, is written again the next time.
 */
export function noteFirstStep(step: FirstStep): void {
  const done = firstStepsDone.get();
  if (done.includes(step) && isKept) return;
  isKept = firstStepsDone.set(done.includes(step) ? done : [...done, step]);
}
