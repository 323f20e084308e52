'use client';

import { createFieldDrafts } from '../text-drafts';

/** How much is to be paid, and where: a CAIP-2 network, or empty for the first that a connected wallet can pay on. */
export const useTopUpDraft = createFieldDrafts('turnpike.top-up-draft', { amount: '10', network: '' });
