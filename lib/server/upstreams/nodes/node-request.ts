import type { Asker } from './asker';
import type { BlockDemand } from './block-demand';
import type { ErrorMeaning } from './error-meaning';
import type { HeadFloor } from './node-heads';
import type { UpstreamNode } from './upstream-node';

export interface NodeRequest<T> {
  /** Asks one upstream, once. @throws UpstreamFailure if the upstream gives no usable answer. */
  ask(node: UpstreamNode, timeoutMs: number, asker?: Asker): Promise<T>;
  /** Returns whether the answer's latency reflects the upstream's speed. */
  isMeasured(answer: T): boolean;
  readonly lastResort: T | null;
}

export interface AttemptContext<T> {
  readonly method: string;
  readonly request: NodeRequest<T>;
  readonly asker: Asker | undefined;
  readonly deadline: number;
  readonly tried: UpstreamNode[];
  /** Minimum head of the upstream; null if irrelevant. */
  readonly floor: HeadFloor | null;
  readonly demand: BlockDemand | null;
  readonly failures: string[];
}

/** Upstream's answer to one item. `start` and `end` delimit the value of `result` or `error`. */
export interface ItemAnswer {
  kind: 'result' | 'error';
  bytes: Buffer;
  start: number;
  end: number;
  /** Node that answered, unless the answer was cached. */
  from?: UpstreamNode;
  meaning?: ErrorMeaning;
  /** Upstreams that gave the answer, if several must agree. */
  agreeing?: number;
}
