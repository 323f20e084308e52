import { type ErrorCode, isApiError } from '@/lib/protocol/errors';
import type { AudioFormat } from '@/lib/protocol/speech/audio-format';
import { untilEnded } from '../http/request-record';
import { Failover, isSilence } from '../upstreams/models/failover';
import type { UpstreamFailed } from '../upstreams/models/upstream-failure';
import type { OfferedSpeechModel } from './offered-model';
import type { PaidSpeech } from './paid-speech';
import { speechUpstreamRequest } from './upstream-request';
import type { SpeechParts } from './speech';
import type { UpstreamAudio } from './upstream/upstream-audio';

/** What an upstream's answer becomes that another may give better: overloaded, failing, silent, or no audio. */
const MAY_BE_BETTERED: ReadonlySet<ErrorCode> = new Set([
  'MODEL_BUSY',
  'MODEL_UNAVAILABLE',
  'MODEL_TIMEOUT',
  'MODEL_ANSWER_INVALID',
]);

/**
 * The upstreams that have the model of a request, asked in turn as those of a chat are: those first that seem well; the
 * next one where one cannot be reached, takes too long, is overloaded, fails or sends no audio, before anything of it was
 * passed on; never after another refusal.
 */
export class SpeakingModels {
  readonly #models: Failover<OfferedSpeechModel>;

  constructor(
    private readonly speech: PaidSpeech,
    private readonly parts: Pick<SpeechParts, 'config' | 'log'>,
  ) {
    this.#models = new Failover([speech.model, ...speech.others], parts.config, parts.log);
  }

  /** The one whose turn it is. */
  get current(): OfferedSpeechModel {
    return this.#models.current;
  }

  /** Asks it to say a text: in the form in which it is to be encoded here, unless another is given. */
  speak(text: string, format: AudioFormat = this.current.upstream.rawFormat): UpstreamAudio {
    this.#models.begin();
    const { upstream } = this.current;
    const attempt = this.speech.paid.call.record.asks(upstream);
    const audio = upstream.speak(
      speechUpstreamRequest({ ...this.speech, model: this.current }, text, format),
      this.#models.timeoutMs,
      attempt?.traceparent,
    );
    // Whoever reads the audio hears of its failure too.
    if (attempt) untilEnded(audio.head, attempt).catch(() => undefined);
    return audio;
  }

  /** Something of its audio came: it is not passed over any more. */
  worked(): void {
    this.#models.worked();
  }

  /** What it was asked failed. */
  failed(error: unknown): void {
    if (!isUpstreamsFault(error)) return this.#models.abandoned();
    // Its sentence may quote the text.
    this.parts.log.warn(
      {
        requestId: this.speech.paid.call.requestId,
        upstream: this.current.upstream.name,
        reason: isApiError(error) ? error.code : (error as UpstreamFailed).reason,
      },
      'an upstream did not speak',
    );
    this.#models.failed();
  }

  /** Passes the turn on, where that may help. @returns whether there is another to ask: not once something was heard, since another voice would go on in the middle. */
  next(error: unknown): boolean {
    return mayBeBettered(error) && this.#models.next();
  }
}

function mayBeBettered(error: unknown): boolean {
  return isSilence(error) || (isApiError(error) && MAY_BE_BETTERED.has(error.code));
}

function isUpstreamsFault(error: unknown): boolean {
  return mayBeBettered(error) || (isApiError(error) && error.code === 'MODEL_MISCONFIGURED');
}
