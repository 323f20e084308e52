import type { SentencePiece } from '@/lib/protocol/speech/split-sentences';
import type { KeptStream, ReplayBody } from '../billing/stored-answers';
import type { BodySink, PushBody } from '../http/call';
import { UpstreamFailed } from '../upstreams/models/upstream-error';
import type { OfferedSpeechModel } from './offered-model';
import { keepSpeechAlive, type PaidSpeech, settleSpeech } from './paid-speech';
import { SentenceSamples } from './sentence-samples';
import type { SpeechParts } from './speech';
import { SpeakingModels } from './speaking-models';

interface SpeechStreamOptions {
  sentences: readonly SentencePiece[];
  leaving: AbortController;
  onOver(): void;
}

/**
 * Sends audio while it is generated. Holds the last part back until the charge is committed. If an upstream fails,
 * charges the complete sentences, then breaks the connection. If the client disconnects, every sentence sent upstream
 * is charged.
 */
export class SpeechStream implements PushBody {
  readonly #models: SpeakingModels;
  readonly #sentences: SentenceSamples;
  readonly #bytes: AsyncGenerator<Uint8Array>;
  readonly #stopKeeping: () => void;
  readonly #kept: KeptStream | null;
  #first: Uint8Array | null = null;
  #wake: (() => void) | null = null;
  #hasRoom = true;
  #isGone = false;
  #isStarted = false;
  #settling: Promise<unknown> | null = null;
  #isOver = false;

  constructor(
    private readonly speech: PaidSpeech,
    private readonly parts: SpeechParts,
    private readonly options: SpeechStreamOptions,
  ) {
    const { sentences, leaving } = options;
    this.#kept = speech.paid.keptStream();
    this.#models = new SpeakingModels(speech, parts);
    this.#sentences = new SentenceSamples({ sentences, speed: speech.request.speed ?? 1, models: this.#models });
    this.#bytes = parts.encoders.encode(
      { format: speech.format, isStreamed: true, signal: leaving.signal },
      this.#sentences.samples(),
    );
    this.#stopKeeping = keepSpeechAlive(speech, () => this.#sentences.askedCharacters);
    leaving.signal.addEventListener('abort', () => this.#sentences.abort(), { once: true });
  }

  /** The model as offered by the current upstream. Final after `open`. */
  get model(): OfferedSpeechModel {
    return this.#models.current;
  }

  /** Waits for the first bytes. @throws if none arrive; the call is then free, unless the client disconnected */
  async open(): Promise<void> {
    try {
      const { value, done } = await this.#bytes.next();
      if (this.#sentences.failure !== null) throw this.#sentences.failure;
      this.#first = done ? null : value;
    } catch (error) {
      await this.#over(this.options.leaving.signal.aborted ? this.#sentences.askedCharacters : 0);
      throw error;
    }
  }

  start(sink: BodySink): void {
    this.#isStarted = true;
    void this.#pump(sink);
  }

  resume(): void {
    this.#hasRoom = true;
    this.#wake?.();
  }

  cancel(): void {
    if (this.#isOver || this.#isGone) return;
    this.#isGone = true;
    this.options.leaving.abort(new UpstreamFailed('gone'));
    this.#wake?.();
    if (!this.#isStarted) void this.#over(this.#sentences.askedCharacters);
  }

  async #pump(sink: BodySink): Promise<void> {
    let isWhole = false;
    try {
      await this.#send(sink);
      isWhole = !this.#isGone && this.#sentences.failure === null;
    } catch (error) {
      if (!this.#isGone)
        this.parts.log.warn(
          { err: error, requestId: this.speech.paid.call.requestId },
          'upstream ended a speech stream early',
        );
    }
    const wasGone = this.#isGone;
    const isPaid = await this.#over(wasGone ? this.#sentences.askedCharacters : this.#sentences.finishedCharacters);
    if (wasGone) return;
    this.#isGone = true;
    if (isWhole && isPaid) sink.end();
    else sink.fail();
  }

  async #send(sink: BodySink): Promise<void> {
    let held: Uint8Array | null = null;
    for (let bytes = this.#first; bytes !== null && !this.#isGone; bytes = await this.#next()) {
      if (held) await this.#write(held, sink);
      held = this.#sentences.isAllSpoken ? bytes : null;
      if (!held) await this.#write(bytes, sink);
    }
    if (this.#isGone || this.#sentences.failure !== null) {
      if (held) await this.#write(held, sink);
      return;
    }
    await this.#settle(this.speech.characters, this.#kept?.with(held ? [held] : []));
    if (held) await this.#write(held, sink);
  }

  async #write(bytes: Uint8Array, sink: BodySink): Promise<void> {
    if (this.#isGone || bytes.byteLength === 0) return;
    this.#kept?.add(bytes);
    this.#hasRoom = true;
    if (sink.write(bytes)) return;
    this.#hasRoom = false;
    await this.#untilRoom(sink);
  }

  async #next(): Promise<Uint8Array | null> {
    const { value, done } = await this.#bytes.next();
    return done ? null : value;
  }

  /** Waits until the client reads more. A client that reads nothing for too long counts as disconnected. */
  async #untilRoom(sink: BodySink): Promise<void> {
    const timer = setTimeout(() => {
      sink.drop();
      this.cancel();
    }, this.parts.config.idleTimeoutMs);
    while (!this.#hasRoom && !this.#isGone) await new Promise<void>((resolve) => (this.#wake = resolve));
    this.#wake = null;
    clearTimeout(timer);
  }

  #settle(characters: number, replayBody: ReplayBody | null = null): Promise<unknown> {
    return (this.#settling ??= characters > 0 ? settleSpeech(this.speech, characters, replayBody) : Promise.resolve());
  }

  async #over(characters: number): Promise<boolean> {
    if (this.#isOver) return true;
    this.#isOver = true;
    this.#stopKeeping();
    try {
      await this.#settle(characters);
      return true;
    } catch (error) {
      this.parts.log.error({ err: error, requestId: this.speech.paid.call.requestId }, 'charging speech failed');
      return false;
    } finally {
      this.options.onOver();
      this.#sentences.abort();
      this.#bytes.return(undefined).catch(() => undefined);
      await this.speech.paid.release();
    }
  }
}
