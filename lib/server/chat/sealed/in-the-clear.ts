import { type ApiError, apiError } from '@/lib/protocol/errors';

/**
 * Returns the error that replaces an unencrypted answer. Whoever sent the answer did not decrypt the request or cannot
 * be trusted.
 */
export function answeredInTheClear(): ApiError {
  return apiError('MODEL_ANSWER_INVALID', { message: 'The enclave answered an encrypted request without encryption.' });
}
