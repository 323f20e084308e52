import { GatewayError, UnreachableError } from '@/lib/client';
import { chatWords } from '../words/chat';

interface SelfExplaining extends Error {
  detail: string | null;
  hint: string;
}

/**
 * Returns whether an error comes from the private chat client. Checks the shape instead of the class, because the
 * client loads with the first question.
 */
export function isOfPrivateChat(error: Error): error is SelfExplaining {
  return (
    'hint' in error &&
    typeof error.hint === 'string' &&
    'detail' in error &&
    (error.detail === null || typeof error.detail === 'string')
  );
}

/** Returns details and advice as sentences to store with the answer, without the error's own message. */
export function adviceOn(error: Error): readonly string[] {
  return sentencesOn(error).filter(
    (sentence): sentence is string => typeof sentence === 'string' && sentence !== '' && sentence !== error.message,
  );
}

function sentencesOn(error: Error): readonly (string | null)[] {
  if (isOfPrivateChat(error)) return [error.detail, error.hint];
  if (error instanceof UnreachableError) return [chatWords.ending.unreachable];
  if (!(error instanceof GatewayError)) return [];
  const { customMessage, fieldErrors, hint, code } = error.detail;
  return [
    customMessage,
    ...fieldErrors.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)),
    hint,
    `HTTP ${error.status}${code === null ? '' : `, ${code}`}`,
  ];
}
