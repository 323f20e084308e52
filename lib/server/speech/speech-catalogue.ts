import type { Logger } from 'pino';
import { SPEECH_MODEL_IDS, type SpeechModelId } from '@/lib/protocol/speech/speech-models';
import type { SpeechConfig } from '../config/speech';
import { type OfferedSpeechModel, offeredModels } from './offered-model';
import type { SpeechUpstream } from './upstream/speech-upstream';

interface Shelf {
  upstream: SpeechUpstream;
  /** What it listed when it last answered; null for an upstream without a list, or that never answered. */
  listed: ReadonlySet<string> | null;
  /** Whether the last look failed. */
  offline: boolean;
  looking: Promise<void> | null;
}

/** A speech model, and whether no upstream that has it answered when they were last looked at. */
export interface ListedSpeechModel {
  model: OfferedSpeechModel;
  offline: boolean;
}

/**
 * The speech models that an upstream has. One that no upstream has is not offered; one whose upstreams are all away is, marked
 * offline. Upstreams are looked at again in the background.
 */
export class SpeechCatalogue {
  readonly #shelves: Shelf[];
  readonly #timer: NodeJS.Timeout;
  readonly #first: Promise<void>;

  constructor(
    upstreams: readonly SpeechUpstream[],
    private readonly config: Pick<SpeechConfig, 'models' | 'modelsRefreshMs'>,
    private readonly log: Logger,
  ) {
    this.#shelves = upstreams.map((upstream) => ({ upstream, listed: null, offline: false, looking: null }));
    this.#first = this.#look();
    this.#timer = setInterval(() => void this.#look(), config.modelsRefreshMs);
    this.#timer.unref();
  }

  /** All that are offered, in the order of the specification. */
  async list(): Promise<ListedSpeechModel[]> {
    await this.#first;
    return SPEECH_MODEL_IDS.flatMap((id) => {
      const [model] = this.#find(id);
      return model
        ? [{ model, offline: this.#shelves.some(({ upstream, offline }) => upstream === model.upstream && offline) }]
        : [];
    });
  }

  /** The model with this id at each upstream that has it: those first that answered when they were last looked at, then those that are away. */
  async find(id: SpeechModelId): Promise<OfferedSpeechModel[]> {
    const known = this.#find(id);
    if (known.length > 0) return known;
    await this.#first;
    return this.#find(id);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #find(id: SpeechModelId): OfferedSpeechModel[] {
    const shelves = [
      ...this.#shelves.filter(({ offline }) => !offline),
      ...this.#shelves.filter(({ offline }) => offline),
    ];
    return offeredModels(id, this.config.models.get(id), shelves);
  }

  async #look(): Promise<void> {
    await Promise.all(
      this.#shelves.map((shelf) => (shelf.looking ??= this.#lookAt(shelf).finally(() => (shelf.looking = null)))),
    );
  }

  async #lookAt(shelf: Shelf): Promise<void> {
    const { name } = shelf.upstream;
    try {
      shelf.listed = await shelf.upstream.listModels();
      if (shelf.offline) this.log.info({ upstream: name }, 'a speech upstream is back');
      shelf.offline = false;
    } catch (error) {
      if (!shelf.offline) this.log.warn({ upstream: name, err: error }, 'a speech upstream does not tell its models');
      shelf.offline = true;
    }
  }
}
