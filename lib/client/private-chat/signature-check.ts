import { isRecord } from '@/lib/protocol/json-record';
import { recoverSigner, responseSignatureFault } from '@/lib/protocol/tee/response-signature';
import { exchanger } from '../exchange';
import { GatewayError, OversizedAnswerError, UnreachableError } from '../gateway-error';
import type { ChatAnswer, SignatureCheck } from './chat-event';
import { type Connection, connectionNow } from './connection';
import { withDeadline } from '../with-deadline';

const TIMEOUT_MS = 20_000;
/** Milliseconds between polls. Some enclaves sign an answer only after its last byte. */
const RETRY_DELAYS_MS = [150, 300, 600, 1_200, 2_400];

interface SignatureRequest {
  connection: Connection;
  model: string;
  answer: Pick<ChatAnswer, 'completionId'> & Record<'sent' | 'received', { hash: string }>;
  /** secp256k1 address (`0x` and 40 hex digits), or ed25519 key (64 hex digits). */
  attestedAddress: string;
  signal?: AbortSignal | undefined;
  retryDelaysMs?: readonly number[];
}

/**
 * Fetches the enclave's signature over an answer and verifies it with the attested key, over the bytes that this client
 * sent and received. A failed fetch counts as `missing`, an overlong response as `invalid`.
 *
 * @throws {UnreachableError} if the caller aborted
 */
export async function checkSignature({
  connection,
  model,
  answer,
  attestedAddress,
  signal,
  retryDelaysMs = RETRY_DELAYS_MS,
}: SignatureRequest): Promise<SignatureCheck> {
  const hashes = { requestHash: answer.sent.hash, responseHash: answer.received.hash, attestedAddress };
  const missing = (reason: string, unasked: SignatureCheck['unasked'] | null = null): SignatureCheck => ({
    outcome: 'missing',
    reason,
    ...(unasked && { unasked }),
    text: null,
    signature: null,
    namedAddress: null,
    signer: null,
    ...hashes,
  });
  if (answer.completionId === null)
    return missing('The reply has no completion id, so its signature cannot be fetched.');
  const query = new URLSearchParams({ model, request_id: answer.completionId });
  for (let attempt = 0; ; attempt++) {
    try {
      const ask = exchanger(connectionNow(connection));
      const { body } = await withDeadline(signal, TIMEOUT_MS, (both) =>
        ask('GET', `/api/v1/tee/signature?${query}`, { signal: both }),
      );
      return await judged(body, model, hashes);
    } catch (error) {
      if (error instanceof OversizedAnswerError) return await judged(null, model, hashes);
      if (!(error instanceof GatewayError || error instanceof UnreachableError) || signal?.aborted) throw error;
      const delayMs = retryDelaysMs[attempt];
      if (delayMs === undefined || !mayComeLater(error)) return missing(error.message, unaskedBy(error));
      await pause(delayMs, signal);
    }
  }
}

const FORMLESS = 'The signature does not have the expected form.';

const ED25519_KEY = /^[0-9a-f]{64}$/;

async function judged(
  body: unknown,
  model: string,
  hashes: Pick<SignatureCheck, 'requestHash' | 'responseHash' | 'attestedAddress'>,
): Promise<SignatureCheck> {
  const { text, signature, signing_address: named, signing_algo: algorithm } = isRecord(body) ? body : {};
  const namedAddress = typeof named === 'string' ? named : null;
  if (typeof text !== 'string' || typeof signature !== 'string')
    return { outcome: 'invalid', reason: FORMLESS, text: null, signature: null, namedAddress, signer: null, ...hashes };
  if (ED25519_KEY.test(hashes.attestedAddress))
    return judgedByEd25519({ text, signature, namedAddress, algorithm }, model, hashes);
  const check = { text, signature, namedAddress, signer: recoverSigner(text, signature), ...hashes };
  const isEcdsa = algorithm == null || (typeof algorithm === 'string' && algorithm.toLowerCase() === 'ecdsa');
  const reason = isEcdsa
    ? faultUnder(check, model, hashes.attestedAddress)
    : 'The algorithm of the signature is not ECDSA.';
  return { outcome: reason === null ? 'verified' : 'invalid', reason, ...check };
}

async function judgedByEd25519(
  {
    algorithm,
    ...signed
  }: Pick<SignatureCheck, 'namedAddress'> & { text: string; signature: string; algorithm: unknown },
  model: string,
  hashes: Pick<SignatureCheck, 'requestHash' | 'responseHash' | 'attestedAddress'>,
): Promise<SignatureCheck> {
  const { ed25519ResponseFault } = await import('@/lib/protocol/tee/ed25519-response-signature');
  const { attestedAddress: address } = hashes;
  const isEd25519 = typeof algorithm === 'string' && algorithm.toLowerCase() === 'ed25519';
  const isNamed = signed.namedAddress === null || withPrefix(signed.namedAddress) === withPrefix(address);
  const fault = isEd25519
    ? ed25519ResponseFault(signed, { model, ...hashes, address })
    : 'The algorithm of the signature is not ed25519.';
  const reason = fault ?? (isNamed ? null : 'The signature states one key, but was made with another.');
  return {
    outcome: reason === null ? 'verified' : 'invalid',
    reason,
    ...signed,
    signer: fault === null ? address : null,
    ...hashes,
  };
}

function faultUnder(
  { text, signature, namedAddress, signer, requestHash, responseHash }: Omit<SignatureCheck, 'outcome' | 'reason'>,
  model: string,
  address: string,
): string | null {
  if (text === null || signature === null) return FORMLESS;
  const fault = responseSignatureFault({ text, signature }, { model, requestHash, responseHash, address });
  if (fault !== null || namedAddress === null) return fault;
  return withPrefix(namedAddress) === signer
    ? null
    : 'The signature states one address, but was made with the key of another.';
}

/** Returns whether a key other than the attested key made a valid signature. */
export function isByOtherKey(check: SignatureCheck, model: string): boolean {
  return (
    check.outcome === 'invalid' &&
    check.signer !== null &&
    check.signer !== check.attestedAddress &&
    faultUnder(check, model, check.signer) === null
  );
}

function withPrefix(address: string): string {
  const text = address.toLowerCase();
  return text.startsWith('0x') ? text : `0x${text}`;
}

/**
 * Returns why a signature may exist although fetching it failed: the gateway did not answer, or refused. Null if the
 * gateway itself reports that no signature exists.
 */
function unaskedBy(error: GatewayError | UnreachableError): SignatureCheck['unasked'] | null {
  if (error instanceof UnreachableError || !error.detail.isFromService) return 'unanswered';
  return error.status === 404 ? null : 'refused';
}

function mayComeLater(error: GatewayError | UnreachableError): boolean {
  if (error instanceof GatewayError && error.detail.code === 'ANSWERS_NOT_SIGNED') return false;
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
