import { type ErrorCode, isApiError } from '@/lib/protocol/errors';
import type { AudioFormat } from '@/lib/protocol/speech/audio-format';
import { UpstreamFailed } from '../upstreams/models/upstream-failure';
import type { OfferedSpeechModel } from './offered-model';
import type { PaidSpeech } from './paid-speech';
import { speechUpstreamRequest } from './upstream-request';
import type { SpeechParts } from './speech';
import type { UpstreamAudio } from './upstream/upstream-audio';

/** With less left of the time, no further upstream is asked. */
const ATTEMPT_MS_MIN = 50;
/** What an upstream's answer becomes that another may give better: overloaded, failing, silent, or no audio. */
const MAY_BE_BETTERED: ReadonlySet<ErrorCode> = new Set(['MODEL_BUSY', 'MODEL_UNAVAILABLE', 'MODEL_TIMEOUT', 'MODEL_ANSWER_INVALID']);

/**
 * The upstreams that have the model of a request, asked in turn as those of a chat are: those first that seem well; the
 * next one where one cannot be reached, takes too long, is overloaded, fails or sends no audio, before anything of it was
 * passed on; never after another refusal. Enters into the upstreams' records how it went.
 */
export class SpeakingModels {
  readonly #models: readonly OfferedSpeechModel[];
  readonly #startedAt = performance.now();
  #at = 0;
  #hasWorked = false;

  constructor(
    private readonly speech: PaidSpeech,
    private readonly parts: Pick<SpeechParts, 'config' | 'log'>,
  ) {
    this.#models = inOrder([speech.model, ...speech.others], this.#startedAt);
  }

  /** The one whose turn it is. */
  get current(): OfferedSpeechModel {
    return this.#models[this.#at] as OfferedSpeechModel;
  }

  /** Asks it to say a text: in the form in which it is to be encoded here, unless another is given. */
  speak(text: string, format: AudioFormat = this.current.upstream.rawFormat): UpstreamAudio {
    const { upstream } = this.current;
    if (!this.#hasWorked && upstream.breaker.admits(performance.now())) upstream.breaker.begin();
    return upstream.speak(speechUpstreamRequest({ ...this.speech, model: this.current }, text, format), this.#timeoutMs);
  }

  /** Something of its audio came: it is not passed over any more. */
  worked(): void {
    if (this.#hasWorked) return;
    this.#hasWorked = true;
    this.current.upstream.breaker.succeeded();
  }

  /** What it was asked failed. */
  failed(error: unknown): void {
    const { name, breaker } = this.current.upstream;
    if (!isUpstreamsFault(error)) return breaker.abandoned(performance.now());
    const { log } = this.parts;
    // Its sentence may quote the text.
    log.warn({ requestId: this.speech.paid.call.requestId, upstream: name, reason: isApiError(error) ? error.code : (error as UpstreamFailed).reason }, 'an upstream did not speak');
    if (breaker.failed(performance.now())) log.warn({ upstream: name }, 'a speech upstream keeps failing: where another has its models, that one is asked first');
  }

  /** Passes the turn on, where that may help. @returns whether there is another to ask. */
  next(error: unknown): boolean {
    const isLast = this.#at === this.#models.length - 1;
    // Once something was heard, another voice would go on in the middle.
    if (this.#hasWorked || isLast || this.#leftMs < ATTEMPT_MS_MIN || !mayBeBettered(error)) return false;
    this.#at++;
    return true;
  }

  get #leftMs(): number {
    return this.parts.config.failoverTimeoutMs - (performance.now() - this.#startedAt);
  }

  /** How long it may take until its answer begins. */
  get #timeoutMs(): number {
    const { firstByteTimeoutMs } = this.parts.config;
    return this.#at === 0 || this.#hasWorked ? firstByteTimeoutMs : Math.max(1, Math.min(firstByteTimeoutMs, Math.ceil(this.#leftMs)));
  }
}

/** The others are the last resort. */
function inOrder(models: readonly OfferedSpeechModel[], now: number): readonly OfferedSpeechModel[] {
  const isWell = ({ upstream }: OfferedSpeechModel): boolean => upstream.breaker.admits(now);
  return [...models.filter(isWell), ...models.filter((model) => !isWell(model))];
}

function mayBeBettered(error: unknown): boolean {
  if (error instanceof UpstreamFailed) return error.reason === 'away' || error.reason === 'timeout';
  return isApiError(error) && MAY_BE_BETTERED.has(error.code);
}

function isUpstreamsFault(error: unknown): boolean {
  return mayBeBettered(error) || (isApiError(error) && error.code === 'MODEL_MISCONFIGURED');
}
