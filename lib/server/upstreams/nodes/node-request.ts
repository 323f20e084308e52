import type { Asker } from './asker';
import type { BlockDemand } from './block-demand';
import type { ErrorMeaning } from './error-meaning';
import type { HeadFloor } from './node-heads';
import type { UpstreamNode } from './upstream-node';

export interface NodeRequest<T> {
  /**
   * Sends the request to one upstream, once.
   * @throws UpstreamFailure if the upstream gives no usable answer
   */
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
  /** Minimum head that the upstream must have; null if its head does not matter. */
  readonly floor: HeadFloor | null;
  readonly demand: BlockDemand | null;
  readonly failures: string[];
}

/** Upstream's answer to one item. The value of `result` or `error` lies between `start` and `end`. */
export interface ItemAnswer {
  kind: 'result' | 'error';
  bytes: Buffer;
  start: number;
  end: number;
  /** Node that answered; absent if the answer was cached or assembled. */
  from?: UpstreamNode;
  meaning?: ErrorMeaning;
  agreeing?: number;
}
