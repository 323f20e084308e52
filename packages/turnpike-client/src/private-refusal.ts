import type { PrivateChatError } from '@/lib/client/private-chat';
import { TurnpikeError } from './turnpike-error';

/** Why a private chat was stopped, as an error of this package: nothing was sent, or what came is not to be relied on. */
export function privateRefusal(error: PrivateChatError): TurnpikeError {
  return new TurnpikeError(error.code, { message: [error.message, error.detail].filter(Boolean).join(' '), remedy: error.hint, cause: error });
}
