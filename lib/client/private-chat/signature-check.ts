import { recoverSigner, responseSignatureFault } from '@/lib/protocol/tee/response-signature';
import { exchanger } from '../exchange';
import { GatewayError, UnreachableError } from '../gateway-error';
import type { ChatAnswer } from './chat-event';
import type { SignatureCheck } from './checked-signature';
import { type Connection, connectionNow } from './connection';
import { withDeadline } from './with-deadline';

const TIMEOUT_MS = 20_000;
/** An enclave may sign a moment after its last byte went out. */
const RETRY_DELAYS_MS = [150, 300, 600, 1_200, 2_400];

export interface SignatureQuestion {
  connection: Connection;
  model: string;
  answer: Pick<ChatAnswer, 'completionId' | 'sent' | 'received'>;
  attestedAddress: string;
  signal?: AbortSignal | undefined;
  retryDelaysMs?: readonly number[];
}

/**
 * Fetches the enclave's signature over an answer and checks it over the bytes that were sent and received here, by
 * the attested key. Whatever keeps it from being fetched is `missing`.
 * @throws {UnreachableError} where the caller aborted
 */
export async function checkSignature({ connection, model, answer, attestedAddress, signal, retryDelaysMs = RETRY_DELAYS_MS }: SignatureQuestion): Promise<SignatureCheck> {
  const hashes = { requestHash: answer.sent.hash, responseHash: answer.received.hash, attestedAddress };
  const missing = (reason: string): SignatureCheck => ({ outcome: 'missing', reason, text: null, signature: null, signer: null, ...hashes });
  if (answer.completionId === null) return missing('The reply names no completion to ask for.');
  const query = new URLSearchParams({ model, request_id: answer.completionId });
  for (let attempt = 0; ; attempt++) {
    try {
      const ask = exchanger(connectionNow(connection));
      const { body } = await withDeadline(signal, TIMEOUT_MS, (both) => ask('GET', `/api/v1/tee/signature?${query}`, { signal: both }));
      return judged(body, model, hashes);
    } catch (error) {
      if (!(error instanceof GatewayError || error instanceof UnreachableError) || signal?.aborted) throw error;
      const delayMs = retryDelaysMs[attempt];
      if (delayMs === undefined || !mayComeLater(error)) return missing(error.message);
      await pause(delayMs, signal);
    }
  }
}

function judged(body: unknown, model: string, hashes: Pick<SignatureCheck, 'requestHash' | 'responseHash' | 'attestedAddress'>): SignatureCheck {
  const { text, signature } = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  if (typeof text !== 'string' || typeof signature !== 'string') return { outcome: 'invalid', reason: 'The signature is not of the known form.', text: null, signature: null, signer: null, ...hashes };
  const { attestedAddress: address, requestHash, responseHash } = hashes;
  const reason = responseSignatureFault({ text, signature }, { model, requestHash, responseHash, address });
  return { outcome: reason === null ? 'verified' : 'invalid', reason, text, signature, signer: recoverSigner(text, signature), ...hashes };
}

function mayComeLater(error: GatewayError | UnreachableError): boolean {
  return error instanceof UnreachableError || error.status === 404 || error.status === 429 || error.status >= 500;
}

function pause(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, delayMs);
    signal?.addEventListener('abort', done);
  });
}
