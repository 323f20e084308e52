import type { Logger } from 'pino';
import type { InferenceConfig } from '../config/inference';
import { type ChatModel, chatModel } from './chat-model';
import type { InferenceUpstream } from './upstream';

const LIST_BYTES_MAX = 8 * 1024 * 1024;
const LIST_TIMEOUT_MS = 10_000;
const MODELS_MAX = 5_000;
/** A model that is not known is looked for anew, this often at most. */
const LOOK_AGAIN_MS = 5_000;

interface Shelf {
  upstream: InferenceUpstream;
  models: ReadonlyMap<string, ChatModel>;
  /** Whether the last look failed. What was there is kept. */
  offline: boolean;
  looking: Promise<void> | null;
}

/** A model, and whether its upstream did not answer when it was last looked at. */
export interface ListedModel {
  model: ChatModel;
  offline: boolean;
}

/** The chat models of all upstreams, by what these say of themselves. Looked at again in the background. */
export class ModelCatalogue {
  readonly #shelves: Shelf[];
  readonly #timer: NodeJS.Timeout;
  #lookedAt = -Infinity;
  #first: Promise<void>;

  constructor(
    upstreams: readonly InferenceUpstream[],
    private readonly config: Pick<InferenceConfig, 'models' | 'price' | 'modelsRefreshMs'>,
    private readonly log: Logger,
  ) {
    this.#shelves = upstreams.map((upstream) => ({ upstream, models: new Map(), offline: false, looking: null }));
    this.#first = this.#look();
    this.#timer = setInterval(() => void this.#look(), config.modelsRefreshMs);
    this.#timer.unref();
  }

  /** All models, sorted by id; of those that several upstreams have, the first's. */
  async list(): Promise<ListedModel[]> {
    await this.#first;
    const listed = new Map<string, ListedModel>();
    for (const { models, offline } of this.#shelves) {
      for (const [id, model] of models) if (!listed.has(id)) listed.set(id, { model, offline });
    }
    return [...listed.values()].sort((one, other) => (one.model.id < other.model.id ? -1 : 1));
  }

  /** The model with this id, also while its upstream is away; one that is new is found too. Null where there is none. */
  async find(id: string): Promise<ChatModel | null> {
    const known = this.#find(id);
    if (known) return known;
    await this.#first;
    if (performance.now() - this.#lookedAt > LOOK_AGAIN_MS) await this.#look();
    return this.#find(id);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #find(id: string): ChatModel | null {
    for (const { models } of this.#shelves) {
      const model = models.get(id);
      if (model) return model;
    }
    return null;
  }

  async #look(): Promise<void> {
    this.#lookedAt = performance.now();
    await Promise.all(this.#shelves.map((shelf) => (shelf.looking ??= this.#lookAt(shelf).finally(() => (shelf.looking = null)))));
  }

  async #lookAt(shelf: Shelf): Promise<void> {
    try {
      const models = await this.#read(shelf.upstream);
      if (shelf.offline) this.log.info({ upstream: shelf.upstream.name }, 'the models of an upstream are back');
      shelf.models = models;
      shelf.offline = false;
    } catch (error) {
      if (!shelf.offline) this.log.warn({ upstream: shelf.upstream.name, err: error }, 'the models of an upstream could not be listed');
      shelf.offline = true;
    }
  }

  async #read(upstream: InferenceUpstream): Promise<ReadonlyMap<string, ChatModel>> {
    const { status, body } = await upstream.ask({ method: 'GET', path: '/models', timeoutMs: LIST_TIMEOUT_MS }, LIST_BYTES_MAX);
    if (status !== 200) throw new Error(`The upstream answered its list of models with status ${status}.`);
    const { data } = JSON.parse(body.toString('utf8')) as { data?: unknown };
    if (!Array.isArray(data)) throw new Error('The upstream has a list of models in a form that is not known.');
    const models = new Map<string, ChatModel>();
    for (const entry of data.slice(0, MODELS_MAX)) {
      const model = chatModel(entry, upstream, this.config.models, this.config.price);
      if (model) models.set(model.id, model);
    }
    return models;
  }
}
