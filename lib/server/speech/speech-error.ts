import { apiError } from '@/lib/protocol/errors';
import { failureError } from '../upstreams/models/upstream-error';
import type { EncodersBusyError } from './encoding/encoding-error';

/** What the caller is told where no audio came; the error itself where it is none of an upstream's or an encoder's. */
export function speechError(error: unknown): unknown {
  // Known by its name: bundles of one process have classes of their own.
  if (error instanceof Error && error.name === 'EncodersBusyError') {
    return apiError('SPEECH_BUSY', {
      headers: { 'retry-after': String((error as EncodersBusyError).retryAfterSeconds) },
    });
  }
  return failureError(error);
}
