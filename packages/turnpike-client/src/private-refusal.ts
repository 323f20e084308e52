import type { PrivateChatError } from '@/lib/client/private-chat';
import { TurnpikeError } from './turnpike-error';

/** Converts the error of a private chat that stopped before sending, or whose answer failed verification. */
export function privateRefusal(error: PrivateChatError): TurnpikeError {
  // Messages that the specification defines end without a full stop.
  const message =
    error.detail === null
      ? error.message
      : `${error.message}${/[.!?]$/.test(error.message) ? ' ' : ': '}${error.detail}`;
  return new TurnpikeError(error.code, { message, remedy: error.hint, cause: error });
}
