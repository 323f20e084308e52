import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { InferenceConfig } from '../config/inference';
import type { HeldMemory } from '../http/held-memory/held-memory';
import { ModelUpstream } from '../upstreams/models/model-upstream';
import type { ChatTimes } from './chat-times';
import { ModelCatalogue } from './model-catalogue';
import { ReplySchemas } from './reply-schema/reply-schemas';

/** Time for work that follows the last byte of an answer. */
const RETIRED_MARGIN_MS = 60_000;

/**
 * Chats of the gateway: upstreams, models and reply schemas.
 *
 * The folder `chat` serves chats in all forms: plain, translated from other APIs, native, and encrypted. The gateway
 * checks a request against one table of fields, limits its cost, and sends it to an upstream. Failover is possible
 * until an answer begins. The answer is relayed as it arrives.
 *
 * Guarantees: usage is charged before the end of a stream goes out. An interrupted stream is charged only for what was
 * relayed. The bytes of an attested model are unchanged. The gateway discards a prompt once it is answered, logs no
 * prompt, and cannot read an encrypted body.
 */
export class Chat {
  readonly models: ModelCatalogue;
  readonly replySchemas: ReplySchemas;
  readonly #upstreams: readonly ModelUpstream[];

  constructor(
    readonly config: InferenceConfig,
    readonly log: Logger,
    /** Histograms of stream speed; null to measure nothing. */
    readonly times: ChatTimes | null = null,
    /** Memory shared by long whole answers; null for no limit. */
    readonly memory: HeldMemory | null = null,
  ) {
    this.#upstreams = config.upstreams.map((upstream) => new ModelUpstream(upstream, config, memory));
    this.replySchemas = new ReplySchemas(config);
    this.models = new ModelCatalogue(this.#upstreams, config, log);
  }

  /** Finishes running calls, then closes. New calls go to the `Chat` that replaces this one. */
  async retire(): Promise<void> {
    this.models.close();
    // Waits, because running calls may still fail over.
    await setTimeout(this.config.firstByteTimeoutMs + this.config.failoverTimeoutMs, undefined, { ref: false });
    await Promise.all(this.#upstreams.map((upstream) => upstream.retire()));
    // Waits further, because the last answers are still checked against their schemas.
    await setTimeout(RETIRED_MARGIN_MS, undefined, { ref: false });
    await this.replySchemas.close();
  }

  async close(): Promise<void> {
    this.models.close();
    await Promise.all([this.replySchemas.close(), ...this.#upstreams.map((upstream) => upstream.close())]);
  }
}

export type ChatParts = Pick<Chat, 'config' | 'replySchemas' | 'log' | 'times'> & Partial<Pick<Chat, 'memory'>>;
