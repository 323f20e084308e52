import { CREATED_UNKNOWN, NO_CHAT_CAPABILITIES } from '@/lib/protocol/models/model-facts';
import { SPEECH_MODEL_IDS, type SpeechModelId } from '@/lib/protocol/speech/speech-models';
import { SPEECH_LIMITS } from '@/lib/protocol/speech/speech-request';
import type { Logger } from 'pino';
import type { SpeechConfig } from '../config/speech';
import { offeredModels, type OfferedSpeechModel } from './offered-model';
import type { SpeechUpstream } from './upstream/speech-upstream';

const LOOK_AGAIN_MS = 5_000;

interface Shelf {
  upstream: SpeechUpstream;
  /** Ids from the last model list; null if the upstream has none, undefined if it never answered. */
  listed: ReadonlySet<string> | null | undefined;
  offline: boolean;
  looking: Promise<void> | null;
}

/** Speech model. `offline` is true if none of the model's upstreams answered the last request for its model list. */
interface ListedSpeechModel {
  model: OfferedSpeechModel;
  offline: boolean;
}

/** Speech models that have an upstream. The upstreams' model lists are refreshed in the background. */
export class SpeechCatalogue {
  readonly #shelves: Shelf[];
  readonly #timer: NodeJS.Timeout;
  #looking: Promise<void>;
  #lookedAt = -Infinity;

  constructor(
    upstreams: readonly SpeechUpstream[],
    private readonly config: Pick<SpeechConfig, 'models' | 'modelsRefreshMs'>,
    private readonly log: Logger,
  ) {
    this.#shelves = upstreams.map((upstream) => ({ upstream, listed: undefined, offline: false, looking: null }));
    this.#looking = this.#look();
    this.#timer = setInterval(() => void this.#look(), config.modelsRefreshMs);
    this.#timer.unref();
  }

  /** Lists the offered models in the specification's order. */
  async list(): Promise<ListedSpeechModel[]> {
    await this.#looking;
    return SPEECH_MODEL_IDS.flatMap((id) => {
      const [model] = this.#find(id);
      return model
        ? [{ model, offline: this.#shelves.some(({ upstream, offline }) => upstream === model.upstream && offline) }]
        : [];
    });
  }

  /**
   * Returns one entry for each upstream with the model. Upstreams that answered the last request for their list
   * come first. One that never did is assumed to have it.
   */
  async find(id: SpeechModelId): Promise<OfferedSpeechModel[]> {
    if (!this.#isKnown(id)) {
      const isDue = performance.now() - this.#lookedAt > LOOK_AGAIN_MS;
      if (isDue && this.#shelves.some(isUnread)) this.#looking = this.#look();
      await this.#looking;
    }
    return this.#find(id);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #isKnown(id: SpeechModelId): boolean {
    return offeredModels(id, this.config.models.get(id), this.#shelves).length > 0;
  }

  #find(id: SpeechModelId): OfferedSpeechModel[] {
    const isLast = (shelf: Shelf): boolean => shelf.offline || isUnread(shelf);
    const shelves = [...this.#shelves.filter((shelf) => !isLast(shelf)), ...this.#shelves.filter(isLast)];
    return offeredModels(
      id,
      this.config.models.get(id),
      shelves.map(({ upstream, listed = null }) => ({ upstream, listed })),
    );
  }

  async #look(): Promise<void> {
    this.#lookedAt = performance.now();
    await Promise.all(
      this.#shelves.map((shelf) => (shelf.looking ??= this.#lookAt(shelf).finally(() => (shelf.looking = null)))),
    );
  }

  async #lookAt(shelf: Shelf): Promise<void> {
    const { name } = shelf.upstream;
    try {
      shelf.listed = await shelf.upstream.listModels();
      if (shelf.offline) this.log.info({ upstream: name }, 'speech upstream recovered: it returned its model list');
      shelf.offline = false;
    } catch (error) {
      if (!shelf.offline)
        this.log.warn({ upstream: name, err: error }, 'speech upstream did not return its model list');
      shelf.offline = true;
    }
  }
}

function isUnread({ listed }: Shelf): boolean {
  return listed === undefined;
}

/**
 * Formats a speech model for GET /models (specification, "Model capability flags"). The price is in USD per million
 * characters.
 */
export function speechModelEntry({ model, offline }: ListedSpeechModel) {
  const {
    id,
    name,
    voices,
    defaultVoice,
    languages,
    supportedFormats,
    defaultFormat,
    engine,
    priceNanoUsdPerMillion,
    upstream,
  } = model;
  const { supportsPromptParam, supportsTemperatureParam, supportsTopPParam, supportsCustomVoiceId } = model;
  const flags = {
    supportsPromptParam,
    supportsTemperatureParam,
    supportsTopPParam,
    supports_custom_voice_id: supportsCustomVoiceId,
  };
  const usd = priceNanoUsdPerMillion / 1e9;
  return {
    id,
    type: 'tts',
    object: 'model',
    created: CREATED_UNKNOWN,
    owned_by: upstream.name,
    model_spec: {
      name,
      // A text has at most one token per character.
      availableContextTokens: SPEECH_LIMITS.inputCharactersMax,
      supported_formats: supportedFormats,
      default_format: defaultFormat,
      voices,
      default_voice: defaultVoice,
      languages: languages.accepted,
      language_form: languages.form,
      // Clients look for these flags here or in `capabilities`, because the specification names no place.
      ...flags,
      capabilities: { ...NO_CHAT_CAPABILITIES, ...flags },
      pricing: { input: { usd, diem: usd } },
      engine,
      privacy: 'relayed',
      offline,
    },
  };
}
