import type { WhenGone } from '../../http/call';
import type { RequestRecord } from '../../http/request-record';
import type { BlockPins } from './agreement/block-pins';
import type { HeadMark } from './caller-marks';
import type { UpstreamNode } from './upstream-node';

/** Context of a read. If `whenGone` is absent, the read cannot be cancelled. */
export interface Asking {
  readonly whenGone?: WhenGone | undefined;
  readonly record?: RequestRecord | undefined;
  /** Newest head that the caller has seen. An older answer is rejected. */
  readonly mark?: HeadMark | undefined;
  /** True if the answer is stored for an idempotent retry. A disconnect then does not end the read. */
  readonly isKept?: boolean;
  /** Node to ask first if it has the call's block. */
  readonly preferred?: UpstreamNode;
  /** Block numbers of tags such as `latest`, the same for all items of a batch. */
  readonly pins?: BlockPins | undefined;
  /** Called when a request is sent. Used for reads on which several nodes must agree. */
  readonly onSent?: (() => void) | undefined;
}
