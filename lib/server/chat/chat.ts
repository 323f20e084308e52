import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { InferenceConfig } from '../config/inference';
import type { HeldMemory } from '../http/held-memory/held-memory';
import { ModelUpstream } from '../upstreams/models/model-upstream';
import type { ChatTimes } from './chat-times';
import { ModelCatalogue } from './model-catalogue';
import { ReplySchemas } from './reply-schema/reply-schemas';

/** For what is done with an answer after its last byte. */
const RETIRED_MARGIN_MS = 60_000;

/** The chat side of a gateway: its upstreams and their models, and what holds replies to their schemas. */
export class Chat {
  readonly models: ModelCatalogue;
  readonly replySchemas: ReplySchemas;
  readonly #upstreams: readonly ModelUpstream[];

  constructor(
    readonly config: InferenceConfig,
    readonly log: Logger,
    /** Where it is measured how fast streams are; nowhere where null. */
    readonly times: ChatTimes | null = null,
    /** Bounds what long whole answers take together; null for no bound. */
    readonly memory: HeldMemory | null = null,
  ) {
    this.#upstreams = config.upstreams.map((upstream) => new ModelUpstream(upstream, config, memory));
    this.replySchemas = new ReplySchemas(config);
    this.models = new ModelCatalogue(this.#upstreams, config, log);
  }

  /** Serves what is under way to its end, and is closed then; new calls are another's. */
  async retire(): Promise<void> {
    this.models.close();
    // Whoever is under way may still turn to another upstream.
    await setTimeout(this.config.firstByteTimeoutMs + this.config.failoverTimeoutMs, undefined, { ref: false });
    await Promise.all(this.#upstreams.map((upstream) => upstream.retire()));
    // What came last is still held to its schema.
    await setTimeout(RETIRED_MARGIN_MS, undefined, { ref: false });
    await this.replySchemas.close();
  }

  async close(): Promise<void> {
    this.models.close();
    await Promise.all([this.replySchemas.close(), ...this.#upstreams.map((upstream) => upstream.close())]);
  }
}

/** What answering a chat takes. */
export type ChatParts = Pick<Chat, 'config' | 'replySchemas' | 'log' | 'times'> & Partial<Pick<Chat, 'memory'>>;
