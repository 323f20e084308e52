'use client';

import { useState } from 'react';
import { loadCode } from '@/lib/browser/page/load-code';
import { type ChatModelInfo, encryptingModel } from '@/lib/client/chat-models';
import type { AttachedFile } from './attached-files';
import { type AttachedPicture, isPictureFile } from './attached-pictures';
import {
  draftedFiles,
  draftedPictures,
  draftFiles,
  draftPictures,
  useFileDrafts,
  usePictureDrafts,
} from './question-drafts';

export interface Sight {
  /** First chosen model that does not accept pictures. */
  blindId: string | null;
  /** Model to offer instead of `blindId`. */
  insteadId: string | null;
}

export interface AttachedFiles {
  files: readonly AttachedFile[];
  pictures: readonly AttachedPicture[];
  refused: readonly string[];
  attach: (given: readonly File[]) => Promise<void>;
  remove: (index: number) => void;
  removePicture: (id: string) => void;
  dismissRefused: () => void;
  clear: () => void;
}

/**
 * Returns the attachments of the question with the draft key `place`. The code that reads files loads when the user
 * attaches one.
 */
export function useAttachedFiles(place: string, sight: Sight): AttachedFiles {
  const files = useFileDrafts(place);
  const pictures = usePictureDrafts(place);
  const [refused, setRefused] = useState<readonly string[]>([]);
  return {
    files,
    pictures,
    refused,
    async attach(given) {
      if (given.length === 0) return;
      try {
        setRefused(await attachTo(place, given, sight));
      } catch (error) {
        setRefused([error instanceof Error ? error.message : String(error)]);
      }
    },
    remove: (index) =>
      draftFiles(
        place,
        files.filter((_, each) => each !== index),
      ),
    removePicture(id) {
      draftPictures(
        place,
        pictures.filter((picture) => picture.id !== id),
      );
      import('./kept-pictures').then(({ forgetPictures }) => forgetPictures([id])).catch(() => undefined);
    },
    dismissRefused: () => setRefused([]),
    clear() {
      draftFiles(place, []);
      draftPictures(place, []);
      setRefused([]);
    },
  };
}

export function sightOf(asked: readonly (ChatModelInfo | null)[], models: readonly ChatModelInfo[] | null): Sight {
  const seeing = models?.filter(({ can, isOffline }) => can.see && !isOffline) ?? [];
  return {
    blindId: asked.find((model) => model?.can.see === false)?.id ?? null,
    insteadId: (encryptingModel(seeing) ?? seeing[0])?.id ?? null,
  };
}

/**
 * Reads files, then attaches them. Meanwhile, the user can attach or send other files.
 * @returns reasons for refused files
 */
export async function attachTo(
  place: string,
  given: readonly File[],
  sight: Sight = { blindId: null, insteadId: null },
): Promise<readonly string[]> {
  const pictures = given.filter(isPictureFile);
  const texts = given.filter((file) => !isPictureFile(file));
  return [
    ...(texts.length === 0 ? [] : await attachTexts(place, texts)),
    ...(pictures.length === 0 ? [] : await attachPictures(place, pictures, sight)),
  ];
}

async function attachTexts(place: string, given: readonly File[]): Promise<readonly string[]> {
  const { readTextFiles } = await loadCode(() => import('./read-text-file'));
  const { files, refused } = await readTextFiles(given, draftedFiles(place));
  draftFiles(place, [...draftedFiles(place), ...files]);
  return refused;
}

async function attachPictures(
  place: string,
  given: readonly File[],
  { blindId, insteadId }: Sight,
): Promise<readonly string[]> {
  if (blindId !== null) {
    const { chatFileWords } = await loadCode(() => import('./file-words'));
    return given.map(({ name }) => chatFileWords.blindRefuses(name, blindId, insteadId));
  }
  const { readPictures } = await loadCode(() => import('./read-pictures'));
  const { pictures, refused } = await readPictures(given, draftedPictures(place).length);
  draftPictures(place, [...draftedPictures(place), ...pictures]);
  return refused;
}
