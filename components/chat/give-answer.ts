'use client';

import type { ChatModelInfo } from '@/lib/client/chat-models';
import { type CallCredential, UnreachableError } from '@/lib/client';
import type {
  ChatAnswer,
  ChatEvent,
  PicturedMessage,
  PrivateChatEvent,
  SentRequest,
  SignatureCheck,
} from '@/lib/client/private-chat';
import { tokenCostNanoUsd } from '@/lib/protocol/chat/token-price';
import type { TokenUsage } from '@/lib/protocol/chat/token-usage';
import type { AttestationConclusion } from '@/lib/protocol/tee/verify-attestation';
import { noteCharge } from '@/components/billing/last-charge';
import { noteFirstStep } from '@/lib/browser/storage/first-steps-done';
import { gatewayOptions } from '@/lib/browser/reads/gateway';
import { loadCode } from '@/lib/browser/page/load-code';
import { chatWords } from './words';
import { claimAnswer, endRunning, noteRunning } from './running-answer';
import { adviceOn, noteFailure } from './answer-failures';
import {
  type Answer,
  type AnswerEnd,
  boundsOf,
  type Conversation,
  messagesOf,
  responseFormatOf,
  type SideName,
} from './conversation';
import { changeConversation, checkpointConversation } from './conversation-store';
import { forgetExchange, noteExchange } from './exchanges';
import { signatureOf } from './signature-of';
import { withAnswer, withCharge } from './turn-versions';

export interface AskOptions {
  conversation: Conversation;
  side: SideName;
  model: ChatModelInfo;
  credential: CallCredential | null;
  simulatedRoot: string | null;
  schema: Readonly<Record<string, unknown>> | null;
}

type Ending = Required<Pick<Answer, 'end' | 'problem' | 'advice' | 'schemaFaults'>>;

/** If a connection fails within this time after the page began to unload, the unloading counts as the cause. */
const LEAVING_MS = 30_000;
/** Checkpoint interval. A crash loses at most the text received in this time. */
const CHECKPOINT_EVERY_MS = 1_000;

const running = new Map<string, AbortController>();
const accounts = new Set<AnswerAccount>();

/** Stops the answer of the given turn; without an id, stops all running answers. */
export function stopAnswer(turnId?: string): void {
  if (turnId === undefined) running.forEach((controller) => controller.abort());
  else running.get(turnId)?.abort();
}

/** Preloads the code for sending, so that the first message is not delayed. */
export function preloadAsking(): void {
  import('@/lib/client/private-chat/stream-chat').catch(() => undefined);
  import('./privacy/private-sessions').catch(() => undefined);
}

/** Sends the last question of a conversation and stores the answer. Never rejects: a failure is stored too. */
export async function giveAnswer(options: AskOptions): Promise<void> {
  const turn = options.conversation.turns.at(-1);
  const turnId = options.side === 'beside' ? turn?.beside?.id : turn?.id;
  if (turnId === undefined) return;
  // A new question stops the answers to the previous question.
  for (const [id, other] of running) if (id !== turn?.id && id !== turn?.beside?.id) other.abort();
  const controller = new AbortController();
  running.set(turnId, controller);
  noteFailure(turnId, null);
  forgetExchange(turnId);
  const account = new AnswerAccount(options, turnId);
  accounts.add(account);
  let end: () => void = () => undefined;
  claimAnswer(turnId, new Promise((resolve) => (end = resolve)));
  const listening = new AbortController();
  window.addEventListener('beforeunload', () => account.prepareToLeave(), { signal: listening.signal });
  window.addEventListener('pagehide', () => account.leave(), { signal: listening.signal });
  try {
    for await (const event of await eventsOf(options, controller.signal)) await account.take(event);
  } catch (thrown) {
    await account.fail(thrown instanceof Error ? thrown : new Error(String(thrown)));
  } finally {
    listening.abort();
    end();
    accounts.delete(account);
    running.delete(turnId);
    endRunning(turnId);
  }
}

/** Loads the client on demand, because its cryptography is large. */
async function eventsOf(
  options: AskOptions,
  signal: AbortSignal,
): Promise<AsyncGenerator<ChatEvent | PrivateChatEvent, void, undefined>> {
  const { conversation, side, model, credential, simulatedRoot, schema } = options;
  const said = messagesOf(conversation, side);
  const messages: readonly PicturedMessage[] = said.some(({ pictures }) => pictures !== undefined)
    ? await (await loadCode(() => import('./pictured-messages'))).picturedMessages(said, model)
    : said;
  const parameters = {
    ...(schema !== null && { response_format: responseFormatOf(schema) }),
    ...boundsOf(conversation),
  };
  const connection = gatewayOptions(credential);
  if (model.can.attest) {
    const { askPrivately } = await loadCode(() => import('./privacy/private-sessions'));
    return askPrivately(
      { modelId: model.id, isEncryptable: model.can.encrypt, connection, simulatedRoot },
      conversation.id,
      messages,
      parameters,
      signal,
    );
  }
  const { streamChat } = await loadCode(() => import('@/lib/client/private-chat/stream-chat'));
  return streamChat({ connection, model: model.id, messages, parameters, signal });
}

class AnswerAccount {
  readonly #startedMs = performance.now();
  #text = '';
  #reasoning = '';
  #usage: TokenUsage | null = null;
  #sent: SentRequest | null = null;
  #conclusion: AttestationConclusion | null = null;
  #signature: SignatureCheck | null = null;
  #completionId: string | null = null;
  #requestId: string | null = null;
  #firstTokenMs: number | null = null;
  #leavesAtMs: number | null = null;
  #checkpointAtMs = -Infinity;

  constructor(
    private readonly options: AskOptions,
    private readonly turnId: string,
  ) {
    this.#show(options.model.can.attest ? 'attesting' : 'waiting');
  }

  async take(event: ChatEvent | PrivateChatEvent): Promise<void> {
    switch (event.type) {
      case 'attested':
        this.#conclusion = event.attestation.verdict.conclusion;
        return this.#show('waiting');
      case 'sent':
        this.#sent = event.request;
        noteExchange(this.turnId, { sent: event.request });
        return this.#show('waiting');
      case 'began':
        this.#requestId = event.requestId;
        return noteCharge(event.balanceRemainingUsd);
      case 'delta':
        this.#firstTokenMs ??= performance.now() - this.#startedMs;
        if (event.kind === 'answer') this.#text += event.text;
        else this.#reasoning += event.text;
        this.#checkpoint();
        return this.#show('answering');
      case 'usage':
        this.#usage = event.usage;
        return this.options.model.can.attest ? this.#show('checking') : undefined;
      case 'signature':
        this.#signature = event.check;
        return;
      case 'done':
        if ('attestation' in event) this.#conclusion = event.attestation.verdict.conclusion;
        return this.#done(event.answer);
    }
  }

  async fail(error: Error): Promise<void> {
    if (this.#leavesAtMs !== null && performance.now() - this.#leavesAtMs < LEAVING_MS) return this.leave();
    const isStopped = error instanceof UnreachableError && error.aborted;
    if (!isStopped) noteFailure(this.turnId, error);
    noteCharge(null);
    const isWhole = this.#signature !== null;
    await this.#keep(isStopped ? 'stopped' : isWhole ? 'whole' : 'broken', isStopped ? null : error);
    if (isStopped && this.#usage === null && this.#requestId !== null)
      this.#findCharge(this.#requestId).catch(() => undefined);
  }

  /** Finds the charge of a stream that ended before its usage arrived. */
  async #findCharge(requestId: string): Promise<void> {
    const { conversation, credential } = this.options;
    const { chargeOfStopped } = await import('./stopped-charge');
    const charge = await chargeOfStopped(gatewayOptions(credential), requestId);
    if (charge !== null) changeConversation(conversation.id, (kept) => withCharge(kept, this.turnId, charge));
  }

  /** Records the start of unloading, because browsers cut connections before they fire `pagehide`. */
  prepareToLeave(): void {
    this.#leavesAtMs = performance.now();
  }

  /** Stores the partial answer. If the browser restores the page, the complete answer replaces the partial one. */
  leave(): void {
    this.#keepAs(this.#left());
  }

  #left(): Ending {
    const { left, nothingSent, charged } = chatWords.ending;
    return { end: 'broken', problem: left, advice: [this.#sent === null ? nothingSent : charged], schemaFaults: null };
  }

  #checkpoint(): void {
    if (performance.now() - this.#checkpointAtMs < CHECKPOINT_EVERY_MS) return;
    this.#checkpointAtMs = performance.now();
    const { id } = this.options.conversation;
    // A checkpoint replaces the previous checkpoint, so each checkpoint must contain the partial answers of both
    // models.
    const arriving = [...accounts].filter(({ options }) => options.conversation.id === id);
    checkpointConversation(id, this.turnId, (kept) =>
      arriving.reduce((conversation, account) => account.#withPartial(conversation), kept),
    );
  }

  #withPartial(conversation: Conversation): Conversation {
    return withAnswer(conversation, this.turnId, this.#answer(this.#left()), Date.now());
  }

  async #done({ text, usage, finishReason, received, sent, completionId }: ChatAnswer): Promise<void> {
    noteFirstStep('chat');
    this.#text = text;
    this.#completionId = completionId;
    this.#usage = usage ?? this.#usage;
    noteExchange(this.turnId, {
      sent,
      receivedText: received.text(),
      isReceivedHex: received.isHex,
      receivedHash: received.hash,
      signature: this.#signature,
    });
    noteCharge(null);
    await this.#keep(finishReason === 'length' ? 'length' : 'whole', null);
  }

  async #keep(end: AnswerEnd, problem: Error | null): Promise<void> {
    const schemaFaults = end === 'whole' && problem === null ? await this.#schemaFaults() : null;
    this.#keepAs({
      end,
      problem: problem?.message ?? null,
      advice: problem === null ? [] : adviceOn(problem),
      schemaFaults,
    });
  }

  #keepAs(ending: Ending): void {
    const answer = this.#answer(ending);
    changeConversation(this.options.conversation.id, (kept) => withAnswer(kept, this.turnId, answer, Date.now()));
  }

  #answer(ending: Ending): Answer {
    const { model } = this.options;
    return {
      text: this.#text,
      ...ending,
      modelId: model.id,
      isEncrypted: this.#sent?.isEncrypted ?? model.can.encrypt,
      conclusion: this.#conclusion,
      signature: this.#signatureState(ending.end),
      promptTokens: this.#usage?.promptTokens ?? null,
      completionTokens: this.#usage?.completionTokens ?? null,
      costNanoUsd: this.#usage && model.price && tokenCostNanoUsd(this.#usage, model.price),
      firstTokenMs: this.#firstTokenMs,
      totalMs: performance.now() - this.#startedMs,
    };
  }

  #signatureState(end: AnswerEnd): Answer['signature'] {
    const check = this.#signature;
    const words = chatWords.ending;
    if (!this.options.model.can.attest) return { state: 'none', sentence: words.signsNothing };
    if (check === null)
      return { state: 'unavailable', sentence: end === 'stopped' ? words.stoppedUnsigned : words.brokenUnsigned };
    return signatureOf(check, this.#completionId);
  }

  /** Loads the check only if there is a schema, which most conversations lack. */
  async #schemaFaults(): Promise<readonly string[] | null> {
    const { schema } = this.options;
    if (schema === null) return null;
    const { replyFaults } = await import('./reply-check');
    return replyFaults(this.#text, schema);
  }

  #show(phase: 'attesting' | 'waiting' | 'answering' | 'checking'): void {
    const { conversation, model } = this.options;
    noteRunning({
      conversationId: conversation.id,
      turnId: this.turnId,
      phase,
      text: this.#text,
      reasoning: this.#reasoning,
      isPrivate: model.can.attest,
    });
  }
}
