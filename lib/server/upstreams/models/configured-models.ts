import { ModelUpstream, type UpstreamTimeouts } from './model-upstream';
import type { InferenceUpstreamConfig } from '../../config/inference';
import type { HeldMemory } from '../../http/held-memory/held-memory';

interface ConfiguredModel {
  readonly name?: string | undefined;
  readonly upstream?: string | undefined;
  /** Id that the upstream uses for the model. Default: the gateway's id. */
  readonly upstreamModel?: string | undefined;
}

export type ServedModel<Settings extends ConfiguredModel> = Omit<Settings, keyof ConfiguredModel> & {
  id: string;
  name: string;
  upstreamModel: string;
  upstream: ModelUpstream;
};

/** Models that the operator configures, with their upstreams. Never reads the upstreams' model lists. */
export class ConfiguredModels<Settings extends ConfiguredModel> {
  readonly upstreams: readonly ModelUpstream[];

  constructor(
    private readonly config: UpstreamTimeouts & {
      readonly upstreams: readonly InferenceUpstreamConfig[];
      readonly models: ReadonlyMap<string, Settings>;
    },
    memory: HeldMemory | null,
  ) {
    this.upstreams = config.upstreams.map((upstream) => new ModelUpstream(upstream, config, memory));
  }

  /**
   * Lists the models that have an upstream. A model is `offline` if all its upstreams' circuit breakers refuse calls.
   */
  list(): { model: ServedModel<Settings>; offline: boolean }[] {
    const now = performance.now();
    return [...this.config.models.keys()].flatMap((id) => {
      const served = this.find(id);
      const [model] = served;
      return model ? [{ model, offline: served.every(({ upstream }) => !upstream.breaker.admits(now)) }] : [];
    });
  }

  /** Id of the first configured model. That model serves requests without a model. Empty if no model is configured. */
  get firstId(): string {
    const [first = ''] = this.config.models.keys();
    return first;
  }

  /** Returns one entry for each of the model's upstreams, in configured order. */
  find(id: string): ServedModel<Settings>[] {
    const settings = this.config.models.get(id);
    if (!settings) return [];
    const { name, upstream: only, upstreamModel, ...rest } = settings;
    return this.upstreams
      .filter((upstream) => only === undefined || upstream.name === only)
      .map((upstream) => ({ ...rest, id, name: name ?? id, upstreamModel: upstreamModel ?? id, upstream }));
  }

  async close(): Promise<void> {
    await Promise.all(this.upstreams.map((upstream) => upstream.close()));
  }
}
