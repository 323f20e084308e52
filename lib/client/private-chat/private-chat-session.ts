import { bytesToHex } from '@noble/hashes/utils.js';
import { recipientKeyOf } from '@/lib/protocol/attestation/recipient-key';
import type { ChatMessage } from '@/lib/protocol/chat/folded-conversation';
import type { AttestationPolicy } from '@/lib/protocol/tee/policy';
import { GatewayError, UnreachableError } from '../gateway-error';
import type { SealedChat } from './chat-to-seal';
import { attestationRefusal, attestModel } from './attestation';
import { attestedKeyOf } from './attested-key';
import type { Attestation } from './judged-attestation';
import type { AcceptableVerdict } from './attestation-policy';
import type { ChatAnswer, PrivateChatEvent } from './chat-event';
import { completionBody } from './completion-body';
import { type ReplyTimeouts, streamCompletion } from './completion-stream';
import type { Connection } from './connection';
import { PrivateChatError } from './private-chat-error';
import { sealChat, vouchesForAnswers } from './sealed-chat';
import { checkSignature, isByOtherKey } from './signature-check';
import type { SignatureCheck } from './checked-signature';

const ATTESTATION_AGE_MAX_MS = 3_600_000;

export interface PrivateChatOptions {
  connection: Connection;
  model: string;
  /** Whether messages are encrypted to the enclave (supportsE2EE), or only attested and signed (supportsTeeAttestation). */
  encrypted: boolean;
  policy: AttestationPolicy;
  /** Verdicts under which messages go out; `verified` alone unless more is said. */
  accepted?: readonly AcceptableVerdict[];
  /**
   * What a signature that does not hold or is missing does: `required` (unless given) ends the chat with an error, and
   * sends nothing where none can come (ANSWERS_NOT_SIGNED); `where-possible` does the same but for enclaves that attested no
   * key to sign with, which are asked; `reported` leaves it at the event.
   */
  signature?: 'required' | 'where-possible' | 'reported';
  /** Used where a report carries no collateral. */
  collateral?: unknown;
  /** How long an attestation is relied on before the next message is attested anew, in milliseconds. */
  attestationAgeMaxMs?: number;
  now?: () => number;
  timeouts?: ReplyTimeouts;
  /** Delays before asking again for a signature that is not there yet. */
  signatureRetryDelaysMs?: readonly number[];
}

export interface SendOptions {
  /** Further fields of the request, such as max_tokens. They are not encrypted. */
  parameters?: Readonly<Record<string, unknown>>;
  signal?: AbortSignal | undefined;
}

/**
 * A conversation with a model in an enclave. Nothing goes out before this client has verified the enclave's quote
 * itself and found a verdict that its caller accepts; every answer's signature is checked over the bytes that were
 * sent and received. Any fault of an attestation, a reply or a signature makes the next message attest anew.
 */
export class PrivateChatSession {
  #attestation: Attestation | null = null;

  constructor(private readonly options: PrivateChatOptions) {}

  /** The attestation that messages are sent under; null before the first, and after a fault. */
  get attestation(): Attestation | null {
    return this.#attestation;
  }

  /**
   * Attests the enclave. `send` does it by itself where it was not done.
   * @throws {PrivateChatError} with the attestation, where nothing may be sent; {GatewayError | UnreachableError}
   */
  async start({ signal }: { signal?: AbortSignal | undefined } = {}): Promise<Attestation> {
    return this.#attestation ?? this.reattest({ signal });
  }

  /** Attests the enclave anew. @throws as `start` does; then the old attestation counts no more. */
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
   * Sends a conversation, oldest message first, and yields what comes. An enclave that has changed its key is
   * attested and asked once more, before any text of an answer was given.
   * @throws {PrivateChatError | GatewayError | UnreachableError}
   */
  async *send(
    messages: readonly ChatMessage[],
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
      // Whatever it was, the next message attests anew.
      if (error instanceof PrivateChatError) this.#attestation = null;
      throw error;
    }
  }

  /** Sends a conversation and resolves with the answer, once its signature was checked. @throws as `send` does */
  async ask(
    messages: readonly ChatMessage[],
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

  /** Attests anew after a refusal, and throws it where the key is the same: then there is nothing to try again. */
  async #withOtherKey(before: Attestation, refusal: Error, signal: AbortSignal | undefined): Promise<Attestation> {
    const after = await this.reattest({ signal }).catch((error: unknown) => {
      throw error instanceof PrivateChatError ? error : refusal;
    });
    if (attestedKeyOf(after) === attestedKeyOf(before)) throw refusal;
    return after;
  }

  /** @returns a refusal that may come of an old key and came before any text, where `mayRetry`; null at the end */
  async *#exchange(
    messages: readonly ChatMessage[],
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
    messages: readonly ChatMessage[],
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
    if (key === null) throw new PrivateChatError('ATTESTATION_NOT_CHECKABLE', 'It speaks for no public key.');
    return sealChat({ model, messages, parameters }, key);
  }

  async *#finish(
    answer: ChatAnswer,
    attestation: Attestation,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<PrivateChatEvent, void, undefined> {
    const { model, encrypted, signature: demand } = this.options;
    const first = await this.#check(answer, attestation, signal);
    // What is encrypted can be answered by nobody but who holds the attested key.
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
    // The next message attests anew, whatever becomes of this one.
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
   * Attests the enclave after an answer that another key signed than was attested before: it may have been started anew.
   * @returns what the signature is worth then, and the refusal where what attests now is not accepted
   */
  async #askedWhoSigned(
    check: SignatureCheck,
    before: Attestation,
    signal: AbortSignal | undefined,
  ): Promise<{ check: SignatureCheck; vouching: Attestation; refusal: PrivateChatError | null }> {
    const unattested = (why: string): SignatureCheck => ({
      ...check,
      reason: `The answer is signed by another key (${check.signer}) than was attested before (${check.attestedAddress}). ${why}`,
    });
    try {
      const after = await this.reattest({ signal });
      if (after.verdict.key?.address !== check.signer)
        return { check: unattested('That key did not attest afterwards either.'), vouching: before, refusal: null };
      return {
        check: { ...unattested('That key was attested after the answer.'), outcome: 'attested-after' },
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
        check: unattested(`It could not be attested afterwards: ${sentence}`),
        vouching: before,
        refusal: error instanceof PrivateChatError ? error : null,
      };
    }
  }

  /** Whether anything can vouch for answers: what they are encrypted with, or a key that was attested. */
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

/** Whether a refusal may come of a key that the enclave has no more: by the enclave, or by what stands before it. */
function mayBeRotation(error: unknown): error is Error {
  if (error instanceof PrivateChatError) return error.code === 'REPLY_ERROR';
  return (
    error instanceof GatewayError &&
    ['MODEL_REFUSED', 'MODEL_UNAVAILABLE', 'EHBP_KEY_CONFIG', 'E2EE_INSTANCE_GONE'].includes(error.detail.code ?? '')
  );
}

const UNSIGNED = 'The enclave attested no key that answers are signed with, so nothing vouches for this one.';
const SEALED =
  'The answer is not signed, and need not be: what it is encrypted with only the holder of the attested key could read in the request.';
const SEALED_PIECES =
  'The answer is not signed. Each of its pieces is encrypted with what only the holder of the attested key could read in the request; that no piece was left out or moved on the way, this encryption cannot tell.';

/** Of an answer for whose signature nobody is asked. */
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
