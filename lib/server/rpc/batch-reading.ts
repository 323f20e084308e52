import type { WhenGone } from '../http/call';
import type { RequestRecord } from '../http/request-record';
import type { Asker } from '../upstreams/nodes/asker';
import type { HeadMark } from '../upstreams/nodes/caller-marks';

/** For whom, and until when, the items of a batch are read. */
export interface BatchReading {
  /** Of `performance.now()`. */
  deadline: number;
  asker?: Asker | undefined;
  record?: RequestRecord | undefined;
  /** Tells when the caller leaves, also after something was sent. */
  whenGone?: WhenGone | undefined;
  /** Whether the answer is kept for a repetition of the request. */
  isKept?: boolean | undefined;
  /** The newest head that whoever asks was told of; none where the network has one upstream. */
  mark?: HeadMark | undefined;
}
