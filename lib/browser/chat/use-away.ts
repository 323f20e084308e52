'use client';

import { useConnection } from '../connection/connection';
import { chatWords } from '../words/chat';

/** That nothing is sent while nobody answers, as a sentence; null while somebody does. */
export function useAway(): string | null {
  const { state } = useConnection();
  return state === 'offline' || state === 'unanswered' ? chatWords.away[state] : null;
}
