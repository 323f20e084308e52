import { type EncryptionScheme, misplacedHeader } from '@/lib/protocol/e2ee/encryption-headers';
import { apiError, type ErrorCode } from '@/lib/protocol/errors';
import type { Call } from './call';

/**
 * Refuses a request with encryption headers of a scheme that it does not use. Such headers on a plain request show that
 * the client believes the request is encrypted.
 * @throws ApiError 400
 */
export function refuseMisplacedEncryption(
  call: Pick<Call, 'headerNames'>,
  schemes: readonly EncryptionScheme[] = [],
  code: ErrorCode = 'E2EE_HEADERS',
): void {
  const message = misplacedHeader(call.headerNames(), schemes);
  if (message !== null) throw apiError(code, { message, details: { _errors: [message] } });
}
