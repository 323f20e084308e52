import { type Dispatcher, Pool } from 'undici';
import type { InferenceConfig, InferenceUpstreamConfig, UpstreamEncryption } from '../../config/inference';
import type { WhenGone } from '../../http/call';
import type { HeldMemory } from '../../http/held-memory/held-memory';
import { CircuitBreaker } from '../circuit-breaker';
import { CollectedAnswer, WHOLE_ANSWER_MS } from '../collected-answer';
import { pacedConnect, PacedHandler } from '../paced-handler';
import { WAITING_PER_SLOT } from '../fair-slots';
import { REQUEST_HEADERS } from '../request-headers';
import { RequestSlots, SlotsBusy } from '../request-slots';
import { InstancePool } from './instance-pool';
import type { AskedServer, ModelRequest, Turn, UpstreamAnswer } from './model-exchange';
import { LearnedOddities } from './server-oddities';
import { UpstreamFailed } from './upstream-error';

/** Number of first-token times stored for each model. It is small, so that the median soon follows a change. */
const KEPT_MAX = 32;

/** Recent times until the first token, in milliseconds, for each of a server's models. Stored only in this process. */
export class FirstTokenTimes {
  readonly #times = new Map<string, number[]>();

  note(model: string, ms: number): void {
    const times = [...(this.#times.get(model) ?? []), ms];
    this.#times.set(model, times.slice(-KEPT_MAX));
  }

  /** Returns a model's median time until the first token; null before its first chat. */
  medianMs(model: string): number | null {
    const times = this.#times.get(model)?.toSorted((one, other) => one - other);
    const median = times?.[Math.floor(times.length / 2)];
    return median === undefined ? null : Math.round(median);
  }
}

const REQUESTS_MAX = 1_024;
/** There are more connections than slots, because the gateway's own requests take no slot. */
const CONNECTIONS_MAX = REQUESTS_MAX + 64;
/** Longest wait for a slot, unless the timeout is shorter. */
const SLOT_WAIT_MS_MAX = 30_000;
const BREAKER = { failuresInRow: 3, openMs: 5_000, openMsMax: 60_000 };

export type UpstreamTimeouts = Pick<InferenceConfig, 'connectTimeoutMs' | 'firstByteTimeoutMs' | 'idleTimeoutMs'>;

/**
 * A model server: an OpenAI-compatible API, or an enclave such as those of NEAR AI and Phala.
 *
 * The modules in this folder manage the servers' connections, credentials and circuit breakers. They remember which
 * parts of requests each server refused, and limit the time to the first byte and between bytes. They remove
 * credentials from the servers' texts. `Failover` orders a model's upstreams.
 */
export class ModelUpstream implements AskedServer {
  readonly name: string;
  readonly isEnclave: boolean;
  readonly sendsTraceContext: boolean;
  /** APIs that the server offers in addition to chat. */
  readonly apis: ReadonlySet<string>;
  readonly encryption: UpstreamEncryption;
  /** Circuit breaker. While it is open, the gateway asks this upstream only as a last resort. */
  readonly breaker = new CircuitBreaker(BREAKER);
  /** True if the last request for the server's model list failed. */
  isUnlisted = false;
  readonly oddities = new LearnedOddities();
  readonly firstTokens = new FirstTokenTimes();
  /** Control server, which lists and attests instances and forwards encrypted requests; null if none is configured. */
  readonly control: ModelUpstream | null;
  readonly instances: InstancePool | null;
  readonly slots: RequestSlots;
  readonly #pool: Pool;
  readonly #basePath: string;
  readonly #config: InferenceUpstreamConfig;
  readonly #timeouts: UpstreamTimeouts;

  constructor(
    config: InferenceUpstreamConfig,
    timeouts: UpstreamTimeouts,
    private readonly memory: HeldMemory | null = null,
  ) {
    const { origin, pathname } = new URL(config.url);
    this.name = config.name;
    this.isEnclave = config.isEnclave;
    this.sendsTraceContext = config.traceContext ?? false;
    this.apis = new Set(config.apis);
    this.encryption = config.encryption ?? 'ecdsa';
    this.#config = config;
    this.#timeouts = timeouts;
    this.#basePath = pathname.replace(/\/+$/, '');
    this.control = config.controlUrl
      ? new ModelUpstream({ ...config, url: config.controlUrl, controlUrl: null }, timeouts, memory)
      : null;
    this.instances = this.control && new InstancePool(this.control);
    const requestsMax = config.maxConcurrentRequests ?? REQUESTS_MAX;
    this.slots = new RequestSlots(requestsMax, requestsMax * WAITING_PER_SLOT);
    this.#pool = new Pool(origin, {
      connections: CONNECTIONS_MAX,
      pipelining: 1,
      connect: pacedConnect({ timeout: timeouts.connectTimeoutMs }),
    });
  }

  async ask(question: ModelRequest, bytesMax: number, whenGone?: WhenGone): Promise<UpstreamAnswer> {
    const freeSlot = question.turn && (await this.takeSlot(question.turn, question.timeoutMs));
    const timeoutMs = question.timeoutMs ?? this.#timeouts.firstByteTimeoutMs;
    const wholeMs = question.method === 'GET' ? timeoutMs : WHOLE_ANSWER_MS;
    let collecting: CollectedAnswer | undefined;
    const answering = new Promise<UpstreamAnswer>((resolve, reject) => {
      collecting = new CollectedAnswer(
        { bytesMax, timeoutMs: timeoutMs + wholeMs, memory: this.memory },
        resolve,
        reject,
      );
      // Within the body, waits up to `timeoutMs` for each next part, because the model may still be working.
      this.dispatch(question, collecting, timeoutMs, freeSlot);
    });
    const stopListening = whenGone?.(() => collecting?.abort('gone'));
    return stopListening ? answering.finally(stopListening) : answering;
  }

  /** Returns whether a caller's request would be refused immediately. */
  refuses(caller: number): boolean {
    return this.slots.isFull || this.slots.refuses(caller, SLOT_WAIT_MS_MAX);
  }

  /**
   * Waits for the caller's turn.
   * @returns a function that frees the slot
   * @throws UpstreamFailed `busy` if no slot is free in time; `gone` if the client disconnects
   */
  async takeSlot({ caller, whenGone }: Turn, timeoutMs = SLOT_WAIT_MS_MAX): Promise<() => void> {
    const leaving = new AbortController();
    const stopListening = whenGone(() => leaving.abort(new UpstreamFailed('gone', { isUnsent: true })));
    try {
      return await this.slots.take(caller, {
        waitMsMax: Math.min(timeoutMs, SLOT_WAIT_MS_MAX),
        signal: leaving.signal,
      });
    } catch (error) {
      if (!(error instanceof SlotsBusy)) throw error;
      throw new UpstreamFailed('busy', { isUnsent: true, retryAfterSeconds: Math.ceil(error.retryAfterMs / 1_000) });
    } finally {
      stopListening();
    }
  }

  /** @param ended called after the answer or its failure */
  dispatch(
    { method, path, body, headers, traceparent, timeoutMs = this.#timeouts.firstByteTimeoutMs }: ModelRequest,
    handler: Dispatcher.DispatchHandler,
    idleTimeoutMs = this.#timeouts.idleTimeoutMs,
    ended?: () => void,
  ): void {
    this.#pool.dispatch(
      {
        method,
        path: this.#basePath + path,
        headers: {
          ...REQUEST_HEADERS,
          ...this.#credentials(),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
          ...(traceparent ? { traceparent } : {}),
        },
        body: body ?? null,
        headersTimeout: timeoutMs,
        bodyTimeout: 0,
      },
      new PacedHandler(handler, idleTimeoutMs, ended),
    );
  }

  redact(text: string): string {
    const { key, headers, url, controlUrl } = this.#config;
    const addresses = [url, ...(controlUrl ? [controlUrl] : [])]
      .map((each) => new URL(each))
      .flatMap(({ origin, host }) => [origin, host]);
    const secrets = [key?.reveal(), ...Object.values(headers).map((value) => value.reveal()), ...addresses];
    let clean = text;
    for (const secret of secrets)
      if (secret && secret.length >= SECRET_LENGTH_MIN) clean = clean.replaceAll(secret, '[redacted]');
    return clean.replace(/\bBearer +[\x21-\x7e]+/gi, '[redacted]').replace(/\bsk-[\w*.-]{6,}/g, '[redacted]');
  }

  /** Refuses new requests. Closes the connections when running answers have ended. */
  async retire(): Promise<void> {
    await Promise.all([this.control?.retire(), this.#pool.destroyed || this.#pool.closed ? null : this.#pool.close()]);
  }

  async close(): Promise<void> {
    await Promise.all([this.control?.close(), this.#pool.destroy()]);
  }

  #credentials(): Record<string, string> {
    const { key, headers } = this.#config;
    const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.reveal()]));
    return { ...(key ? { authorization: `Bearer ${key.reveal()}` } : {}), ...given };
  }
}

/** Minimum length of a secret that is redacted. Shorter secrets could also occur in ordinary text. */
const SECRET_LENGTH_MIN = 4;
