import { type EncryptionScheme, misplacedHeader } from '@/lib/protocol/e2ee/encryption-headers';
import { apiError, type ErrorCode } from '@/lib/protocol/errors';
import type { Call } from './call';

/**
 * Refuses headers of an encryption that is not the request's. Without a scheme the request is plain, and every such header
 * would have told its client that it is not.
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
