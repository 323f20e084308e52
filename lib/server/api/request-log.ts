import type { Logger } from 'pino';
import { byteLengthOf, type Call, isPushBody, type Reply } from '../http/call';
import type { Endpoint } from '../http/endpoint';
import type { LogConfig } from '../config/observability';
import type { AccountName } from '../telemetry/account-name';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS']);
/** Logged instead of an unknown path or method, so that callers cannot write text into the log. */
const OTHER = 'other';
const SECOND_MS = 1_000;

/**
 * Log line of a request. Contains numbers, ids, and names from fixed lists. The only text from the caller is the
 * hexadecimal trace id.
 */
interface RequestLine {
  requestId: string;
  account?: string;
  method: string;
  /** Path of the route, with parameters in braces. */
  endpoint: string;
  network?: string;
  model?: string;
  status: number;
  code?: string;
  /** Milliseconds until the answer was ready; for a stream, until its last byte was written. */
  durationMs: number;
  /** Milliseconds until a streamed answer began; absent for other answers. */
  beganMs?: number;
  upstream?: string;
  attempts: number;
  costNanoUsd: number;
  bytes: number;
  traceId?: string;
  /** True if the answer broke off or the client disconnected. */
  cut?: true;
  slow?: true;
}

interface RequestLogSettings {
  log: Logger;
  config: LogConfig['requests'];
  endpoints: readonly Endpoint[];
  accountName: AccountName;
  random?: () => number;
}

/** Logs failed and slow requests up to a rate, and a share of all others. */
export class RequestLog {
  readonly #paths: ReadonlySet<string>;
  readonly #random: () => number;
  readonly #refusals: LineBudget;
  readonly #faults: LineBudget;

  constructor(private readonly settings: RequestLogSettings) {
    this.#paths = new Set(settings.endpoints.map(({ path }) => path));
    this.#random = settings.random ?? Math.random;
    const { refusalsPerSecondMax, faultsPerSecondMax } = settings.config;
    this.#refusals = new LineBudget(refusalsPerSecondMax, (leftOut) =>
      settings.log.warn({ leftOut }, 'too many refused requests; some were not logged'),
    );
    this.#faults = new LineBudget(faultsPerSecondMax, (leftOut) =>
      settings.log.warn({ leftOut }, 'too many failed or slow requests; some were not logged'),
    );
  }

  note(endpoint: Endpoint, call: Call, reply: Reply): void {
    const { record } = call;
    const { config } = this.settings;
    const isSlow = record.answeredAt - record.startedAt >= config.slowMs;
    const isFailed = record.status >= 400 || record.isCut;
    if (!isFailed && !isSlow && (config.share === 0 || (config.share < 1 && this.#random() >= config.share))) return;
    const isFault = record.status >= 500 && record.code !== 'CLIENT_CLOSED_REQUEST';
    if (!this.settings.log.isLevelEnabled(isFault ? 'warn' : 'info')) return;
    if (isFault || isSlow ? !this.#faults.admits(record.endedAt) : isFailed && !this.#refusals.admits(record.endedAt))
      return;
    // The cost of a broken stream is known only once the stream is charged.
    record.whenClosed(() => this.#write(this.#lineOf(endpoint, call, reply, isSlow), isFault));
  }

  #write(line: RequestLine, isFault: boolean): void {
    if (isFault) this.settings.log.warn(line, 'request');
    else this.settings.log.info(line, 'request');
  }

  #lineOf({ path }: Endpoint, { record, requestId, method }: Call, reply: Reply, isSlow: boolean): RequestLine {
    const { accountId, network, model, upstream, code } = record;
    const traceId = record.span?.traceId ?? record.trace?.traceId;
    return {
      requestId,
      ...(accountId === null || accountId === 0 ? {} : { account: this.settings.accountName(accountId) }),
      method: METHODS.has(method) ? method : OTHER,
      endpoint: this.#paths.has(path) ? path : OTHER,
      ...(network === null ? {} : { network }),
      ...(model === null ? {} : { model }),
      status: record.status,
      ...(code === null ? {} : { code }),
      durationMs: milliseconds(record.endedAt - record.startedAt),
      ...(record.pushedBytes === null ? {} : { beganMs: milliseconds(record.answeredAt - record.startedAt) }),
      ...(upstream === null ? {} : { upstream }),
      attempts: record.attempts,
      costNanoUsd: record.costNanoUsd,
      bytes: bytesOf(reply, method, record.pushedBytes),
      ...(traceId === undefined ? {} : { traceId }),
      ...(record.isCut ? { cut: true as const } : {}),
      ...(isSlow ? { slow: true as const } : {}),
    };
  }
}

/** Limits log lines per second. Most failed requests are free, so callers could fill a disk with log lines. */
class LineBudget {
  #second = 0;
  #lines = 0;
  #leftOut = 0;

  /** @param onLeftOut receives the number of omitted lines with a later second's first line */
  constructor(
    private readonly perSecondMax: number,
    private readonly onLeftOut: (count: number) => void,
  ) {}

  /** @param now time by `performance.now()` */
  admits(now: number): boolean {
    const second = Math.floor(now / SECOND_MS);
    if (second !== this.#second) {
      if (this.#leftOut > 0) this.onLeftOut(this.#leftOut);
      this.#second = second;
      this.#lines = this.#leftOut = 0;
    }
    if (this.#lines++ < this.perSecondMax) return true;
    this.#leftOut++;
    return false;
  }
}

function bytesOf({ body }: Reply, method: string, pushedBytes: number | null): number {
  if (method === 'HEAD' || body === null) return 0;
  return pushedBytes ?? (isPushBody(body) || body instanceof ReadableStream ? 0 : byteLengthOf(body));
}

function milliseconds(duration: number): number {
  return Math.round(duration * 10) / 10;
}
