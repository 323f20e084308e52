'use client';

import { createKeyedTexts } from '../keyed-texts';

/** Drafts of stake and unstake amounts, by pool address. */
export const { useText: useStakeDraft, put: draftStake } = createKeyedTexts('turnpike.stake-amounts');
