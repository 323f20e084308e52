import { headersOf } from '@/lib/protocol/e2ee/encryption-headers';
import { NO_CHAT_CAPABILITIES } from '@/lib/protocol/models/model-facts';
import type { Logger } from 'pino';
import type { InferenceConfig } from '../config/inference';
import { modelEntriesOf, NO_LIST_STATUSES } from '../upstreams/models/model-list';
import type { ModelUpstream } from '../upstreams/models/model-upstream';
import { type ChatModel, chatModel, isKnownBlind, type ModelType } from './chat-model';

const LIST_BYTES_MAX = 8 * 1024 * 1024;
const LIST_TIMEOUT_MS = 10_000;
const MODELS_MAX = 5_000;
const LOOK_AGAIN_MS = 5_000;

const NO_MODELS: readonly ChatModel[] = [];

interface Shelf {
  upstream: ModelUpstream;
  models: ReadonlyMap<string, ChatModel>;
  looking: Promise<void> | null;
  /**
   * True if the upstream has no model list. Such an upstream is assumed to serve all configured models that no other
   * upstream lists.
   */
  isListless: boolean;
}

/** Model with the flag `offline`, which is true if all its upstreams are unavailable. */
export interface ListedModel {
  model: ChatModel;
  offline: boolean;
}

/** Chat models of all upstreams. The upstreams' lists are refreshed in the background. */
export class ModelCatalogue {
  readonly #shelves: Shelf[];
  readonly #timer: NodeJS.Timeout;
  #lookedAt = -Infinity;
  #first: Promise<void>;

  constructor(
    upstreams: readonly ModelUpstream[],
    private readonly config: Pick<InferenceConfig, 'models' | 'price' | 'modelsRefreshMs'>,
    private readonly log: Logger,
  ) {
    this.#shelves = upstreams.map((upstream) => ({ upstream, models: new Map(), looking: null, isListless: false }));
    this.#first = this.#look();
    this.#timer = setInterval(() => void this.#look(), config.modelsRefreshMs);
    this.#timer.unref();
  }

  /** Lists all models, one per id. If several upstreams list an id, the first upstream's entry is used. */
  async list(): Promise<ListedModel[]> {
    await this.#first;
    const ids = new Set(this.#shelves.flatMap(({ models }) => [...models.keys()]));
    const now = performance.now();
    return [...ids].sort().map((id) => {
      const model = this.#find(id) as ChatModel;
      return {
        model,
        offline: [model, ...this.othersOf(model)].every(
          ({ upstream }) => upstream.isUnlisted || !upstream.breaker.admits(now),
        ),
      };
    });
  }

  /**
   * Finds a model by id, even if its upstreams are unavailable; null if unknown. For an unknown id, refreshes the lists
   * first.
   */
  async find(id: string): Promise<ChatModel | null> {
    const known = this.#find(id);
    if (known) return known;
    await this.#first;
    if (performance.now() - this.#lookedAt > LOOK_AGAIN_MS) await this.#look();
    return this.#find(id);
  }

  /** Like `find`, but finds only models of this type. */
  async findOf(type: ModelType, id: string): Promise<ChatModel | null> {
    const model = await this.find(id);
    return model?.type === type ? model : null;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** Returns the model's entries at other upstreams that can replace `model`, in failover order. */
  othersOf(model: ChatModel): readonly ChatModel[] {
    if (this.#shelves.length === 1) return NO_MODELS;
    return this.#allOf(model.id).filter((other) => other.upstream !== model.upstream && canReplace(other, model));
  }

  /** Returns all models of the same upstream and type, because an encrypted request may be for any of these models. */
  besidesOf(model: ChatModel): readonly ChatModel[] {
    const shelf = this.#shelves.find(({ upstream }) => upstream === model.upstream);
    return shelf ? [...shelf.models.values()].filter(({ type }) => type === model.type) : [model];
  }

  #find(id: string): ChatModel | null {
    let unlisted: ChatModel | null = null;
    for (const { models, isListless } of this.#shelves) {
      const model = models.get(id);
      if (model && !isListless) return model;
      unlisted ??= model ?? null;
    }
    return unlisted;
  }

  #allOf(id: string): ChatModel[] {
    const listed = this.#shelves.filter(({ models, isListless }) => !isListless && models.has(id));
    return (listed.length > 0 ? listed : this.#shelves).flatMap(({ models }) => models.get(id) ?? []);
  }

  async #look(): Promise<void> {
    this.#lookedAt = performance.now();
    await Promise.all(
      this.#shelves.map((shelf) => (shelf.looking ??= this.#lookAt(shelf).finally(() => (shelf.looking = null)))),
    );
  }

  async #lookAt(shelf: Shelf): Promise<void> {
    try {
      const entries = await this.#read(shelf.upstream);
      if (shelf.upstream.isUnlisted)
        this.log.info({ upstream: shelf.upstream.name }, 'upstream recovered: it returned its model list');
      shelf.isListless = entries === null;
      shelf.models = this.#modelsOf(shelf.upstream, entries ?? [...this.config.models.keys()].map((id) => ({ id })));
      shelf.upstream.isUnlisted = false;
    } catch (error) {
      if (!shelf.upstream.isUnlisted)
        this.log.warn({ upstream: shelf.upstream.name, err: error }, 'upstream did not return its model list');
      shelf.upstream.isUnlisted = true;
    }
  }

  async #read(upstream: ModelUpstream): Promise<readonly unknown[] | null> {
    const { status, body } = await upstream.ask(
      { method: 'GET', path: '/models', timeoutMs: LIST_TIMEOUT_MS },
      LIST_BYTES_MAX,
    );
    if (NO_LIST_STATUSES.has(status) && this.config.models.size > 0) return null;
    if (status !== 200) throw new Error(`The upstream answered the request for its models with status ${status}.`);
    const entries = modelEntriesOf(JSON.parse(body.toString('utf8')));
    if (entries === null) throw new Error('The upstream returned a list of models in an unknown format.');
    return entries;
  }

  #modelsOf(upstream: ModelUpstream, entries: readonly unknown[]): ReadonlyMap<string, ChatModel> {
    const models = new Map<string, ChatModel>();
    for (const entry of entries.slice(0, MODELS_MAX)) {
      const model = chatModel(entry, upstream, this.config.models, this.config.price);
      if (model) models.set(model.id, model);
    }
    return models;
  }
}

/**
 * Returns whether `other`, at another upstream, may answer instead of the model. `other` must have the model's
 * capabilities. An attested model cannot be replaced, because only its enclave has the private key.
 */
function canReplace({ capabilities: other }: ChatModel, { capabilities }: ChatModel): boolean {
  if (capabilities.supportsTeeAttestation || other.supportsTeeAttestation) return false;
  if (capabilities.supportsVision && other.supportsVision === false) return false;
  return (['supportsResponseSchema', 'supportsFunctionCalling'] as const).every(
    (name) => other[name] || !capabilities[name],
  );
}

/**
 * Formats a model for GET /models (specification, "Model capability flags"). Prices are USD per million tokens.
 */
export function modelEntry({ model, offline }: ListedModel) {
  const { id, type, created, ownedBy, name, contextTokens, maxOutputTokens, capabilities, encryption, price } = model;
  const firstTokenMs = model.upstream.firstTokens.medianMs(id);
  const isBlind = isKnownBlind(model);
  const { cachedInputNanoUsdPerMillion: cached, cacheWriteNanoUsdPerMillion: written } = price;
  const usd = (nanoUsd: number) => ({ usd: nanoUsd / 1e9, diem: nanoUsd / 1e9 });
  return {
    id,
    type,
    object: 'model',
    created,
    owned_by: ownedBy,
    context_length: contextTokens,
    model_spec: {
      name,
      availableContextTokens: contextTokens,
      ...(type === 'text' && { maxCompletionTokens: maxOutputTokens }),
      capabilities:
        type === 'text'
          ? { ...capabilities, ...(isBlind && { supportsVision: false }), supportsWebSearch: false }
          : { ...NO_CHAT_CAPABILITIES, supportsTeeAttestation: capabilities.supportsTeeAttestation },
      pricing: {
        input: usd(price.inputNanoUsdPerMillion),
        ...(type === 'text' && { output: usd(price.outputNanoUsdPerMillion) }),
        ...(cached !== undefined && { cache_input: usd(cached) }),
        ...(written !== undefined && { cache_write: usd(written) }),
      },
      privacy: privacyOf(model),
      ...(firstTokenMs !== null && { latency: { firstTokenMs } }),
      ...(encryption !== null && { encryption, encryptionHeaders: headersOf(encryption) }),
      offline,
    },
  };
}

/**
 * Returns who can read a chat: only the enclave (`e2ee`, if encrypted), the enclave and the gateway (`tee`), or the
 * gateway and the model's operator (`relayed`).
 */
function privacyOf({ encryption, capabilities }: ListedModel['model']): 'e2ee' | 'tee' | 'relayed' {
  if (encryption !== null) return 'e2ee';
  return capabilities.supportsTeeAttestation ? 'tee' : 'relayed';
}
