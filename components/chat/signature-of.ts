import type { SignatureCheck } from '@/lib/client/private-chat';
import { chatWords } from './words';
import type { Answer } from './conversation';

/**
 * Converts a signature check to its stored form. If the signature could not be fetched, adds the data for a later
 * check.
 */
export function signatureOf(check: SignatureCheck, completionId: string | null): Answer['signature'] {
  const { outcome, reason, unasked, requestHash, responseHash, attestedAddress } = check;
  const words = chatWords.ending;
  if (outcome === 'verified') return { state: 'verified', sentence: words.signedBy(attestedAddress) };
  if (outcome === 'attested-after') return { state: 'attested-after', sentence: reason ?? '' };
  if (outcome === 'sealed' || outcome === 'sealed-pieces') return { state: outcome, sentence: reason ?? '' };
  if (outcome === 'invalid') return { state: 'failed', sentence: reason ?? words.unsigned };
  if (unasked && completionId !== null)
    return {
      state: 'unchecked',
      sentence: words.notAsked(reason ?? words.unsigned),
      ...(unasked === 'refused' && { isRefused: true }),
      claim: { completionId, requestHash, responseHash, attestedAddress },
    };
  return { state: 'unavailable', sentence: reason ?? words.unsigned };
}

/**
 * Converts the result of a later check to its stored form. Stores `unavailable` as `unchecked`, because the signature
 * may have existed earlier.
 */
export function lateSignatureOf(check: SignatureCheck, completionId: string): Answer['signature'] {
  const signature = signatureOf(check, completionId);
  return signature.state === 'unavailable'
    ? { state: 'unchecked', sentence: chatWords.ending.askedLate(signature.sentence) }
    : signature;
}
