'use client';

import { createFieldDrafts } from '../text-drafts';

/** Amount and network (CAIP-2) of the payment. An empty network means the first that a connected wallet can pay on. */
export const useTopUpDraft = createFieldDrafts('turnpike.top-up-draft', { amount: '10', network: '' });
