'use client';

import { createStoredValue } from './stored-value';

/** The steps from nothing to a key of one's own. */
export const FIRST_STEPS = ['call', 'wallet', 'sign-in', 'top-up', 'chat', 'key'] as const;
export type FirstStep = (typeof FIRST_STEPS)[number];

/** What was done in this browser once, whoever pays now. */
export const firstStepsDone = createStoredValue<readonly FirstStep[]>({ key: 'turnpike.first-steps', initial: [], parse: (stored) => (Array.isArray(stored) ? FIRST_STEPS.filter((step) => stored.includes(step)) : null) });

/** Keeps that a step was done here, where no charge of the person's own would tell it: the demo key is everybody's. */
export function noteFirstStep(step: FirstStep): void {
  if (!firstStepsDone.get().includes(step)) firstStepsDone.set([...firstStepsDone.get(), step]);
}
