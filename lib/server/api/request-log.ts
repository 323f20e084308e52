import type { Logger } from 'pino';
import { byteLengthOf, type Call, isPushBody, type Reply } from '../http/call';
import type { Endpoint } from '../http/endpoint';
import type { LogConfig } from '../config/log';
import type { AccountName } from '../telemetry/account-name';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS']);
/** For paths that lead nowhere and verbs that are none, whatever callers write there. */
const OTHER = 'other';
const SECOND_MS = 1_000;

/**
 * One request in the log. Each field is a number, an id that was made here, or a name out of a list that the gateway
 * has: nothing that a caller wrote is among them, but for the 32 hex characters of a trace.
 */
export interface RequestLine {
  requestId: string;
  account?: string;
  method: string;
  /** The path as it is listed, with its parameters in braces. */
  endpoint: string;
  network?: string;
  model?: string;
  status: number;
  code?: string;
  /** Until the answer was made, or the last of a stream was handed over. */
  durationMs: number;
  /** Of a stream, until it began. */
  beganMs?: number;
  upstream?: string;
  attempts: number;
  costNanoUsd: number;
  /** Of the body of the answer. */
  bytes: number;
  traceId?: string;
  /** The answer broke off, or its reader left. */
  cut?: true;
  slow?: true;
}

export interface RequestLogSettings {
  log: Logger;
  config: LogConfig['requests'];
  endpoints: readonly Endpoint[];
  accountName: AccountName;
  /** A number from 0 up to 1. */
  random?: () => number;
}

/**
 * Writes a line for each request that failed or was slow, and for a share of the others. What a line takes is done for
 * those that are written alone.
 */
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
      settings.log.warn({ leftOut }, 'more requests were refused than have lines in the log'),
    );
    this.#faults = new LineBudget(faultsPerSecondMax, (leftOut) =>
      settings.log.warn({ leftOut }, 'more requests failed or were slow than have lines in the log'),
    );
  }

  /** A request is over. */
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
    // What a stream cost that was cut is known a little later.
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

/** So many lines a second. What is refused or fails costs a caller nothing, and would fill a disk. */
class LineBudget {
  #second = 0;
  #lines = 0;
  #leftOut = 0;

  /** @param onLeftOut hears how many had no line, once there is room for one again. */
  constructor(
    private readonly perSecondMax: number,
    private readonly onLeftOut: (count: number) => void,
  ) {}

  /** @param now of `performance.now()`. */
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
