import type { Asker } from './asker';
import type { BlockDemand } from './block-demand';
import type { ErrorMeaning } from './error-meaning';
import type { HeadFloor } from './node-heads';
import type { UpstreamNode } from './upstream-node';

/** A request that any upstream of a network can answer. */
export interface NodeRequest<T> {
  /** Asks one upstream, once. @throws UpstreamFailure where it gives no usable answer. */
  ask(node: UpstreamNode, timeoutMs: number, asker?: Asker): Promise<T>;
  /** Whether the time that an answer took says something of the upstream's speed. */
  isMeasured(answer: T): boolean;
  /** An answer by which a node said that it cannot serve: the answer after all, if no other node has a better one. */
  readonly lastResort: T | null;
}

/** A request with its attempts so far: which upstreams were tried, and until when others may be. */
export interface AttemptContext<T> {
  readonly method: string;
  readonly request: NodeRequest<T>;
  readonly asker: Asker | undefined;
  /** Milliseconds of `performance.now()`. */
  readonly deadline: number;
  readonly tried: UpstreamNode[];
  /** How far an upstream has to be, as long as one is; null where that does not matter. */
  readonly floor: HeadFloor | null;
  /** What the call demands beside that; null where it demands nothing. */
  readonly demand: BlockDemand | null;
  /** Why each failed attempt failed, for people. */
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
  /** What an error means by which the node said that it cannot serve the call. */
  meaning?: ErrorMeaning;
  /** How many upstreams said it, where several must agree. */
  agreeing?: number;
}
