import type { Logger } from 'pino';
import type { SpeechConfig } from '../config/speech';
import type { HeldMemory } from '../http/held-memory/held-memory';
import { RequestSlots } from '../upstreams/request-slots';
import { AudioEncoderPool } from './encoding/audio-encoder-pool';
import { SpeechCatalogue } from './speech-catalogue';
import { SpeechUpstream } from './upstream/speech-upstream';

/** Delay of the encoders' warm-up after the start. Simulators and the first pages get the processor first. */
const WARM_UP_AFTER_MS = 5_000;

/**
 * The gateway's speech service, with its upstreams, models and audio encoders.
 *
 * For a stream, the code in `speech` splits the text into sentences and requests them one by one. It encodes audio in
 * processes of lower priority, stores audio only for repeated payments, and charges per character. If the client
 * disconnects, the requested text is charged.
 */
export class Speech {
  readonly models: SpeechCatalogue;
  readonly encoders: AudioEncoderPool;
  readonly turns: RequestSlots;
  readonly #upstreams: readonly SpeechUpstream[];
  readonly #warmUp: NodeJS.Timeout | undefined;

  constructor(
    readonly config: SpeechConfig,
    readonly log: Logger,
    /** Memory limit that whole files share; null for no limit. */
    readonly memory: HeldMemory | null = null,
  ) {
    const { concurrency, queueLength, encoderThreads } = config;
    this.#upstreams = config.upstreams.map((upstream) => new SpeechUpstream(upstream, config));
    this.models = new SpeechCatalogue(this.#upstreams, config, log);
    this.turns = new RequestSlots(concurrency, queueLength);
    // A job with a slot never waits for an encoder, because the pool has as many slots as `turns`.
    this.encoders = new AudioEncoderPool({ processes: encoderThreads, jobsMax: concurrency, queueMax: concurrency });
    if (this.#upstreams.length > 0)
      this.#warmUp = setTimeout(() => this.#warmUpEncoders(log), WARM_UP_AFTER_MS).unref();
  }

  #warmUpEncoders(log: Logger): void {
    this.encoders.warmUp().catch((error: unknown) => log.warn({ err: error }, 'starting the audio encoders failed'));
  }

  async close(): Promise<void> {
    clearTimeout(this.#warmUp);
    this.models.close();
    await Promise.all(this.#upstreams.map((upstream) => upstream.close()));
    await this.encoders.close();
  }
}

export type SpeechParts = Pick<Speech, 'config' | 'log' | 'turns' | 'encoders'> & Partial<Pick<Speech, 'memory'>>;
