import type { Dispatcher } from 'undici';
import { isUsageEvent, StreamAccount } from '@/lib/protocol/chat/stream-account';
import { estimateTokens, type TokenUsage } from '@/lib/protocol/chat/token-usage';
import type { Gateway } from '../gateway';
import type { BodySink, PushBody } from '../http/call';
import { keepNoted } from './keep-noted';
import { type PaidChat, settleChat } from './paid-chat';
import type { UpstreamAnswer } from './upstream';
import { UpstreamFailed, upstreamFailure } from './upstream-failure';

const EVENT_STREAM = /^text\/event-stream\b/i;
const ERROR_EVENT = 'data: {"error"';
const NO_USAGE: TokenUsage = { promptTokens: 0, completionTokens: 0 };

/** What an upstream answers to a request for a stream: events, or something whole, such as an error. */
export type RelayOpening = { kind: 'events'; contentType: string } | { kind: 'whole'; answer: UpstreamAnswer };

/** One that is no event stream, as it comes. */
interface WholeAnswer {
  status: number;
  headers: UpstreamAnswer['headers'];
  chunks: Buffer[];
  bytes: number;
}

/**
 * Passes an event stream on as it comes, whole events at a time, and charges it. `[DONE]` goes out after the charge is
 * committed. Whatever ends a stream before that, what was produced until then is charged, and a client that is still
 * there sees that the stream broke off.
 */
export class ChatRelay implements Dispatcher.DispatchHandler, PushBody {
  readonly #account: StreamAccount;
  readonly #hidesUsage: boolean;
  readonly #isAltered: boolean;
  #controller: Dispatcher.DispatchController | null = null;
  #sink: BodySink | null = null;
  /** What came before there was a sink. */
  #early: Uint8Array[] = [];
  /** From `[DONE]` on. */
  #held: Uint8Array[] = [];
  #whole: WholeAnswer | null = null;
  #state: 'waiting' | 'relaying' | 'settling' | 'settled' = 'waiting';
  #isCut = false;
  #hasEnded = false;
  #isGone = false;
  #stalled: NodeJS.Timeout | null = null;
  readonly #stopListening: () => void;
  readonly #stopNoting: () => void;

  /** @param opened hears once of the answer's beginning, or of what kept it from beginning: then nothing was charged. */
  constructor(
    private readonly chat: PaidChat,
    private readonly gateway: Gateway,
    private readonly opened: { resolve: (opening: RelayOpening) => void; reject: (error: unknown) => void },
  ) {
    const { capabilities } = chat.model;
    this.#account = new StreamAccount({ encrypted: chat.isEncrypted });
    this.#isAltered = !capabilities.supportsTeeAttestation;
    this.#hidesUsage = this.#isAltered && !chat.body.request.stream_options?.include_usage;
    this.#stopNoting = keepNoted(chat, gateway, () => (this.#state === 'relaying' ? this.#usage() : NO_USAGE));
    this.#stopListening = chat.call.whenGone(() => this.cancel());
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isGone) controller.abort(new UpstreamFailed('gone'));
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: UpstreamAnswer['headers']): void {
    const contentType = headers['content-type'];
    if (status !== 200 || typeof contentType !== 'string' || !EVENT_STREAM.test(contentType)) {
      this.#whole = { status, headers, chunks: [], bytes: 0 };
      return;
    }
    this.#state = 'relaying';
    this.opened.resolve({ kind: 'events', contentType });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#whole) return this.#collect(this.#whole, controller, chunk);
    if (this.#isGone) return;
    const { usage } = this.#account;
    let events: Uint8Array[];
    try {
      events = this.#account.push(chunk);
    } catch (error) {
      controller.abort(error as Error);
      return;
    }
    if (events.length === 0) return;
    if (this.#account.done) this.#finishWith(events);
    else if (this.#hidesUsage && this.#account.usage !== usage) for (const event of events) this.#pass(event);
    else this.#write(joined(events));
  }

  onResponseEnd(): void {
    if (this.#whole) {
      const { status, headers, chunks } = this.#whole;
      this.#leave();
      this.opened.resolve({ kind: 'whole', answer: { status, headers, body: Buffer.concat(chunks) } });
      return;
    }
    const rest = this.#account.end();
    if (rest.length > 0) this.#held.push(rest);
    this.#hasEnded = true;
    this.#settle();
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    if (this.#state === 'waiting') {
      this.#leave();
      this.opened.reject(this.#isGone ? new UpstreamFailed('gone') : upstreamFailure(error));
      return;
    }
    // What breaks off after its end is whole.
    this.#isCut = !this.#account.done;
    this.#hasEnded = true;
    this.#settle();
  }

  start(sink: BodySink): void {
    this.#sink = sink;
    const early = this.#early;
    this.#early = [];
    for (const bytes of early) this.#write(bytes);
    if (this.#state === 'settled') this.#close();
  }

  resume(): void {
    this.#clearStall();
    this.#controller?.resume();
  }

  cancel(): void {
    if (this.#isGone || this.#state === 'settled') return;
    this.#isGone = true;
    if (this.#state === 'relaying') this.#settle();
    this.#controller?.abort(new UpstreamFailed('gone'));
  }

  #collect(whole: WholeAnswer, controller: Dispatcher.DispatchController, chunk: Buffer): void {
    whole.bytes += chunk.length;
    if (whole.bytes > this.gateway.config.inference.answerBytesMax) controller.abort(new UpstreamFailed('too-long'));
    else whole.chunks.push(chunk);
  }

  /** Passes on what stands before `[DONE]`; that waits for the charge. */
  #finishWith(events: readonly Uint8Array[]): void {
    for (const event of events) {
      if (this.#held.length > 0 || this.#state !== 'relaying' || isDone(event)) this.#held.push(event);
      else this.#pass(event);
    }
    this.#settle();
  }

  #pass(event: Uint8Array): void {
    if (!this.#hidesUsage || !isUsageEvent(event)) this.#write(event);
  }

  #write(bytes: Uint8Array): void {
    if (this.#isGone) return;
    if (!this.#sink) {
      this.#early.push(bytes);
      return;
    }
    if (this.#sink.write(this.#cleaned(bytes)) || this.#hasEnded || this.#stalled) return;
    this.#controller?.pause();
    this.#stalled = setTimeout(() => this.#giveUp(), this.gateway.config.inference.idleTimeoutMs);
  }

  /** A client that takes nothing for so long is as good as gone. */
  #giveUp(): void {
    this.#sink?.fail();
    this.cancel();
  }

  /** An error that an upstream sends as an event may name what it should not. */
  #cleaned(bytes: Uint8Array): Uint8Array {
    if (!this.#isAltered) return bytes;
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return buffer.includes(ERROR_EVENT) ? Buffer.from(this.chat.model.upstream.redact(buffer.toString('utf8'))) : bytes;
  }

  /** Charges what was produced, once; then the held end goes out. */
  #settle(): void {
    if (this.#state === 'settled') this.#close();
    if (this.#state !== 'relaying') return;
    this.#state = 'settling';
    this.#leave();
    this.#clearStall();
    this.#charge().then(
      () => this.#close(),
      (error: unknown) => {
        this.gateway.log.error({ err: error, requestId: this.chat.call.requestId }, 'a stream could not be charged');
        this.#isCut = true;
        this.#hasEnded = true;
        this.#close();
        this.#controller?.abort(new UpstreamFailed('gone'));
      },
    );
  }

  async #charge(): Promise<void> {
    const { gateway, chat } = this;
    const usage = this.#usage();
    // An upstream that broke off before the first word has sold nothing.
    const isNothing = this.#isCut && this.#account.usage === null && usage.completionTokens === 0;
    try {
      if (!isNothing) await settleChat(chat, usage, gateway);
    } finally {
      await gateway.meter.release(chat.reservation);
    }
  }

  #usage(): TokenUsage {
    return this.#account.usage ?? { promptTokens: estimateTokens(this.chat.body.bytes.byteLength), completionTokens: this.#account.estimatedTokens };
  }

  #close(): void {
    this.#state = 'settled';
    const sink = this.#sink;
    if (this.#isGone || !sink) return;
    if (this.#isCut) {
      this.#isGone = true;
      sink.fail();
      return;
    }
    for (const bytes of this.#held) sink.write(this.#cleaned(bytes));
    this.#held = [];
    if (!this.#hasEnded) return;
    this.#isGone = true;
    sink.end();
  }

  #leave(): void {
    this.#stopListening();
    this.#stopNoting();
  }

  #clearStall(): void {
    if (this.#stalled) clearTimeout(this.#stalled);
    this.#stalled = null;
  }
}

/** Events that follow one another in one buffer, in one piece. */
function joined(events: readonly Uint8Array[]): Uint8Array {
  const [first] = events as [Uint8Array];
  if (events.length === 1) return first;
  const last = events[events.length - 1] as Uint8Array;
  return new Uint8Array(first.buffer, first.byteOffset, last.byteOffset + last.byteLength - first.byteOffset);
}

function isDone(event: Uint8Array): boolean {
  return Buffer.from(event.buffer, event.byteOffset, Math.min(event.byteLength, 12)).toString('latin1') === 'data: [DONE]';
}
