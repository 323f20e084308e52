import type { AudioFormat } from '@/lib/protocol/speech/audio-format';
import type { SpeechConfig, SpeechUpstreamConfig } from '../../config/speech';
import { ModelUpstream } from '../../upstreams/models/model-upstream';
import type { CircuitBreaker } from '../../upstreams/circuit-breaker';
import { UpstreamAudio } from './upstream-audio';
import { modelEntriesOf } from '../../upstreams/models/model-list';

const LIST_BYTES_MAX = 4 * 1024 * 1024;
const LIST_TIMEOUT_MS = 10_000;
const LISTED_MAX = 5_000;
/** There is no such path there: whoever has no list has what it is asked for. */
const NO_LIST = new Set([404, 405, 501]);

/** What an upstream is asked to say, by the names of OpenAI's API and of servers like it. */
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

/** An OpenAI-compatible server of speech. */
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

  /** The form in which it delivers what is to be encoded here. */
  get rawFormat(): 'wav' | 'pcm' {
    return this.formats.includes('wav') ? 'wav' : 'pcm';
  }

  /** Whether it may see which trace a request belongs to. */
  get sendsTraceContext(): boolean {
    return this.#connection.sendsTraceContext;
  }

  /** Open while it keeps failing: others are asked first then. It never refuses a call. */
  get breaker(): CircuitBreaker {
    return this.#connection.breaker;
  }

  /** Begins to ask; what comes of it is in the answer, which may take so long to begin. */
  speak(question: SpeechUpstreamRequest, timeoutMs: number, traceparent: string | null = null): UpstreamAudio {
    const audio = new UpstreamAudio(this.#audioBytesMax);
    this.#connection.dispatch(
      { method: 'POST', path: '/audio/speech', body: JSON.stringify(question), timeoutMs, traceparent },
      audio,
    );
    return audio;
  }

  /**
   * The ids of the models that it lists; null where it has no list.
   * @throws where it does not answer
   */
  async listModels(): Promise<ReadonlySet<string> | null> {
    const { status, body } = await this.#connection.ask(
      { method: 'GET', path: '/models', timeoutMs: LIST_TIMEOUT_MS },
      LIST_BYTES_MAX,
    );
    if (NO_LIST.has(status)) return null;
    if (status !== 200) throw new Error(`The upstream answered its list of models with status ${status}.`);
    const entries = modelEntriesOf(JSON.parse(body.toString('utf8')));
    return entries && new Set(entries.slice(0, LISTED_MAX).flatMap((entry) => idOf(entry)));
  }

  /** Takes out of a text whatever an upstream should not say of itself. */
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
