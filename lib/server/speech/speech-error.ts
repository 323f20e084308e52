import { apiError } from '@/lib/protocol/errors';
import { failureError } from '../upstreams/models/upstream-error';
import type { EncodersBusyError } from './encoding/encoding-error';

/** Returns the caller's error for an upstream or encoder failure; any other error unchanged. */
export function speechError(error: unknown): unknown {
  // Compares names, because each bundle in the process has its own class.
  if (error instanceof Error && error.name === 'EncodersBusyError') {
    return apiError('SPEECH_BUSY', {
      headers: { 'retry-after': String((error as EncodersBusyError).retryAfterSeconds) },
    });
  }
  return failureError(error);
}
