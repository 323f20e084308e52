'use client';

import { createFieldDrafts } from '../text-drafts';
import { NO_FIELDS } from './mint-fields';

export const useMintDraft = createFieldDrafts<{ [Field in keyof typeof NO_FIELDS]: string }>('turnpike.mint-draft', {
  ...NO_FIELDS,
});
