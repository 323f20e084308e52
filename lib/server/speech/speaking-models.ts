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

/** Errors after which another upstream may succeed. */
const MAY_BE_BETTERED: ReadonlySet<ErrorCode> = new Set([
  'MODEL_BUSY',
  'MODEL_UNAVAILABLE',
  'MODEL_TIMEOUT',
  'MODEL_ANSWER_INVALID',
]);

/**
 * Upstreams of a model, healthy ones first. Before any audio is relayed, fails over from an upstream that is
 * unreachable, slow, overloaded or failing, or that sends no audio. Never fails over after any other refusal.
 */
export class SpeakingModels {
  readonly #models: Failover<OfferedSpeechModel>;

  constructor(
    private readonly speech: PaidSpeech,
    private readonly parts: Pick<SpeechParts, 'config' | 'log'>,
  ) {
    this.#models = new Failover([speech.model, ...speech.others], parts.config, parts.log);
  }

  get current(): OfferedSpeechModel {
    return this.#models.current;
  }

  /** Requests speech. The default format is the one that the gateway encodes itself. */
  speak(text: string, format: AudioFormat = this.current.upstream.rawFormat): UpstreamAudio {
    this.#models.begin();
    const { upstream } = this.current;
    const attempt = this.speech.paid.call.record.asks(upstream);
    const audio = upstream.speak(
      speechUpstreamRequest({ ...this.speech, model: this.current }, text, format),
      this.#models.timeoutMs,
      attempt?.traceparent,
    );
    // Prevents an unhandled rejection. The reader of the audio gets the same error.
    if (attempt) untilEnded(audio.head, attempt).catch(() => undefined);
    return audio;
  }

  /** Records that audio arrived, so that the upstream's circuit breaker closes. */
  worked(): void {
    this.#models.worked();
  }

  failed(error: unknown): void {
    if (!isUpstreamsFault(error)) return this.#models.abandoned();
    // The error message is not logged because it may quote the text.
    this.parts.log.warn(
      {
        requestId: this.speech.paid.call.requestId,
        upstream: this.current.upstream.name,
        reason: isApiError(error) ? error.code : (error as UpstreamFailed).reason,
      },
      'speech upstream failed',
    );
    this.#models.failed();
  }

  /**
   * Selects the next upstream if it may succeed. Selects none after audio was relayed, because the voice would change.
   *
   * @returns whether there is another upstream to ask
   */
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
