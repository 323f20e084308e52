import { bytesToHex } from '@noble/hashes/utils.js';
import { recipientKeyOf } from '@/lib/protocol/attestation/recipient-key';
import type { PicturedMessage } from '@/lib/protocol/chat/folded-conversation';
import type { AttestationPolicy } from '@/lib/protocol/tee/policy';
import { GatewayError, UnreachableError } from '../gateway-error';
import type { SealedChat } from './sealed-request';
import { type AcceptableVerdict, attestationRefusal, attestModel } from './attestation';
import { attestedKeyOf } from './attested-key';
import type { Attestation } from './judged-attestation';
import type { ChatAnswer, PrivateChatEvent, SignatureCheck } from './chat-event';
import { completionBody } from './completion-body';
import { type ReplyTimeouts, streamCompletion } from './completion-stream';
import type { Connection } from './connection';
import { PrivateChatError } from './private-chat-error';
import { sealChat, vouchesForAnswers } from './sealed-chat';
import { checkSignature, isByOtherKey } from './signature-check';

const ATTESTATION_AGE_MAX_MS = 3_600_000;

export interface PrivateChatOptions {
  connection: Connection;
  model: string;
  /**
   * True to encrypt messages to the enclave (supportsE2EE). False to rely on attestation and signatures
   * (supportsTeeAttestation).
   */
  encrypted: boolean;
  policy: AttestationPolicy;
  /** Verdicts that allow sending. Default: `verified` only. */
  accepted?: readonly AcceptableVerdict[];
  /**
   * Reaction to an invalid or missing signature. `required` (default) fails the chat. If the enclave cannot sign, the
   * chat fails before sending (ANSWERS_NOT_SIGNED). `where-possible` exempts enclaves without an attested signing key.
   * `reported` yields the `signature` event and lets the chat continue.
   */
  signature?: 'required' | 'where-possible' | 'reported';
  /** Collateral to use if the report has none. */
  collateral?: unknown;
  /** Maximum age of an attestation. An older one is renewed before the next message. */
  attestationAgeMaxMs?: number;
  now?: () => number;
  timeouts?: ReplyTimeouts;
  /** Delays between polls for a missing signature. */
  signatureRetryDelaysMs?: readonly number[];
}

export interface SendOptions {
  /** Additional request fields, such as max_tokens. Some schemes send them unencrypted. */
  parameters?: Readonly<Record<string, unknown>>;
  signal?: AbortSignal | undefined;
}

/**
 * Conversation with a model in an enclave. Sends nothing before it has accepted the enclave's quote. Checks each
 * answer's signature over the bytes sent and received. After a failed attestation, reply or signature, attests again
 * before the next message.
 */
export class PrivateChatSession {
  #attestation: Attestation | null = null;

  constructor(private readonly options: PrivateChatOptions) {}

  /** Current attestation; null before the first attestation, and after a `PrivateChatError`. */
  get attestation(): Attestation | null {
    return this.#attestation;
  }

  /**
   * Attests the enclave if needed, as `send` does.
   *
   * @throws {PrivateChatError} with the attestation, if the verdict forbids sending; {GatewayError | UnreachableError}
   */
  async start({ signal }: { signal?: AbortSignal | undefined } = {}): Promise<Attestation> {
    return this.#attestation ?? this.reattest({ signal });
  }

  /**
   * Drops the attestation and attests again.
   *
   * @throws the same errors as `start`
   */
  async reattest({ signal }: { signal?: AbortSignal | undefined } = {}): Promise<Attestation> {
    const {
      connection,
      model,
      encrypted,
      policy,
      accepted = ['verified'],
      signature: demand = 'required',
      collateral,
      now,
    } = this.options;
    this.#attestation = null;
    const attestation = await attestModel({
      connection,
      model,
      policy,
      needsPublicKey: encrypted,
      collateral,
      signal,
      ...(now && { now }),
    });
    const refusal = attestationRefusal(attestation, accepted);
    if (refusal) throw refusal;
    if (demand === 'required' && !this.#canBeVouchedFor(attestation))
      throw new PrivateChatError('ANSWERS_NOT_SIGNED', null, attestation);
    this.#attestation = attestation;
    return attestation;
  }

  /**
   * Sends a conversation, oldest message first, and yields its events. With encryption, retries once if the enclave's
   * key changed before any text arrived.
   *
   * @throws {PrivateChatError | GatewayError | UnreachableError}
   */
  async *send(
    messages: readonly PicturedMessage[],
    options: SendOptions = {},
  ): AsyncGenerator<PrivateChatEvent, void, undefined> {
    try {
      const before = yield* this.#attested(options.signal);
      const refusal = yield* this.#exchange(messages, options, before, this.options.encrypted);
      if (refusal === null) return;
      const after = await this.#withOtherKey(before, refusal.error, options.signal);
      yield { type: 'attested', attestation: after, because: 'rotation' };
      yield* this.#exchange(messages, options, after, false);
    } catch (error) {
      if (error instanceof PrivateChatError) this.#attestation = null;
      throw error;
    }
  }

  /**
   * Sends a conversation and returns the answer with its signature check.
   *
   * @throws the same errors as `send`
   */
  async ask(
    messages: readonly PicturedMessage[],
    options: SendOptions = {},
  ): Promise<{ answer: ChatAnswer; signature: SignatureCheck; attestation: Attestation }> {
    for await (const event of this.send(messages, options)) if (event.type === 'done') return event;
    throw new PrivateChatError('REPLY_CUT');
  }

  async *#attested(signal: AbortSignal | undefined): AsyncGenerator<PrivateChatEvent, Attestation, undefined> {
    const { now = Date.now, attestationAgeMaxMs = ATTESTATION_AGE_MAX_MS } = this.options;
    const present = this.#attestation;
    if (present && Math.abs(now() - present.verdict.checkedAtMs) < attestationAgeMaxMs) return present;
    const attestation = await this.reattest({ signal });
    yield { type: 'attested', attestation, because: present ? 'age' : 'start' };
    return attestation;
  }

  /** Attests again after a refusal. Rethrows the refusal if the enclave's key is unchanged. */
  async #withOtherKey(before: Attestation, refusal: Error, signal: AbortSignal | undefined): Promise<Attestation> {
    const after = await this.reattest({ signal }).catch((error: unknown) => {
      throw error instanceof PrivateChatError ? error : refusal;
    });
    if (attestedKeyOf(after) === attestedKeyOf(before)) throw refusal;
    return after;
  }

  /**
   * Sends a request once and yields its events.
   *
   * @returns error that a new enclave key may explain, if `mayRetry` is true and no text arrived; else null
   */
  async *#exchange(
    messages: readonly PicturedMessage[],
    { parameters, signal }: SendOptions,
    attestation: Attestation,
    mayRetry: boolean,
  ): AsyncGenerator<PrivateChatEvent, { error: Error } | null, undefined> {
    const { connection, timeouts } = this.options;
    let hasText = false;
    const request = await this.#request(messages, parameters, attestation);
    try {
      for await (const event of streamCompletion({ connection, signal, timeouts, ...request })) {
        hasText ||= event.type === 'delta';
        if (event.type === 'done') yield* this.#finish(event.answer, attestation, signal);
        else yield event;
      }
      return null;
    } catch (error) {
      if (mayRetry && !hasText && mayBeRotation(error)) return { error };
      throw error;
    }
  }

  async #request(
    messages: readonly PicturedMessage[],
    parameters: SendOptions['parameters'],
    { verdict }: Attestation,
  ): Promise<SealedChat> {
    const { model, encrypted } = this.options;
    if (!encrypted)
      return {
        bodyText: completionBody(model, messages, parameters),
        headers: {},
        isEncrypted: false,
        open: (content) => content,
      };
    const key = recipientKeyOf(verdict);
    if (key === null) throw new PrivateChatError('ATTESTATION_NOT_CHECKABLE', 'The enclave attests no public key.');
    return sealChat({ model, messages, parameters }, key);
  }

  async *#finish(
    answer: ChatAnswer,
    attestation: Attestation,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<PrivateChatEvent, void, undefined> {
    const { model, encrypted, signature: demand } = this.options;
    const first = await this.#check(answer, attestation, signal);
    // After an encrypted request, a restart cannot explain another key's signature: only the attested key can decrypt
    // the request.
    const { check, vouching, refusal } =
      !encrypted && isByOtherKey(first, model)
        ? await this.#askedWhoSigned(first, attestation, signal)
        : { check: first, vouching: attestation, refusal: null };
    if (vouching !== attestation) yield { type: 'attested', attestation: vouching, because: 'rotation' };
    yield { type: 'signature', check };
    const isVouchedFor =
      check.outcome === 'verified' ||
      check.outcome === 'attested-after' ||
      check.outcome === 'sealed' ||
      check.outcome === 'sealed-pieces';
    const isFaulty = !isVouchedFor && this.#canBeVouchedFor(attestation);
    // Forces an attestation before the next message, even if this chat continues.
    if (isFaulty) this.#attestation = null;
    if (refusal || (isFaulty && demand !== 'reported'))
      throw new PrivateChatError(
        check.outcome === 'missing' ? 'SIGNATURE_MISSING' : 'SIGNATURE_INVALID',
        check.reason,
        refusal?.attestation ?? null,
      );
    yield { type: 'done', answer, signature: check, attestation: vouching };
  }

  /**
   * Attests again if a key other than the attested key signed the answer, because the enclave may have restarted.
   *
   * @returns new check, and the refusal if the new attestation is not accepted
   */
  async #askedWhoSigned(
    check: SignatureCheck,
    before: Attestation,
    signal: AbortSignal | undefined,
  ): Promise<{ check: SignatureCheck; vouching: Attestation; refusal: PrivateChatError | null }> {
    const unattested = (why: string): SignatureCheck => ({
      ...check,
      reason: `The key ${check.signer} signed the answer, but the attested key was ${check.attestedAddress}. ${why}`,
    });
    try {
      const after = await this.reattest({ signal });
      if (after.verdict.key?.address !== check.signer)
        return {
          check: unattested('A second attestation did not prove the new key either.'),
          vouching: before,
          refusal: null,
        };
      return {
        check: { ...unattested('The new key was attested only after the answer.'), outcome: 'attested-after' },
        vouching: after,
        refusal: null,
      };
    } catch (error) {
      if (
        signal?.aborted ||
        !(error instanceof PrivateChatError || error instanceof GatewayError || error instanceof UnreachableError)
      )
        throw error;
      const sentence =
        error instanceof PrivateChatError ? [error.message, error.detail].filter(Boolean).join(' ') : error.message;
      return {
        check: unattested(`The new key could not be attested: ${sentence}`),
        vouching: before,
        refusal: error instanceof PrivateChatError ? error : null,
      };
    }
  }

  #canBeVouchedFor({ verdict }: Attestation): boolean {
    return this.options.encrypted || verdict.key !== null;
  }

  #check(answer: ChatAnswer, { verdict }: Attestation, signal: AbortSignal | undefined): Promise<SignatureCheck> {
    const { connection, model, signatureRetryDelaysMs } = this.options;
    const recipient = answer.sent.isEncrypted ? recipientKeyOf(verdict) : null;
    const vouched = recipient && vouchesForAnswers(recipient.algorithm);
    if (vouched)
      return Promise.resolve(
        vouched === 'whole' ? unsigned(answer, 'sealed', SEALED) : unsigned(answer, 'sealed-pieces', SEALED_PIECES),
      );
    const attestedAddress = recipient?.algorithm === 'ed25519' ? bytesToHex(recipient.publicKey) : verdict.key?.address;
    if (attestedAddress === undefined) return Promise.resolve(unsigned(answer, 'missing', UNSIGNED));
    return checkSignature({
      connection,
      model,
      answer,
      attestedAddress,
      signal,
      ...(signatureRetryDelaysMs && { retryDelaysMs: signatureRetryDelaysMs }),
    });
  }
}

function mayBeRotation(error: unknown): error is Error {
  if (error instanceof PrivateChatError) return error.code === 'REPLY_ERROR';
  return (
    error instanceof GatewayError &&
    ['MODEL_REFUSED', 'MODEL_UNAVAILABLE', 'EHBP_KEY_CONFIG', 'E2EE_INSTANCE_GONE'].includes(error.detail.code ?? '')
  );
}

const UNSIGNED = 'The enclave attested no key for signing answers, so nothing proves this answer.';
const SEALED =
  'The answer is not signed. Its encryption proves it, because only the holder of the attested key could read the request.';
const SEALED_PIECES =
  'The answer is not signed. The encryption proves each piece, because only the holder of the attested key could read the request. It does not prove that no piece was removed or moved.';

function unsigned(
  { sent, received }: ChatAnswer,
  outcome: 'sealed' | 'sealed-pieces' | 'missing',
  reason: string,
): SignatureCheck {
  return {
    outcome,
    reason,
    text: null,
    signature: null,
    namedAddress: null,
    signer: null,
    attestedAddress: '',
    requestHash: sent.hash,
    responseHash: received.hash,
  };
}
