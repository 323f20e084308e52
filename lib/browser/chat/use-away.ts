'use client';

import { useConnection } from '../connection/connection';
import { chatWords } from '../words/chat';

/** Returns why sending is blocked while the gateway does not answer; else null. */
export function useAway(): string | null {
  const { state } = useConnection();
  return state === 'offline' || state === 'unanswered' ? chatWords.away[state] : null;
}
