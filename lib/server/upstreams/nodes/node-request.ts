import type { Asker } from './asker';
import type { BlockDemand } from './block-demand';
import type { HeadFloor } from './node-heads';
import type { UpstreamNode } from './upstream-node';

/** Something to ask of any one upstream of a network. */
export interface NodeRequest<T> {
  /** Asks one upstream, once. @throws UpstreamFailure where it gives no usable answer. */
  ask(node: UpstreamNode, timeoutMs: number, asker?: Asker): Promise<T>;
  /** Whether the time that an answer took says something of the upstream's speed. */
  isMeasured(answer: T): boolean;
  /** An answer by which a node said that it cannot serve: the answer after all, if no other node has a better one. */
  readonly lastResort: T | null;
}

/** One question on its way: what was tried, and until when it may be. */
export interface Pursuit<T> {
  readonly method: string;
  readonly question: NodeRequest<T>;
  readonly asker: Asker | undefined;
  /** Milliseconds of `performance.now()`. */
  readonly deadline: number;
  readonly tried: UpstreamNode[];
  /** How far an upstream has to be, as long as one is; null where that does not matter. */
  readonly floor: HeadFloor | null;
  /** What the call demands beside that; null where it demands nothing. */
  readonly demand: BlockDemand | null;
  /** What each failed attempt came to, for the one who asked. */
  readonly failures: string[];
}

/** What an upstream said to one item: the value of `result` or `error`, as the bytes it came in. */
export interface ItemAnswer {
  kind: 'result' | 'error';
  bytes: Buffer;
  /** Where the value is in `bytes`. */
  start: number;
  end: number;
  /** Who said it, unless it was kept. */
  from?: UpstreamNode;
}
