import type { Dispatcher } from 'undici';
import type { WholeEvents } from '@/lib/protocol/chat/stream-account';
import { UsualChunks } from '@/lib/protocol/chat/usual-chunks';
import { HEARTBEAT } from '@/lib/protocol/event-stream/heartbeat';
import { AnswerArrival } from './answer-arrival';
import type { ChatParts } from './chat';
import type { KeptStream } from '../billing/stored-answers';
import { BodyParts } from '../http/body-parts';
import type { BodySink, PushBody } from '../http/call';
import { MemoryClaim } from '../http/held-memory/held-parts';
import { WHOLE_ANSWER_MS } from '../upstreams/collected-answer';
import { noteFailure } from '../upstreams/models/failover';
import { BROKEN_EVENT, DONE_EVENT, limitEvent } from './own-events';
import type { FollowedStream } from './native/native-account';
import { type EventChanges, lateUsage, outgoingEvents } from './outgoing-events';
import { keepAlive, type PaidChat } from './paid-chat';
import { RelayClocks } from './relay-clocks';
import { followedStream, StreamCharge } from './stream-charge';
import { StreamPreface } from './stream-preface';
import type { UpstreamAnswer } from '../upstreams/models/model-exchange';
import { UpstreamFailed, upstreamFailure } from '../upstreams/models/upstream-error';
import { errorBodyOf, readWholeAnswer, type WholeAnswer } from './whole-answer';

/** Maximum bytes between `[DONE]` and the end of the stream. */
const AFTER_END_BYTES_MAX = 65_536;
/** Maximum wait after `[DONE]` for the upstream to close the connection. */
const AFTER_END_MS = 500;
/**
 * Time between sending an error event and closing the connection. Without this delay, clients would discard the event
 * unread.
 */
const BREAK_AFTER_MS = 100;
/** Result of a streamed request: a stream that has begun, or a whole answer such as an error. */
export type RelayOpening =
  | { kind: 'events'; contentType: string; relay: ChatRelay }
  | { kind: 'whole'; answer: WholeAnswer };

/**
 * Relays an event stream in whole events, and charges for it.
 *
 * - `[DONE]` is sent after the charge is committed.
 * - A stream that ends early is charged for its output. The client gets an error event and an unfinished body.
 * - A stream counts as begun after content, a tool call or a finish reason. Until then, failover can ask another
 *   upstream.
 * - Events from an attested model are not held back, because attested models have no failover.
 */
export class ChatRelay implements Dispatcher.DispatchHandler, PushBody {
  readonly #account: FollowedStream;
  readonly #charge: StreamCharge;
  /**
   * Changes to make to each event. Events from an attested model stay unchanged, because the enclave signs their bytes.
   */
  readonly #changes: EventChanges;
  readonly #kept: KeptStream | null;
  #controller: Dispatcher.DispatchController | null = null;
  #sink: BodySink | null = null;
  readonly #arrival: AnswerArrival;
  readonly #preface = new StreamPreface();
  readonly #claim: MemoryClaim;
  readonly #early = new BodyParts();
  #held: Uint8Array[] = [];
  #heldBytes = 0;
  #state: 'waiting' | 'relaying' | 'settling' | 'settled' | 'refused' = 'waiting';
  readonly #askedAt = performance.now();
  #begunAt = 0;
  #isCut = false;
  /** True while the relay waits, after `[DONE]`, for the upstream to close the stream. */
  #isEnding = false;
  /** True after an event that reports a failure. The stream may then end without `[DONE]`. */
  #hasFailed = false;
  #hasEnded = false;
  #isOverLimit = false;
  #isGone = false;
  readonly #clocks = new RelayClocks({
    onSilence: () => this.#fallSilent(),
    onHeld: () => this.#begin(this.#preface.held),
    onUnread: () => this.#giveUp(),
    onQuiet: () => this.#sink?.write(HEARTBEAT),
  });
  #stopListening: () => void = () => undefined;
  #stopKeeping: () => void = () => undefined;

  /**
   * @param timeoutMs time limit for the first event, or for the first byte of a whole answer
   * @param opened called once, when the answer begins or fails; the relay charges no failed answer
   */
  constructor(
    private readonly chat: PaidChat,
    private readonly parts: ChatParts,
    timeoutMs: number,
    private readonly opened: { resolve: (opening: RelayOpening) => void; reject: (error: unknown) => void },
  ) {
    this.#account = followedStream(chat);
    this.#charge = new StreamCharge(chat, this.#account);
    const resume = (): void => this.#controller?.resume();
    this.#claim = new MemoryClaim(parts.memory ?? null, resume);
    this.#arrival = new AnswerArrival(parts, resume, () => this.#clocks.wait(WHOLE_ANSWER_MS));
    const isAltered = !chat.model.capabilities.supportsTeeAttestation;
    this.#changes = {
      hidesUsage: isAltered && !chat.body.request.stream_options?.include_usage,
      redact: isAltered ? (text) => chat.model.upstream.redact(text) : null,
      usual: isAltered && !chat.native ? new UsualChunks() : null,
    };
    this.#kept = chat.paid.keptStream();
    this.#clocks.wait(timeoutMs);
    this.#stopListening = chat.paid.call.whenGone(() => this.cancel());
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isGone) controller.abort(new UpstreamFailed('gone'));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: UpstreamAnswer['headers'],
  ): void {
    this.#arrival.begin(status, headers);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.#arrival.isWhole && (this.#isGone || this.#state === 'refused')) return;
    if (this.#state === 'relaying' && !this.#account.done) this.#clocks.heard();
    const bytes = this.#arrival.take(controller, chunk);
    if (bytes === null) return;
    try {
      this.#take(this.#account.push(bytes));
    } catch (error) {
      return controller.abort(error as Error);
    }
    const { pendingBytes } = this.#account;
    if (pendingBytes === 0) this.#claim.drop();
    else if (!this.#claim.reach(pendingBytes)) controller.pause();
  }

  onResponseEnd(): void {
    const whole = this.#arrival.end();
    if (whole) return this.#resolveWhole(whole);
    this.#take(this.#account.end());
    if (this.#state === 'waiting') return this.#failBefore(new UpstreamFailed('away'));
    // Without Content-Length, an incomplete body looks complete, so the stream itself must have reported its end.
    this.#endRelay(!this.#account.done && !this.#account.finished && !this.#hasFailed);
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    if (this.#state === 'waiting') this.#failBefore(this.#isGone ? new UpstreamFailed('gone') : upstreamFailure(error));
    else this.#endRelay(!this.#account.done);
  }

  start(sink: BodySink): void {
    this.#sink = sink;
    for (const bytes of this.#early) this.#pass(bytes);
    this.#early.drop();
    if (this.#state === 'settled') this.#close();
  }

  resume(): void {
    this.#clocks.clearStall();
    this.#controller?.resume();
  }

  cancel(): void {
    if (this.#isGone || this.#state === 'settled') return;
    this.#isGone = true;
    if (this.#state === 'relaying') this.#settle();
    if (this.#controller) this.#controller.abort(new UpstreamFailed('gone'));
    // Without a controller, the request was still waiting for a connection, so the gateway has sent nothing.
    else this.#failBefore(new UpstreamFailed('gone', { isUnsent: true }));
  }

  #take(events: WholeEvents): void {
    if (events.bytes.length === 0 || this.#isOverLimit) return;
    if (this.#state === 'waiting') this.#await(events);
    else if (this.#state !== 'relaying' || this.#held.length > 0) this.#hold(events);
    else this.#relay(events);
  }

  #relay(events: WholeEvents): void {
    if (events.marks.length === 0) return this.#write(events.bytes);
    const { passed, held, hasFailed, told, isOverLimit } = outgoingEvents(events, this.#changes);
    this.#hasFailed ||= hasFailed;
    this.#charge.tell(told);
    for (const bytes of passed) this.#write(bytes);
    if (isOverLimit) this.#endAtLimit();
    else if (held) this.#hold(held);
  }

  /**
   * Holds `[DONE]` and later events until the charge is committed. If usage arrives after `[DONE]`, sends it before
   * `[DONE]`, because most clients stop reading at `[DONE]`. Drops other events after `[DONE]`, unless the bytes are
   * signed or native.
   */
  #hold(events: WholeEvents): void {
    const isUsual = this.#changes.usual !== null;
    const { usage, told } = isUsual ? lateUsage(events, this.#changes) : { usage: [], told: null };
    if (this.#state === 'relaying') {
      this.#charge.tell(told);
      for (const bytes of usage) this.#write(bytes);
    }
    if (!isUsual) this.#held.push(events.bytes);
    else if (this.#state === 'relaying') this.#held = [DONE_EVENT];
    this.#heldBytes += events.bytes.length;
    if (this.#heldBytes > AFTER_END_BYTES_MAX) this.#controller?.abort(new UpstreamFailed('too-long'));
    else if (this.#state !== 'relaying') return;
    else if (this.#account.usage !== null) this.#settle();
    // Usage may still arrive before the upstream closes the connection.
    else if (!this.#isEnding) this.#awaitEnd();
  }

  /**
   * If a stream exceeds its token limit, ends it with the finish reason `length`. For a signed or native stream, closes
   * the connection instead.
   */
  #endAtLimit(): void {
    const { model, paid } = this.chat;
    this.parts.log.warn(
      { requestId: paid.call.requestId, upstream: model.upstream.name },
      "upstream exceeded a chat's token limit",
    );
    if (!this.#changes.redact || this.chat.native) return void this.#controller?.abort(new UpstreamFailed('too-long'));
    this.#isOverLimit = true;
    this.#hasEnded = true;
    this.#write(limitEvent(model.id, paid.call.requestId, this.chat.budget.completions));
    this.#held = [DONE_EVENT];
    this.#settle();
    this.#controller?.abort(new UpstreamFailed('too-long'));
  }

  #await(events: WholeEvents): void {
    const verdict = this.#changes.redact ? this.#preface.add(events) : ({ kind: 'begun', events } as const);
    if (verdict.kind === 'begun') this.#begin(verdict.events);
    else if (verdict.kind === 'failed')
      this.#refuse(() =>
        this.#resolveWhole({ status: 200, headers: {}, body: Buffer.from(errorBodyOf(verdict.event)) }),
      );
    else if (verdict.kind === 'empty') this.#refuse(() => this.#failBefore(new UpstreamFailed('away')));
    else {
      this.#clocks.heard();
      this.#clocks.hold();
    }
  }

  #refuse(tell: () => void): void {
    this.#state = 'refused';
    tell();
    this.#controller?.abort(new UpstreamFailed('away'));
  }

  #begin(events: WholeEvents): void {
    this.#state = 'relaying';
    this.#begunAt = performance.now();
    this.parts.times?.firstEvent.observe((this.#begunAt - this.#askedAt) / 1_000);
    this.chat.model.upstream.firstTokens.note(this.chat.model.id, this.#begunAt - this.#askedAt);
    this.#clocks.stopHolding();
    this.#clocks.wait(this.parts.config.idleTimeoutMs);
    this.#stopKeeping = keepAlive(this.chat, () => this.#charge.usage());
    this.opened.resolve({ kind: 'events', contentType: this.#arrival.contentType, relay: this });
    this.#relay(events);
    // An attested stream gets no heartbeats, because its enclave signs every byte.
    if (this.#changes.redact && this.#state === 'relaying') this.#clocks.startHeartbeat();
  }

  #fallSilent(): void {
    // A stalled stream is silent because the client reads slowly. `#giveUp` disconnects slow clients.
    if (this.#clocks.isStalled && !this.#isEnding) this.#clocks.wait(this.parts.config.idleTimeoutMs);
    else if (this.#controller) this.#controller.abort(new UpstreamFailed('timeout'));
    else {
      // The request is still waiting for a connection. `#isGone` makes it abort later.
      this.#isGone = true;
      this.#failBefore(new UpstreamFailed('timeout'));
    }
  }

  #resolveWhole(answer: UpstreamAnswer): void {
    this.#leave();
    this.opened.resolve({ kind: 'whole', answer: readWholeAnswer(answer) });
  }

  #failBefore(error: UpstreamFailed): void {
    this.#arrival.giveUp();
    this.#leave();
    this.opened.reject(error);
  }

  #endRelay(isCut: boolean): void {
    if (this.#state === 'refused' || this.#isOverLimit) return;
    if (isCut && !this.#isGone && this.#state === 'relaying') {
      const { log } = this.parts;
      const { upstream } = this.chat.model;
      log.warn({ requestId: this.chat.paid.call.requestId, upstream: upstream.name }, 'upstream ended a stream early');
      noteFailure(upstream, log);
    }
    this.#isCut = isCut;
    this.#hasEnded = true;
    this.#settle();
  }

  #write(bytes: Uint8Array): void {
    if (this.#isGone) return;
    this.#kept?.add(bytes);
    this.#pass(bytes);
  }

  #pass(bytes: Uint8Array): void {
    this.#clocks.beat();
    if (!this.#sink) {
      this.#early.copy(bytes);
      return;
    }
    if (this.#sink.write(bytes) || this.#hasEnded || this.#clocks.isStalled) return;
    this.#controller?.pause();
    this.#clocks.stall(this.parts.config.idleTimeoutMs);
  }

  #giveUp(): void {
    this.#sink?.drop();
    this.cancel();
  }

  #settle(): void {
    if (this.#state === 'settled') this.#close();
    if (this.#state !== 'relaying') return;
    const untold = this.#changes.redact && !this.#isBroken ? this.#charge.untold(!this.#changes.hidesUsage) : null;
    if (untold) this.#write(untold);
    this.#state = 'settling';
    this.#measureTokens();
    this.#leave();
    this.#clocks.clearStall();
    // Nothing is charged if the upstream failed before its answer began.
    const isNothing = (this.#isCut || this.#hasFailed) && !this.#account.begun;
    this.#charge.settle(this.#isBroken ? null : (this.#kept?.with(this.#held) ?? null), isNothing).then(
      () => this.#close(),
      (error: unknown) => {
        this.parts.log.error(
          { err: error, requestId: this.chat.paid.call.requestId },
          'charging a streamed chat failed',
        );
        this.#isCut = true;
        this.#hasEnded = true;
        this.#close();
        this.#controller?.abort(new UpstreamFailed('gone'));
      },
    );
  }

  #measureTokens(): void {
    const { times } = this.parts;
    const { completionTokens } = this.#charge.usage();
    if (times && completionTokens > 0)
      times.token.observe((performance.now() - this.#begunAt) / 1_000 / completionTokens);
  }

  /** True once the client has all events, including `[DONE]`. */
  get isComplete(): boolean {
    return this.#state === 'settled' && this.#sink !== null && !this.#isCut && !this.#hasFailed;
  }

  /**
   * True if the answer is incomplete. An incomplete answer is not stored, so that a repeated call may get a complete
   * answer.
   */
  get #isBroken(): boolean {
    return this.#isCut || this.#isGone || this.#hasFailed;
  }

  #close(): void {
    this.#state = 'settled';
    const sink = this.#sink;
    if (this.#isGone || !sink) return;
    if (this.#isCut) {
      this.#isGone = true;
      return this.#breakOff(sink);
    }
    for (const bytes of this.#held) sink.write(bytes);
    this.#held = [];
    if (!this.#hasEnded) return this.#awaitEnd();
    this.#clocks.stop();
    this.#isGone = true;
    sink.end();
  }

  /**
   * Sends an error event and closes the connection. Without the event, a client would repeat the call and pay again.
   * Sends no event if the bytes are signed or native, or after the upstream's error event.
   */
  #breakOff(sink: BodySink): void {
    if (!this.#changes.redact || this.#hasFailed || this.chat.native) return sink.fail();
    sink.write(BROKEN_EVENT);
    setTimeout(() => sink.fail(), BREAK_AFTER_MS);
  }

  /** Waits only briefly for the upstream to close the stream. Otherwise an upstream could keep two connections open. */
  #awaitEnd(): void {
    this.#isEnding = true;
    this.#clocks.wait(AFTER_END_MS);
  }

  #leave(): void {
    this.#clocks.stop();
    this.#claim.drop();
    this.#stopListening();
    this.#stopKeeping();
  }
}
