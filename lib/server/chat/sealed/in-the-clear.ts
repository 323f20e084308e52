import { type ApiError, apiError } from '@/lib/protocol/errors';

/**
 * Returns the error in place of an unencrypted answer. The sender of such an answer did not decrypt the request or
 * cannot be trusted.
 */
export function answeredInTheClear(): ApiError {
  return apiError('MODEL_ANSWER_INVALID', { message: 'The enclave answered an encrypted request without encryption.' });
}
