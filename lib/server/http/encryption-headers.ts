import { type EncryptionScheme, misplacedHeader } from '@/lib/protocol/e2ee/encryption-headers';
import { apiError, type ErrorCode } from '@/lib/protocol/errors';
import type { Call } from './call';

/**
 * Refuses headers of an encryption scheme that the request does not use. If a plain request has such headers, its
 * client believes that the request is encrypted.
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
