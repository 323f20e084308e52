import { GatewayError, UnreachableError } from '@/lib/client';
import { chatWords } from '../words/chat';

/** An error of the private chat's client: it says itself what exactly happened, and what to do. */
interface SelfExplaining extends Error {
  detail: string | null;
  hint: string;
}

/** Whether an error comes from the private chat's client, which is loaded only with the first question and so is known by its shape. */
export function isOfPrivateChat(error: Error): error is SelfExplaining {
  return (
    'hint' in error &&
    typeof error.hint === 'string' &&
    'detail' in error &&
    (error.detail === null || typeof error.detail === 'string')
  );
}

/** What exactly went wrong and what to do about it, as sentences that are kept with the answer; the error's own message is not repeated. */
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
