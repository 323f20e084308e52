import { apiError } from '@/lib/protocol/errors';
import type { SpeechParts } from './speech';

const RETRY_AFTER_SECONDS = 5;

/**
 * Waits for a slot.
 * @returns a function that frees the slot
 * @param caller account of the caller. Accounts take turns
 * @throws ApiError SPEECH_BUSY if the queue is full or the wait takes too long; the signal's reason if it aborts the
 *   wait
 */
export async function takeTurn(
  { turns, config }: Pick<SpeechParts, 'turns' | 'config'>,
  signal: AbortSignal,
  caller: number,
): Promise<() => void> {
  if (!turns.hasRoomFor(caller)) throw busy();
  const timeout = AbortSignal.timeout(config.queueTimeoutMs);
  try {
    return await turns.take(AbortSignal.any([signal, timeout]), caller);
  } catch (error) {
    throw timeout.aborted && !signal.aborted ? busy() : error;
  }
}

function busy() {
  return apiError('SPEECH_BUSY', { headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } });
}
