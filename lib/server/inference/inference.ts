import type { Logger } from 'pino';
import type { InferenceConfig } from '../config/inference';
import { ModelCatalogue } from './model-catalogue';
import { InferenceUpstream } from './upstream';

/** The chat side of a gateway: its upstreams and their models. */
export class Inference {
  readonly models: ModelCatalogue;
  readonly #upstreams: readonly InferenceUpstream[];

  constructor(config: InferenceConfig, log: Logger) {
    this.#upstreams = config.upstreams.map((upstream) => new InferenceUpstream(upstream, config));
    this.models = new ModelCatalogue(this.#upstreams, config, log);
  }

  async close(): Promise<void> {
    this.models.close();
    await Promise.all(this.#upstreams.map((upstream) => upstream.close()));
  }
}
