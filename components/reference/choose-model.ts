'use client';

import { loadCode } from '@/lib/browser/page/load-code';
import type { OfferedModel } from '@/lib/browser/reads/offered-models';
import { editSpeechDraft } from '@/components/speech/speech-draft';
import { useVideoDraft } from '@/components/video/video-models';

export const MODEL_HREFS: Readonly<Record<OfferedModel['kind'], string>> = {
  chat: '/chat',
  speech: '/speech',
  transcriptions: '/reference#transcribe',
  embeddings: '/reference#createEmbeddings',
  images: '/reference#createImages',
  video: '/video',
};

/** Returns a function that preselects a model on the page for its kind, such as Video. */
export function useChooseModel(): (model: OfferedModel) => void {
  const video = useVideoDraft();
  return ({ kind, id }) => {
    if (kind === 'speech') editSpeechDraft({ model: id });
    if (kind === 'video') video.edit({ model: id });
    if (kind === 'chat')
      loadCode(() => import('@/components/chat/conversation-store')).then(
        ({ changeDraft, openConversation }) => {
          openConversation(null);
          changeDraft({ modelId: id });
        },
        // The code did not load, so the page opens with the previously chosen model.
        () => undefined,
      );
  };
}
