import type { WhenGone } from '../../http/call';
import type { RequestRecord } from '../../http/request-record';
import type { BlockPins } from './agreement/block-pins';
import type { HeadMark } from './caller-marks';
import type { UpstreamNode } from './upstream-node';

/** Who reads, as far as that matters: nobody who could leave, unless it is said. */
export interface Asking {
  readonly whenGone?: WhenGone | undefined;
  /** Where it is noted who was asked. */
  readonly record?: RequestRecord | undefined;
  /** The newest head that he was told of: no answer is to be older. */
  readonly mark?: HeadMark | undefined;
  /** Whether the answer is kept for a repetition of the request, so that it is wanted though the caller has left. */
  readonly isKept?: boolean;
  /** The node that is asked first, if it has the block of the call. */
  readonly preferred?: UpstreamNode;
  /** The blocks that tags mean, where several items share them. */
  readonly pins?: BlockPins | undefined;
  /** Hears that an upstream was sent a read that several must agree on. */
  readonly onSent?: (() => void) | undefined;
}
