import type { RpcRequest } from '@/lib/protocol/jsonrpc/messages';
import type { WhenGone } from '../../http/call';
import { type BlockReference, HEAD_STATE } from './block-reference';
import { blocksOf, type BlockSpan, hex, type LogRange, LOGS_METHOD, partOf, suggestedEnd } from './log-range';
import { readRpcError } from './node-error';
import type { ItemAnswer } from './node-request';
import { UpstreamFailure } from './upstream-failure';
import type { UpstreamNode } from './upstream-node';

const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const NUMBER = /"blockNumber"\s*:\s*"(0x[0-9a-fA-F]{1,64})"/g;

/**
 * Returns an answer's logs as a JSON array. Leaves out logs outside the span: the answers for other spans contain them.
 * @throws UpstreamFailure if the result is not an array
 */
function logsOf(answer: ItemAnswer, span: BlockSpan): Buffer {
  const { bytes, start, end } = answer;
  const logs = bytes.subarray(start, end);
  if (logs.toString('latin1', 0, 5) === 'null') return Buffer.from('[]');
  if (logs[0] !== OPENING_BRACKET || logs.at(-1) !== CLOSING_BRACKET)
    throw new UpstreamFailure(
      'mismatch',
      `its logs of the blocks ${hex(span.from)} to ${hex(span.to)} are not an array`,
    );
  return isWithin(logs, span) ? logs : withinOnly(logs, span);
}

function isWithin(logs: Buffer, { from, to }: BlockSpan): boolean {
  for (const [, number] of logs.toString('latin1').matchAll(NUMBER))
    if (Number(number) < from || Number(number) > to) return false;
  return true;
}

function withinOnly(logs: Buffer, { from, to }: BlockSpan): Buffer {
  const asked = (JSON.parse(logs.toString('utf8')) as { blockNumber?: unknown }[]).filter(
    ({ blockNumber }) => Number(blockNumber) >= from && Number(blockNumber) <= to,
  );
  return Buffer.from(JSON.stringify(asked));
}

function joinLogs(arrays: readonly Buffer[]): ItemAnswer {
  const filled = arrays
    .map((array) => array.subarray(1, -1))
    .filter((inner) => inner.toString('latin1', 0, 64).trim() !== '' || inner.length > 64);
  const chunks = filled.flatMap((inner, index) => (index === 0 ? [inner] : [COMMA, inner]));
  const bytes = Buffer.concat([OPEN, ...chunks, CLOSE]);
  return { kind: 'result', bytes, start: 0, end: bytes.length };
}

const OPEN = Buffer.from('[');
const CLOSE = Buffer.from(']');
const COMMA = Buffer.from(',');

const PARTS_AT_ONCE = 4;
export const PARTS_MAX = 64;
/** Approximate maximum requests for parts of log ranges in one HTTP call. Refused requests count too. */
export const PART_REQUESTS_MAX = 128;

/** Number of requests for parts that an HTTP call may still make. All items of a batch share this number. */
export interface PartBudget {
  requestsLeft: number;
}

interface SplitSettings {
  range: LogRange;
  span: BlockSpan;
  partBlocks: number;
  budget: PartBudget;
  nodes: readonly UpstreamNode[];
  bytesMax: number;
  deadline: number;
  /** Ends the read when the caller disconnects. Absent if the answer is stored for a retry. */
  whenGone: WhenGone | undefined;
  /**
   * Reads one part, from the cache or from a node.
   * @throws UpstreamFailure
   */
  read: (part: RpcRequest) => Promise<ItemAnswer>;
  release: (answer: ItemAnswer) => void;
}

export interface LogPart extends BlockSpan {
  answer: ItemAnswer;
  logs: Buffer;
}

type SplitOutcome = LogPart[] | ItemAnswer;

/** Answer for a caller that disconnected before all parts were read. Charged like an error. */
const LEFT = Buffer.from(
  '{"code":-32000,"message":"the client closed the connection before all parts of the range were read"}',
);

/**
 * Reads the logs of a range in parts. Starts with the newest part, because blocks that may still change should be read
 * at nearly the same time.
 */
export class SplitLogs {
  readonly #parts: LogPart[] = [];
  #bytes = 0;
  #next: number;
  #partBlocks: number;
  #refusal: ItemAnswer | null = null;
  #failure: unknown = null;
  #hasEnded = false;

  constructor(
    private readonly item: RpcRequest,
    private readonly settings: SplitSettings,
  ) {
    this.#next = settings.span.to;
    this.#partBlocks = settings.partBlocks;
  }

  /** @throws UpstreamFailure if a part gets no answer */
  async read(): Promise<SplitOutcome> {
    const stopListening = this.settings.whenGone?.(() =>
      this.#refuse({ kind: 'error', bytes: LEFT, start: 0, end: LEFT.length }),
    );
    try {
      await Promise.all(Array.from({ length: PARTS_AT_ONCE }, () => this.#work()));
    } finally {
      stopListening?.();
    }
    if (this.#hasEnded) for (const { answer } of this.#parts) this.settings.release(answer);
    if (this.#failure !== null) throw this.#failure;
    return this.#refusal ?? this.#parts.sort((a, b) => a.from - b.from);
  }

  async #work(): Promise<void> {
    const { from } = this.settings.span;
    while (!this.#hasEnded && this.#next >= from) {
      const to = this.#next;
      const part = { from: Math.max(from, to - this.#partBlocks + 1), to };
      this.#next = part.from - 1;
      try {
        await this.#readPart(part);
      } catch (error) {
        this.#failure ??= error;
        this.#hasEnded = true;
      }
    }
  }

  async #readPart(part: BlockSpan): Promise<void> {
    if (this.#hasEnded) return;
    const { range, budget, deadline, read, release } = this.settings;
    if (performance.now() >= deadline)
      throw new UpstreamFailure('timeout', 'no time was left to read all parts of the range');
    budget.requestsLeft--;
    const answer = await read(partOf(this.item, range, part)).catch((error: unknown) => refusedByStatus(error));
    if (this.#hasEnded) return answer === null ? undefined : release(answer);
    if (answer?.kind === 'result') return this.#keep(part, answer);
    if ((answer !== null && !isRangeRefusal(answer)) || part.from === part.to || budget.requestsLeft <= 0)
      return this.#refuse(answer);
    await this.#readHalves(part, answer);
  }

  async #readHalves(part: BlockSpan, refusal: ItemAnswer | null): Promise<void> {
    const text = refusal === null ? '' : textOf(refusal);
    if (refusal !== null) learnRange(refusal, part);
    this.#partBlocks = Math.min(this.#partBlocks, widestRange(this.settings.nodes, performance.now()) ?? Infinity);
    const blocksLeft = blocksOf(part) + this.#next - this.settings.span.from + 1;
    if (blocksLeft / this.#partBlocks > this.settings.budget.requestsLeft) return this.#refuse(refusal);
    if (refusal !== null) this.settings.release(refusal);
    const end = suggestedEnd(text, part) ?? part.from + Math.ceil(blocksOf(part) / 2) - 1;
    await this.#readPart({ from: end + 1, to: part.to });
    await this.#readPart({ from: part.from, to: end });
  }

  #keep(part: BlockSpan, answer: ItemAnswer): void {
    this.#bytes += answer.end - answer.start;
    if (this.#bytes > this.settings.bytesMax)
      throw new UpstreamFailure(
        'too-large',
        `the logs of the whole range are longer than ${this.settings.bytesMax} bytes`,
      );
    this.#parts.push({ ...part, answer, logs: logsOf(answer, part) });
    answer.from?.capabilities?.servedRange(blocksOf(part));
  }

  #refuse(answer: ItemAnswer | null): void {
    if (answer === null)
      throw new UpstreamFailure('too-large', 'the logs of a part of the range exceed the limit of every upstream');
    this.#refusal ??= answer;
    this.#hasEnded = true;
  }
}

export function joined(parts: readonly LogPart[], release: (answer: ItemAnswer) => void): ItemAnswer {
  const answer = joinLogs(parts.map(({ logs }) => logs));
  for (const part of parts) release(part.answer);
  return answer;
}

export function isRangeRefusal({ kind, meaning }: ItemAnswer): boolean {
  return kind === 'error' && meaning === 'range-limit';
}

/**
 * Returns null if a failure means that the answer is too large.
 * @throws the failure if it means anything else
 */
export function refusedByStatus(error: unknown): null {
  if ((error as Partial<UpstreamFailure> | null)?.facts?.meaning === 'range-limit') return null;
  throw error;
}

/** Records the range that a node refused. */
export function learnRange({ bytes, start, end, from }: ItemAnswer, span: BlockSpan): void {
  const message = readRpcError(bytes.subarray(start, end))?.message ?? '';
  const reference: BlockReference = {
    ...HEAD_STATE,
    at: 'number',
    height: span.to,
    span: blocksOf(span),
    data: 'history',
  };
  from?.learn('range-limit', { method: LOGS_METHOD, reference, message }, performance.now());
}

/** Returns the widest range that the available nodes serve; null if one of their limits is unknown. */
export function widestRange(nodes: readonly UpstreamNode[], now: number): number | null {
  const limits = nodes
    .filter((node) => node.admits(LOGS_METHOD, now))
    .map(({ capabilities }) => capabilities?.rangeBlocksToAsk(now) ?? null);
  return limits.length === 0 || limits.includes(null) ? null : Math.max(...limits.map((limit) => limit ?? 0));
}

export function textOf({ bytes, start, end }: ItemAnswer): string {
  return bytes.toString('latin1', start, Math.min(end, start + 4_096));
}
