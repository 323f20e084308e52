import type { Logger } from 'pino';
import type { SpeechConfig } from '../config/speech';
import type { HeldMemory } from '../http/held-memory/held-memory';
import { AudioEncoderPool } from './encoding/audio-encoder-pool';
import { JobSlots } from './encoding/job-slots';
import { SpeechCatalogue } from './speech-catalogue';
import { SpeechUpstream } from './upstream/speech-upstream';

/** After the start, when the stand-ins and the first pages have had the processor. */
const WARM_UP_AFTER_MS = 5_000;

/** The speaking side of a gateway: its upstreams and their models, and what encodes what they say. */
export class Speech {
  readonly models: SpeechCatalogue;
  readonly encoders: AudioEncoderPool;
  /** Of requests that speak at the same time. */
  readonly turns: JobSlots;
  readonly #upstreams: readonly SpeechUpstream[];
  readonly #warmUp: NodeJS.Timeout | undefined;

  constructor(
    readonly config: SpeechConfig,
    readonly log: Logger,
    /** Bounds what whole files take together; null for no bound. */
    readonly memory: HeldMemory | null = null,
  ) {
    const { concurrency, queueLength, encoderThreads } = config;
    this.#upstreams = config.upstreams.map((upstream) => new SpeechUpstream(upstream, config));
    this.models = new SpeechCatalogue(this.#upstreams, config, log);
    this.turns = new JobSlots(concurrency, queueLength);
    // Whoever has a turn finds an encoder: only one place has a queue.
    this.encoders = new AudioEncoderPool({ processes: encoderThreads, jobsMax: concurrency, queueMax: concurrency });
    if (this.#upstreams.length > 0)
      this.#warmUp = setTimeout(() => this.#warmUpEncoders(log), WARM_UP_AFTER_MS).unref();
  }

  #warmUpEncoders(log: Logger): void {
    this.encoders
      .warmUp()
      .catch((error: unknown) => log.warn({ err: error }, 'the audio encoders could not be started ahead'));
  }

  async close(): Promise<void> {
    clearTimeout(this.#warmUp);
    this.models.close();
    await Promise.all(this.#upstreams.map((upstream) => upstream.close()));
    await this.encoders.close();
  }
}

/** What speaking takes. */
export type SpeechParts = Pick<Speech, 'config' | 'log' | 'turns' | 'encoders'> & Partial<Pick<Speech, 'memory'>>;
