'use client';

import { useState } from 'react';
import { loadCode } from '@/lib/browser/page/load-code';
import type { AttachedFile } from './attached-files';
import { draftedFiles, draftFiles, useFileDrafts } from './question-drafts';

export interface AttachedFiles {
  files: readonly AttachedFile[];
  refused: readonly string[];
  attach: (given: readonly File[]) => Promise<void>;
  remove: (index: number) => void;
  dismissRefused: () => void;
  clear: () => void;
}

/** Returns the files attached to the question at `place`. The first file loads the code that reads files. */
export function useAttachedFiles(place: string): AttachedFiles {
  const files = useFileDrafts(place);
  const [refused, setRefused] = useState<readonly string[]>([]);
  return {
    files,
    refused,
    async attach(given) {
      if (given.length === 0) return;
      try {
        setRefused(await attachTo(place, given));
      } catch (error) {
        setRefused([error instanceof Error ? error.message : String(error)]);
      }
    },
    remove: (index) =>
      draftFiles(
        place,
        files.filter((_, each) => each !== index),
      ),
    dismissRefused: () => setRefused([]),
    clear() {
      draftFiles(place, []);
      setRefused([]);
    },
  };
}

/**
 * Reads files, then attaches them. Meanwhile, the user may attach or send other files.
 * @returns the reasons for refused files
 */
export async function attachTo(place: string, given: readonly File[]): Promise<readonly string[]> {
  const { readTextFiles } = await loadCode(() => import('./read-text-file'));
  const { files, refused } = await readTextFiles(given, draftedFiles(place));
  draftFiles(place, [...draftedFiles(place), ...files]);
  return refused;
}
