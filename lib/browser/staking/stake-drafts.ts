'use client';

import { createKeyedTexts } from '../keyed-texts';

/** Amounts that are typed and not staked or unstaked yet, by the address of their pool. */
export const { useText: useStakeDraft, put: draftStake } = createKeyedTexts('turnpike.stake-amounts');
