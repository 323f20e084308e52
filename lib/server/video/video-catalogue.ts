import type { Logger } from 'pino';
import type { VideoConfig } from '../config/video';
import type { VideoUpstream } from './upstream';
import { listedModel, type VideoModel, videoModel } from './video-model';

const LOOK_AGAIN_MS = 2_000;
const MODELS_MAX = 1_000;

interface Shelf {
  upstream: VideoUpstream;
  models: ReadonlyMap<string, VideoModel>;
  isRead: boolean;
  offline: boolean;
}

/** Video models of all upstreams, from their lists and the configuration. The lists are refreshed in the background. */
export class VideoCatalogue {
  readonly #shelves: Shelf[];
  readonly #timer: NodeJS.Timeout;
  #lookedAt = -Infinity;
  #looking: Promise<void> | null = null;

  constructor(
    upstreams: readonly VideoUpstream[],
    private readonly config: Pick<VideoConfig, 'models' | 'pricePerSecondNanoUsd' | 'modelsRefreshMs'>,
    private readonly log: Logger,
  ) {
    this.#shelves = upstreams.map((upstream, index) => ({
      upstream,
      models: this.#named(upstream, index === 0),
      isRead: false,
      offline: false,
    }));
    this.#timer = setInterval(() => void this.#look(), config.modelsRefreshMs);
    this.#timer.unref();
    void this.#look();
  }

  /** Returns all models, sorted by id. If several upstreams have a model, the first upstream's entry is used. */
  async list(): Promise<{ model: VideoModel; offline: boolean }[]> {
    await this.#lookIfDue();
    const listed = new Map<string, { model: VideoModel; offline: boolean }>();
    for (const { models, offline } of this.#shelves)
      for (const [id, model] of models) if (!listed.has(id)) listed.set(id, { model, offline });
    return [...listed.values()].sort((one, other) => (one.model.id < other.model.id ? -1 : 1));
  }

  /** Returns the model with this id, even if its upstream is unavailable; null if the model is unknown. */
  async find(id: string): Promise<VideoModel | null> {
    if (!this.#hasKnownOptions(id)) await this.#lookIfDue();
    return this.#find(id);
  }

  upstream(name: string): VideoUpstream | null {
    return this.#shelves.find(({ upstream }) => upstream.name === name)?.upstream ?? null;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #hasKnownOptions(id: string): boolean {
    const { durations, aspectRatios, resolutions } = this.config.models.get(id) ?? {};
    return (
      (durations && aspectRatios && resolutions) !== undefined ||
      this.#shelves.find(({ models }) => models.has(id))?.isRead === true
    );
  }

  #find(id: string): VideoModel | null {
    for (const { models } of this.#shelves) {
      const model = models.get(id);
      if (model) return model;
    }
    return null;
  }

  async #lookIfDue(): Promise<void> {
    if (this.#looking) await this.#looking;
    else if (this.#shelves.some(({ offline }) => offline) && performance.now() - this.#lookedAt > LOOK_AGAIN_MS)
      await this.#look();
  }

  #look(): Promise<void> {
    this.#lookedAt = performance.now();
    this.#looking ??= Promise.all(this.#shelves.map((shelf, index) => this.#lookAt(shelf, index === 0)))
      .then(() => undefined)
      .finally(() => (this.#looking = null));
    return this.#looking;
  }

  async #lookAt(shelf: Shelf, isFirst: boolean): Promise<void> {
    const { upstream } = shelf;
    try {
      const models = new Map(this.#named(upstream, isFirst));
      for (const entry of (await upstream.models()).slice(0, MODELS_MAX)) {
        const listed = listedModel(entry);
        if (listed) models.set(listed.id, videoModel(listed, this.config.models.get(listed.id), upstream, this.config));
      }
      if (shelf.offline)
        this.log.info({ upstream: upstream.name }, 'video upstream recovered: it returned its model list');
      shelf.models = models;
      shelf.isRead = true;
      shelf.offline = false;
    } catch (error) {
      if (!shelf.offline)
        this.log.warn({ upstream: upstream.name, err: error }, 'video upstream did not return its model list');
      shelf.offline = true;
    }
  }

  /** Returns the models that the configuration assigns to an upstream, even if the upstream does not list them. */
  #named(upstream: VideoUpstream, isFirst: boolean): ReadonlyMap<string, VideoModel> {
    const named = [...this.config.models].filter(([, { upstream: name }]) =>
      name === undefined ? isFirst : name === upstream.name,
    );
    return new Map(
      named.map(([id, own]) => [
        id,
        videoModel({ id, created: undefined, owned_by: undefined, model_spec: undefined }, own, upstream, this.config),
      ]),
    );
  }
}
