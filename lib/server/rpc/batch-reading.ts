import type { WhenGone } from '../http/call';
import type { RequestRecord } from '../http/request-record';
import type { Asker } from '../upstreams/nodes/asker';
import type { HeadMark } from '../upstreams/nodes/caller-marks';

export interface BatchReading {
  /** Deadline (`performance.now()`). */
  deadline: number;
  asker?: Asker | undefined;
  record?: RequestRecord | undefined;
  /** Notifies when the caller disconnects, even after a request was sent. */
  whenGone?: WhenGone | undefined;
  isKept?: boolean | undefined;
  mark?: HeadMark | undefined;
}
