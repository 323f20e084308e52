'use client';

import { createFieldDrafts } from '../text-drafts';

/** Draft of the Video page. An empty field means its default. */
export const useVideoDraft = createFieldDrafts('turnpike.video-draft', {
  model: '',
  prompt: '',
  duration: '',
  aspectRatio: '',
});
