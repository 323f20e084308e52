import type { Privacy } from '@/lib/protocol/api-keys/key-scope';
import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { InferenceConfig } from '../config/inference';
import type { HeldMemory } from '../http/held-memory/held-memory';
import type { LatencySeries } from '../telemetry/latency-histogram';
import type { Metrics } from '../telemetry/metrics';
import { ModelUpstream } from '../upstreams/models/model-upstream';
import { type ChatModel, type IsAttested, privacyOf } from './chat-model';
import { ModelCatalogue } from './model-catalogue';
import { ReplySchemas } from './reply-schema/reply-schemas';

/** Time for the work that follows an answer's last byte, such as checks and charges. */
const RETIRED_MARGIN_MS = 60_000;

interface ChatSurroundings {
  /** Histograms of stream speed; null if speed is not measured. */
  times: ChatTimes | null;
  /** Memory limit that long whole answers share; null for no limit. */
  memory: HeldMemory | null;
  isAttested: IsAttested;
}

/**
 * The gateway's chat service, with its upstreams, models and reply schemas.
 *
 * Serves chats in all forms: plain, translated from other APIs, native, and encrypted. The gateway checks a request
 * against one table of fields, limits the cost, and asks an upstream.
 *
 * Guarantees: A stream is charged before its end is sent. An interrupted stream is charged only for what was relayed.
 * Bytes from and to an attested model are unchanged. The gateway discards a prompt after the answer and never logs it.
 */
export class Chat {
  readonly models: ModelCatalogue;
  readonly replySchemas: ReplySchemas;
  readonly times: ChatTimes | null;
  readonly memory: HeldMemory | null;
  readonly upstreams: readonly ModelUpstream[];
  readonly #isAttested: IsAttested;

  constructor(
    readonly config: InferenceConfig,
    readonly log: Logger,
    { times, memory, isAttested }: ChatSurroundings,
  ) {
    this.times = times;
    this.memory = memory;
    this.#isAttested = isAttested;
    this.upstreams = config.upstreams.map((upstream) => new ModelUpstream(upstream, config, memory));
    this.replySchemas = new ReplySchemas(config);
    this.models = new ModelCatalogue(this.upstreams, config, log);
  }

  privacyOf(models: readonly ChatModel[], isEncrypted: boolean): Promise<Privacy | null> {
    return privacyOf(models, isEncrypted, this.#isAttested);
  }

  /** Closes this chat service after its running calls have ended. New calls use another `Chat`. */
  async retire(): Promise<void> {
    this.models.close();
    // During this time, running calls may still fail over to another upstream.
    await setTimeout(this.config.firstByteTimeoutMs + this.config.failoverTimeoutMs, undefined, { ref: false });
    await Promise.all(this.upstreams.map((upstream) => upstream.retire()));
    // During this time, the last answers may still be checked against their schemas.
    await setTimeout(RETIRED_MARGIN_MS, undefined, { ref: false });
    await this.replySchemas.close();
  }

  async close(): Promise<void> {
    this.models.close();
    await Promise.all([this.replySchemas.close(), ...this.upstreams.map((upstream) => upstream.close())]);
  }
}

export type ChatParts = Pick<Chat, 'config' | 'replySchemas' | 'log' | 'times'> & Partial<Pick<Chat, 'memory'>>;

const FIRST_EVENT_BOUNDS_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const TOKEN_BOUNDS_SECONDS = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1];

interface ChatTimes {
  /** Time from sending the upstream request to its first relayed event, in seconds. */
  firstEvent: LatencySeries;
  /** Seconds per token after the first event, averaged over each stream. */
  token: LatencySeries;
}

export function measureChats(metrics: Metrics): ChatTimes {
  return {
    firstEvent: metrics
      .histogram(
        'turnpike_chat_first_event_seconds',
        'Time from the request for a streamed chat to the first event.',
        FIRST_EVENT_BOUNDS_SECONDS,
      )
      .series(),
    token: metrics
      .histogram(
        'turnpike_chat_token_seconds',
        'Time per token of a streamed chat after its first event; one value for each stream.',
        TOKEN_BOUNDS_SECONDS,
      )
      .series(),
  };
}
