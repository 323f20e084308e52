'use client';

import { createFieldDrafts } from '../text-drafts';
import { NO_FIELDS } from './mint-fields';

/** What the next key is to be. */
export const useMintDraft = createFieldDrafts<{ [Field in keyof typeof NO_FIELDS]: string }>('turnpike.mint-draft', {
  ...NO_FIELDS,
});
