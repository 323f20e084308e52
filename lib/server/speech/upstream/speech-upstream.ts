import type { AudioFormat } from '@/lib/protocol/speech/audio-format';
import type { SpeechConfig, SpeechUpstreamConfig } from '../../config/speech';
import { ModelUpstream } from '../../upstreams/models/model-upstream';
import type { CircuitBreaker } from '../../upstreams/circuit-breaker';
import { UpstreamAudio } from './upstream-audio';
import { modelEntriesOf } from '../../upstreams/models/model-list';

const LIST_BYTES_MAX = 4 * 1024 * 1024;
const LIST_TIMEOUT_MS = 10_000;
const LISTED_MAX = 5_000;
/** Statuses of an upstream that has no model list. Such an upstream is assumed to have every requested model. */
const NO_LIST = new Set([404, 405, 501]);

/** Request to an upstream, with the field names of OpenAI's API. */
export interface SpeechUpstreamRequest {
  model: string;
  input: string;
  voice: string;
  response_format: AudioFormat;
  speed?: number;
  language?: string;
  instructions?: string;
  temperature?: number;
  top_p?: number;
}

export class SpeechUpstream {
  readonly name: string;
  readonly engine: string;
  readonly formats: readonly AudioFormat[];
  readonly acceptsHandles: boolean;
  readonly #connection: ModelUpstream;
  readonly #audioBytesMax: number;

  constructor(
    readonly config: SpeechUpstreamConfig,
    settings: SpeechConfig,
  ) {
    this.name = config.name;
    this.engine = config.engine;
    this.formats = config.formats;
    this.acceptsHandles = config.acceptsHandles;
    this.#audioBytesMax = settings.audioBytesMax;
    this.#connection = new ModelUpstream(
      {
        name: config.name,
        url: config.url,
        key: config.key,
        headers: config.headers,
        isEnclave: false,
        traceContext: config.traceContext ?? false,
      },
      settings,
    );
  }

  /** Format that the gateway requests from the upstream and encodes into other formats. */
  get rawFormat(): 'wav' | 'pcm' {
    return this.formats.includes('wav') ? 'wav' : 'pcm';
  }

  get sendsTraceContext(): boolean {
    return this.#connection.sendsTraceContext;
  }

  /** The upstream's circuit breaker. While it is open, other upstreams are asked first. It never refuses a call. */
  get breaker(): CircuitBreaker {
    return this.#connection.breaker;
  }

  /**
   * Sends a request. The returned object provides status, audio and errors.
   *
   * @param timeoutMs time within which the answer must begin
   */
  speak(question: SpeechUpstreamRequest, timeoutMs: number, traceparent: string | null = null): UpstreamAudio {
    const audio = new UpstreamAudio(this.#audioBytesMax);
    this.#connection.dispatch(
      { method: 'POST', path: '/audio/speech', body: JSON.stringify(question), timeoutMs, traceparent },
      audio,
    );
    return audio;
  }

  /**
   * Returns the ids in the upstream's model list; null if the upstream has no list.
   * @throws if the upstream gives no readable answer
   */
  async listModels(): Promise<ReadonlySet<string> | null> {
    const { status, body } = await this.#connection.ask(
      { method: 'GET', path: '/models', timeoutMs: LIST_TIMEOUT_MS },
      LIST_BYTES_MAX,
    );
    if (NO_LIST.has(status)) return null;
    if (status !== 200) throw new Error(`The upstream answered the request for its models with status ${status}.`);
    const entries = modelEntriesOf(JSON.parse(body.toString('utf8')));
    return entries && new Set(entries.slice(0, LISTED_MAX).flatMap((entry) => idOf(entry)));
  }

  redact(text: string): string {
    return this.#connection.redact(text);
  }

  close(): Promise<void> {
    return this.#connection.close();
  }
}

function idOf(entry: unknown): string[] {
  const id = typeof entry === 'object' && entry !== null ? (entry as { id?: unknown }).id : entry;
  return typeof id === 'string' ? [id] : [];
}
