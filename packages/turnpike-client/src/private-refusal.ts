import type { PrivateChatError } from '@/lib/client/private-chat';
import { TurnpikeError } from './turnpike-error';

/** Why a private chat was stopped, as an error of this package: nothing was sent, or what came is not to be relied on. */
export function privateRefusal(error: PrivateChatError): TurnpikeError {
  // The specification's sentences end without a full stop.
  const message =
    error.detail === null
      ? error.message
      : `${error.message}${/[.!?]$/.test(error.message) ? ' ' : ': '}${error.detail}`;
  return new TurnpikeError(error.code, { message, remedy: error.hint, cause: error });
}
