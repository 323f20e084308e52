'use client';

import { useState } from 'react';
import { loadCode } from '../load-code';
import type { AttachedFile } from './attached-files';
import { draftFiles, useFileDrafts } from './file-drafts';

/** The files of a question that is not sent yet. */
export interface AttachedFiles {
  files: readonly AttachedFile[];
  /** Why files that were given are not among them, a sentence each. */
  refused: readonly string[];
  /** Reads files in this page and attaches what can be. Never rejects. */
  attach: (given: readonly File[]) => Promise<void>;
  /** Takes one out, by its place. */
  remove: (index: number) => void;
  dismissRefused: () => void;
  /** They are sent. */
  clear: () => void;
}

/** Files at the place of a question. What reads them loads with the first one. */
export function useAttachedFiles(place: string): AttachedFiles {
  const files = useFileDrafts(place);
  const [refused, setRefused] = useState<readonly string[]>([]);
  return {
    files,
    refused,
    async attach(given) {
      if (given.length === 0) return;
      try {
        const { readTextFiles } = await loadCode(() => import('./read-text-file'));
        const read = await readTextFiles(given, files);
        draftFiles(place, [...files, ...read.files]);
        setRefused(read.refused);
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
