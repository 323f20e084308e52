import { apiError } from '@/lib/protocol/errors';
import type { SpeechParts } from './speech';

const RETRY_AFTER_SECONDS = 5;

/**
 * Waits for a turn to speak.
 * @returns how to give it back
 * @throws ApiError SPEECH_BUSY where too many wait, or it takes too long; the signal's reason where that ends the wait
 */
export async function takeTurn(
  { turns, config }: Pick<SpeechParts, 'turns' | 'config'>,
  signal: AbortSignal,
): Promise<() => void> {
  if (turns.isFull) throw busy();
  const timeout = AbortSignal.timeout(config.queueTimeoutMs);
  try {
    return await turns.take(AbortSignal.any([signal, timeout]));
  } catch (error) {
    throw timeout.aborted && !signal.aborted ? busy() : error;
  }
}

function busy() {
  return apiError('SPEECH_BUSY', { headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } });
}
