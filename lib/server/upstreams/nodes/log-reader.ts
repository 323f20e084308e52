import type { RpcRequest } from '@/lib/protocol/jsonrpc/messages';
import { askNode } from './ask-node';
import type { Asking } from './asking';
import { heightOf } from './head-height';
import { memberHeight, wholeHeight } from './block-reference';
import {
  type BlockSpan,
  blocksOf,
  hex,
  LOGS_METHOD,
  type LogRange,
  logRangeOf,
  type RangeEnd,
  suggestedEnd,
} from './log-range';
import type { ItemAnswer } from './node-request';
import {
  isRangeRefusal,
  joined,
  learnRange,
  type LogPart,
  PART_REQUESTS_MAX,
  type PartBudget,
  PARTS_MAX,
  refusedByStatus,
  SplitLogs,
  textOf,
  widestRange,
} from './split-logs';
import { UpstreamFailure } from './upstream-failure';
import type { UpstreamNode } from './upstream-node';
import type { UpstreamPool } from './upstream-pool';

/** A block at least this far below the head counts as stable during a call. */
const SETTLED_BLOCKS = 64;
/** Maximum attempts to read the parts near the head. If there is a reorganization, the attempt fails. */
const ATTEMPTS_MAX = 3;
const HASH_MS = 2_000;

interface LogSource {
  readonly pool: UpstreamPool;
  readonly finalizedHeight: number | null;
  readWhole(item: RpcRequest, asking: Asking, deadline?: number): Promise<ItemAnswer>;
  keep(item: RpcRequest, answer: ItemAnswer): void;
  release(answers: readonly ItemAnswer[]): void;
}

interface Reading {
  item: RpcRequest;
  asking: Asking;
  deadline: number;
  budget: PartBudget;
  range: LogRange;
  span: BlockSpan;
  partBlocks: number;
  head: number;
}

/**
 * Reads logs. If a range is too large for the nodes, splits it and joins the parts in order (docs/upstreams.md).
 * Returns all logs or an error.
 */
export class LogReader {
  partsRead = 0;

  constructor(
    private readonly source: LogSource,
    private readonly bytesMax: number,
  ) {}

  /** Returns whether the range exceeds the known or estimated limits of all nodes. */
  isTooWide(item: RpcRequest): boolean {
    if (item.method !== LOGS_METHOD) return false;
    const widest = widestRange(this.#nodes, performance.now());
    if (widest === null) return false;
    const range = logRangeOf(item);
    if (range === null || typeof range.from !== 'number') return false;
    const head = Math.max(...this.#nodes.map(({ heads, health }) => heads?.heightOf(0) ?? health.height ?? 0));
    return (typeof range.to === 'number' ? range.to : head) - range.from >= widest;
  }

  async read(item: RpcRequest, asking: Asking, deadline = this.source.pool.deadline()): Promise<ItemAnswer> {
    // If the range cannot be split, asks a node for the whole range, because the node's error states the limit.
    if (this.isTooWide(item))
      return this.inParts(item, asking, { deadline, refused: () => this.source.readWhole(item, asking, deadline) });
    let refusal: ItemAnswer;
    try {
      refusal = await this.source.readWhole(item, asking, deadline);
    } catch (error) {
      refusedByStatus(error);
      return this.inParts(item, asking, { deadline, refused: () => Promise.reject(error as Error) });
    }
    return isRangeRefusal(refusal)
      ? this.inParts(item, asking, { deadline, refused: () => Promise.resolve(refusal), refusal })
      : refusal;
  }

  /**
   * Reads a refused range in parts.
   *
   * @param refused called if the range cannot be split or needs too many parts; its result is returned
   * @throws UpstreamFailure
   */
  async inParts(
    item: RpcRequest,
    asking: Asking,
    how: { deadline: number; refused: () => Promise<ItemAnswer>; refusal?: ItemAnswer; budget?: PartBudget },
  ): Promise<ItemAnswer> {
    const { deadline, refused, refusal = null, budget = { requestsLeft: PART_REQUESTS_MAX } } = how;
    const range = logRangeOf(item);
    if (range === null) return refused();
    const head = await this.#headOf('latest', asking, deadline);
    const from = await this.#headOf(range.from, asking, deadline);
    const to = range.to === 'latest' ? head : await this.#headOf(range.to, asking, deadline);
    if (head === null || from === null || to === null || from > to) return refused();
    if (refusal !== null) learnRange(refusal, { from, to });
    const partBlocks = widestRange(this.#nodes, performance.now()) ?? this.#guessed({ from, to }, refusal);
    const span = { from, to: Math.min(to, head + partBlocks) };
    if (span.from > span.to || blocksOf(span) / partBlocks > Math.min(PARTS_MAX, budget.requestsLeft)) return refused();
    const outcome = await this.#consistent({ item, asking, deadline, budget, range, span, partBlocks, head });
    if (!Array.isArray(outcome)) return outcome;
    this.partsRead += outcome.length;
    const answer = joined(outcome, (part) => this.source.release([part]));
    this.source.keep(item, answer);
    return answer;
  }

  get #nodes(): readonly UpstreamNode[] {
    return this.source.pool.nodes;
  }

  #guessed(span: BlockSpan, refusal: ItemAnswer | null): number {
    const end = refusal && suggestedEnd(textOf(refusal), span);
    return end === null ? Math.ceil(blocksOf(span) / 2) : end - span.from + 1;
  }

  async #headOf(end: RangeEnd, { mark, record }: Asking, deadline: number): Promise<number | null> {
    if (typeof end === 'number') return end;
    const [method, params] =
      end === 'latest' ? ['eth_blockNumber', '[]'] : ['eth_getBlockByNumber', `["${end}",false]`];
    const answer = await this.source.readWhole(
      { method, params, paramsByName: false, id: 'null' },
      { mark, record },
      deadline,
    );
    const { kind, bytes, start, end: until } = answer;
    const height =
      kind === 'error' ? null : (end === 'latest' ? wholeHeight : memberHeight('number'))(bytes, start, until);
    this.source.release([answer]);
    return height;
  }

  /**
   * Reads all parts of a range from the same chain. Reads the parts near the head again if a reorganization may have
   * replaced the last block of the range.
   */
  async #consistent(reading: Reading): Promise<LogPart[] | ItemAnswer> {
    const { span, partBlocks, head } = reading;
    const settled = Math.max(head - SETTLED_BLOCKS, this.source.finalizedHeight ?? 0);
    const changing = { from: Math.max(span.from, settled + 1), to: span.to };
    let before = blocksOf(changing) > partBlocks ? await this.#hashesAt(reading) : null;
    let parts = await this.#split(reading, span, before);
    for (let attempt = 1; Array.isArray(parts); attempt++) {
      const open = parts.filter(({ to }) => to > settled);
      if (open.length < 2) return parts;
      if (before !== null && isOneChain(open, before, await this.#hashesAt(reading))) return parts;
      if (attempt === ATTEMPTS_MAX) {
        this.#release(parts);
        throw new UpstreamFailure('node-fault', 'the chain was reorganized while the logs were read');
      }
      before = await this.#hashesAt(reading);
      this.#release(open);
      const rest = parts.filter(({ to }) => to <= settled);
      const again = await this.#split(reading, { from: (open[0] as LogPart).from, to: span.to }, before);
      if (!Array.isArray(again)) this.#release(rest);
      parts = Array.isArray(again) ? [...rest, ...again] : again;
    }
    return parts;
  }

  #split(
    { item, asking, deadline, budget, range, partBlocks }: Reading,
    span: BlockSpan,
    hashes: ReadonlyMap<UpstreamNode, string> | null,
  ): Promise<LogPart[] | ItemAnswer> {
    const [preferred] = hashes?.keys() ?? [];
    const partAsking: Asking = {
      whenGone: asking.whenGone,
      record: asking.record,
      mark: asking.mark,
      ...(preferred && { preferred }),
    };
    return new SplitLogs(item, {
      range,
      span,
      partBlocks,
      budget,
      deadline,
      nodes: this.#nodes,
      bytesMax: this.bytesMax,
      whenGone: asking.isKept ? undefined : asking.whenGone,
      read: (part) => this.source.readWhole(part, partAsking, deadline),
      release: (answer) => this.source.release([answer]),
    }).read();
  }

  async #hashesAt({ span, head, deadline }: Reading): Promise<ReadonlyMap<UpstreamNode, string>> {
    const now = performance.now();
    const params = `["${hex(Math.min(span.to, head))}",false]`;
    const hashes = new Map<UpstreamNode, string>();
    const told = this.#nodes
      .filter((node) => node.admits(LOGS_METHOD, now))
      .map(async (node) => {
        const block = await askNode(
          node.upstream,
          { method: 'eth_getBlockByNumber', params },
          Math.max(1, Math.min(HASH_MS, deadline - now)),
        ).catch(() => null);
        const { hash, number } = (block ?? {}) as { hash?: unknown; number?: unknown };
        if (typeof hash === 'string' && heightOf(number) !== null) hashes.set(node, hash);
      });
    await Promise.all(told);
    return hashes;
  }

  #release(parts: readonly LogPart[]): void {
    this.source.release(parts.map(({ answer }) => answer));
  }
}

/** Returns whether every node that served a part had the same last block before and after the parts were read. */
function isOneChain(
  parts: readonly LogPart[],
  before: ReadonlyMap<UpstreamNode, string>,
  after: ReadonlyMap<UpstreamNode, string>,
): boolean {
  const hashes = parts.flatMap(({ answer: { from } }) => (from ? [before.get(from), after.get(from)] : []));
  return hashes[0] !== undefined && hashes.every((hash) => hash === hashes[0]);
}
