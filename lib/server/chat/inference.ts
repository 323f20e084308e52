import type { Logger } from 'pino';
import { Endorsements } from '../attestation/endorsements';
import type { InferenceConfig } from '../config/inference';
import { ModelCatalogue } from './model-catalogue';
import { ReplySchemas } from './reply-schema/reply-schemas';
import { InferenceUpstream } from '../upstreams/models/model-upstream';

/** The chat side of a gateway: its upstreams, their models, and what others say of the enclaves among them. */
export class Inference {
  readonly models: ModelCatalogue;
  readonly endorsements: Endorsements;
  readonly replySchemas: ReplySchemas;
  readonly #upstreams: readonly InferenceUpstream[];

  constructor(config: InferenceConfig, log: Logger) {
    this.#upstreams = config.upstreams.map((upstream) => new InferenceUpstream(upstream, config));
    this.endorsements = new Endorsements({ services: config.attestationServices, policy: config.attestation, log });
    this.replySchemas = new ReplySchemas(config);
    this.models = new ModelCatalogue(this.#upstreams, config, log);
  }

  async close(): Promise<void> {
    this.models.close();
    await Promise.all([this.replySchemas.close(), ...this.#upstreams.map((upstream) => upstream.close())]);
  }
}
