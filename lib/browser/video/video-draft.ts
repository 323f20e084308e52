'use client';

import { createFieldDrafts } from '../text-drafts';

/** What stands in the fields of the Video page. Empty texts leave a field to its default. */
export const useVideoDraft = createFieldDrafts('turnpike.video-draft', {
  model: '',
  prompt: '',
  duration: '',
  aspectRatio: '',
});
