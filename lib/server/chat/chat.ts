import type { Logger } from 'pino';
import type { InferenceConfig } from '../config/inference';
import { ModelUpstream } from '../upstreams/models/model-upstream';
import { ModelCatalogue } from './model-catalogue';
import { ReplySchemas } from './reply-schema/reply-schemas';

/** The chat side of a gateway: its upstreams and their models, and what holds replies to their schemas. */
export class Chat {
  readonly models: ModelCatalogue;
  readonly replySchemas: ReplySchemas;
  readonly #upstreams: readonly ModelUpstream[];

  constructor(
    readonly config: InferenceConfig,
    readonly log: Logger,
  ) {
    this.#upstreams = config.upstreams.map((upstream) => new ModelUpstream(upstream, config));
    this.replySchemas = new ReplySchemas(config);
    this.models = new ModelCatalogue(this.#upstreams, config, log);
  }

  async close(): Promise<void> {
    this.models.close();
    await Promise.all([this.replySchemas.close(), ...this.#upstreams.map((upstream) => upstream.close())]);
  }
}

/** What answering a chat takes. */
export type ChatParts = Pick<Chat, 'config' | 'replySchemas' | 'log'>;
