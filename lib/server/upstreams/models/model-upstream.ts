import { type Dispatcher, Pool } from 'undici';
import type { InferenceConfig, InferenceUpstreamConfig, UpstreamEncryption } from '../../config/inference';
import type { WhenGone } from '../../http/call';
import type { HeldMemory } from '../../http/held-memory/held-memory';
import { CircuitBreaker } from '../circuit-breaker';
import { CollectedAnswer, WHOLE_ANSWER_MS } from '../collected-answer';
import { PacedHandler } from '../paced-handler';
import { pacedConnect } from '../paced-socket';
import { REQUEST_HEADERS } from '../request-headers';
import { InstancePool } from './instance-pool';
import { LearnedOddities } from './server-oddities';
import type { AskedServer, ModelRequest, UpstreamAnswer } from './model-exchange';

/** Connections to one upstream at most: a stream has one to itself. */
const CONNECTIONS_MAX = 1_024;
const BREAKER = { failuresInRow: 3, openMs: 5_000, openMsMax: 60_000 };

export type UpstreamTimeouts = Pick<InferenceConfig, 'connectTimeoutMs' | 'firstByteTimeoutMs' | 'idleTimeoutMs'>;

/** A server of models: an OpenAI-compatible API, or an enclave's of the NEAR AI and Phala family. */
export class ModelUpstream implements AskedServer {
  readonly name: string;
  readonly isEnclave: boolean;
  /** Whether it may see which trace a request belongs to. */
  readonly sendsTraceContext: boolean;
  /** The APIs that it speaks beside chats. */
  readonly apis: ReadonlySet<string>;
  /** How clients encrypt to its enclaves. */
  readonly encryption: UpstreamEncryption;
  /** Open while it keeps failing: others are asked first then. It never refuses a call. */
  readonly breaker = new CircuitBreaker(BREAKER);
  /** Whether its models could not be listed when they were last looked at. */
  isUnlisted = false;
  /** What its models were found to refuse. */
  readonly oddities = new LearnedOddities();
  /** Where its instances are listed, attested and asked encrypted, of a kind of encryption that has such a server. */
  readonly control: ModelUpstream | null;
  /** Those instances; null without such a server. */
  readonly instances: InstancePool | null;
  readonly #pool: Pool;
  readonly #basePath: string;
  readonly #config: InferenceUpstreamConfig;
  readonly #timeouts: UpstreamTimeouts;

  /** @param memory bounds what long answers of all upstreams take together; null for no bound */
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
    this.#pool = new Pool(origin, {
      connections: CONNECTIONS_MAX,
      pipelining: 1,
      connect: pacedConnect({ timeout: timeouts.connectTimeoutMs }),
    });
  }

  /**
   * Asks, and reads the whole answer, whatever its status.
   * @throws UpstreamFailed where there is none in time, or more than `bytesMax` of it.
   */
  ask(question: ModelRequest, bytesMax: number, whenGone?: WhenGone): Promise<UpstreamAnswer> {
    const timeoutMs = question.timeoutMs ?? this.#timeouts.firstByteTimeoutMs;
    const wholeMs = question.method === 'GET' ? timeoutMs : WHOLE_ANSWER_MS;
    let collecting: CollectedAnswer | undefined;
    const answering = new Promise<UpstreamAnswer>((resolve, reject) => {
      collecting = new CollectedAnswer(
        { bytesMax, timeoutMs: timeoutMs + wholeMs, memory: this.memory },
        resolve,
        reject,
      );
      // Nothing comes before the model has finished: the wait for the rest is as long as that for the first byte.
      this.dispatch(question, collecting, timeoutMs);
    });
    const stopListening = whenGone?.(() => collecting?.abort('gone'));
    return stopListening ? answering.finally(stopListening) : answering;
  }

  /** Sends a question; the handler hears of its answer as it comes. */
  dispatch(
    { method, path, body, headers, traceparent, timeoutMs = this.#timeouts.firstByteTimeoutMs }: ModelRequest,
    handler: Dispatcher.DispatchHandler,
    idleTimeoutMs = this.#timeouts.idleTimeoutMs,
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
      new PacedHandler(handler, idleTimeoutMs),
    );
  }

  /** Takes out of a text of the upstream whatever it should not say of itself: its key, its headers, its address. */
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

  /** Takes no more questions, and ends its connections after the answers that are under way. */
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

/** Shorter values stand in ordinary sentences. */
const SECRET_LENGTH_MIN = 4;
