import { isApiError } from '@/lib/protocol/errors';
import type { AudioFormat } from '@/lib/protocol/speech/audio-format';
import { acceptedLanguage } from '@/lib/protocol/speech/speech-languages';
import type { UpstreamFailed } from '../upstreams/models/upstream-error';
import { untilEnded } from '../http/request-record';
import { Failover, isUpstreamsFault, mayBeBettered } from '../upstreams/models/failover';
import type { OfferedSpeechModel } from './offered-model';
import type { CheckedSpeech, PaidSpeech } from './paid-speech';
import type { SpeechParts } from './speech';
import type { SpeechUpstreamRequest } from './upstream/speech-upstream';
import type { UpstreamAudio } from './upstream/upstream-audio';

function speechUpstreamRequest(
  { request, model, voice }: CheckedSpeech,
  input: string,
  format: AudioFormat,
): SpeechUpstreamRequest {
  const { speed, language, prompt, temperature, top_p: topP } = request;
  const spoken = language == null ? null : acceptedLanguage(model.languages, language);
  return {
    model: model.upstreamModel,
    input,
    voice,
    response_format: format,
    ...(speed != null && speed !== 1 ? { speed } : {}),
    ...(spoken !== null ? { language: spoken } : {}),
    ...(prompt && model.supportsPromptParam ? { instructions: prompt } : {}),
    ...(temperature != null && model.supportsTemperatureParam ? { temperature } : {}),
    ...(topP != null && model.supportsTopPParam ? { top_p: topP } : {}),
  };
}

/**
 * Upstreams of a model, healthy ones first. Until audio is relayed, fails over if an upstream is unreachable, slow,
 * overloaded or failing, or answers without audio. Any other failure is final.
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

  /** Requests speech. The default format is the one from which the gateway encodes all other formats. */
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

  /** Records that audio arrived. This closes the upstream's circuit breaker. */
  worked(): void {
    this.#models.worked();
  }

  failed(error: unknown): void {
    if (!isUpstreamsFault(error)) return this.#models.abandoned();
    // The error message is not logged, because it may quote the text.
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
   * Selects the next upstream if it may succeed where this one failed. Selects none once audio has been relayed,
   * because the voice would change.
   * @returns whether an upstream was selected
   */
  next(error: unknown): boolean {
    return mayBeBettered(error) && this.#models.next();
  }
}
