import { bytesToHex } from '@noble/hashes/utils.js';
import { recipientKeyOf } from '@/lib/protocol/attestation/recipient-key';
import { parsedRecord } from '@/lib/protocol/json-record';
import { answerBoundOf, boundedText, errorText } from '../bounded-answer';
import { credentialHeaders, parseBaseUrl } from '../exchange';
import { GatewayError, OversizedAnswerError, readGatewayError, UnreachableError } from '../gateway-error';
import type { Attestation } from './judged-attestation';
import { refusalSentence } from './chat-chunk';
import type { BodyOpener } from './completion-stream';
import { connectionNow } from './connection';
import { PrivateChatError } from './private-chat-error';
import { type PrivateChatOptions, PrivateChatSession } from './private-chat-session';
import { sealText } from './whole-body';

const EMBEDDINGS_PATH = '/api/v1/embeddings';
const ATTESTATION_AGE_MAX_MS = 3_600_000;

interface PrivateEmbeddingsOptions extends Pick<
  PrivateChatOptions,
  'connection' | 'model' | 'policy' | 'accepted' | 'now'
> {
  onAttestation?: (attestation: Attestation) => void;
}

interface PrivateEmbeddingsAnswer {
  /** Decrypted JSON in the form of the OpenAI embeddings API. */
  text: string;
  requestId: string | null;
  balanceRemainingUsd: string | null;
}

/**
 * Embeddings by a model in an enclave (`model_spec.encryption: "ehbp"`). Sends nothing before it has accepted the
 * quote. Only the holder of the attested key can read or answer a request.
 */
export class PrivateEmbeddings {
  readonly #enclave: PrivateChatSession;
  #isDoubted = false;

  constructor(private readonly options: PrivateEmbeddingsOptions) {
    this.#enclave = new PrivateChatSession({ ...options, encrypted: true });
  }

  /** @throws {PrivateChatError | GatewayError | UnreachableError} */
  async start(signal?: AbortSignal): Promise<Attestation> {
    const { now = Date.now } = this.options;
    const present = this.#enclave.attestation;
    if (present && !this.#isDoubted && Math.abs(now() - present.verdict.checkedAtMs) < ATTESTATION_AGE_MAX_MS)
      return present;
    return this.#attested(signal);
  }

  /**
   * Encrypts a request and decrypts its answer. Retries the request if the enclave has a new key.
   *
   * @throws the same errors as `start`
   */
  async ask(bodyText: string, signal?: AbortSignal): Promise<PrivateEmbeddingsAnswer> {
    const before = await this.start(signal);
    try {
      return await this.#exchange(bodyText, before, signal);
    } catch (error) {
      this.#isDoubted = error instanceof PrivateChatError && error.code !== 'REPLY_ERROR';
      if (!(error instanceof GatewayError && error.detail.code === 'EHBP_KEY_CONFIG')) throw error;
      const after = await this.#attested(signal);
      if (keyOf(after) === keyOf(before)) throw error;
      return this.#exchange(bodyText, after, signal);
    }
  }

  async #attested(signal: AbortSignal | undefined): Promise<Attestation> {
    const attestation = await this.#enclave.reattest({ signal });
    this.#isDoubted = false;
    this.options.onAttestation?.(attestation);
    return attestation;
  }

  async #exchange(
    bodyText: string,
    { verdict }: Attestation,
    signal: AbortSignal | undefined,
  ): Promise<PrivateEmbeddingsAnswer> {
    const { connection, model } = this.options;
    const key = recipientKeyOf(verdict);
    if (key?.algorithm !== 'x25519-hpke')
      throw new PrivateChatError('ATTESTATION_NOT_CHECKABLE', 'The enclave attests no key for whole requests.');
    const sealed = await sealText(model, bodyText, key.publicKey);
    const options = connectionNow(connection);
    const headers = credentialHeaders(options);
    headers.set('content-type', 'application/json');
    for (const [name, value] of Object.entries(sealed.headers)) headers.set(name, value);
    const origin = parseBaseUrl(options.baseUrl);
    const startedMs = performance.now();
    const unreachable = (cause: unknown, hasBegun: boolean) =>
      cause instanceof PrivateChatError || cause instanceof OversizedAnswerError
        ? cause
        : new UnreachableError(origin, signal?.aborted === true, { cause, hasBegun });
    const response = await (options.fetch ?? fetch)(origin + EMBEDDINGS_PATH, {
      method: 'POST',
      headers,
      body: sealed.body as BodyInit,
      redirect: 'error',
      signal: signal ?? null,
    }).catch((cause: unknown) => {
      throw unreachable(cause, false);
    });
    // An unencrypted refusal is from the gateway.
    if (!response.ok && !response.headers.has('ehbp-response-nonce'))
      throw readGatewayError(response, await errorText(response), performance.now() - startedMs);
    const text = await openedText(
      response,
      sealed.openBody((name) => response.headers.get(name)),
    ).catch((cause: unknown) => {
      throw unreachable(cause, true);
    });
    if (!response.ok) throw new PrivateChatError('REPLY_ERROR', refusalSentence(text));
    if (parsedRecord(text) === null) throw new PrivateChatError('REPLY_CUT', 'The answer is incomplete.');
    return {
      text,
      requestId: response.headers.get('x-request-id'),
      balanceRemainingUsd: response.headers.get('x-balance-remaining'),
    };
  }
}

function keyOf({ verdict }: Attestation): string | null {
  const key = recipientKeyOf(verdict);
  return key && bytesToHex(key.publicKey);
}

function openedText({ body }: Response, opener: BodyOpener): Promise<string> {
  const { bytesMax, timeoutMs } = answerBoundOf(EMBEDDINGS_PATH);
  const opened = new TransformStream<Uint8Array, Uint8Array>({
    transform: (bytes, controller) => opener.push(bytes).forEach((plain) => controller.enqueue(plain)),
    flush: (controller) => opener.end().forEach((plain) => controller.enqueue(plain)),
  });
  return boundedText(
    { body: (body ?? new Blob([]).stream()).pipeThrough(opened) as Response['body'] },
    bytesMax,
    timeoutMs,
  );
}
