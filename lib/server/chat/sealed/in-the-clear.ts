import { type ApiError, apiError } from '@/lib/protocol/errors';

/** What the caller is told where somebody answers in the clear who has not read what was encrypted, or should not be believed. */
export function answeredInTheClear(): ApiError {
  return apiError('MODEL_ANSWER_INVALID', { message: 'The enclave answered in the clear what was asked encrypted.' });
}
