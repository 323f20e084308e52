import type { WhenGone } from '../../http/call';
import { UpstreamFailure } from './upstream-failure';

/** Waits at least this long: timers may fire a fraction of a millisecond early. @throws UpstreamFailure `aborted`, at once, when nobody waits for the outcome any more. */
export function pause(delayMs: number, whenGone?: WhenGone): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      stopListening?.();
      resolve();
    }, Math.ceil(delayMs) + 1);
    const stopListening = whenGone?.(() => {
      clearTimeout(timer);
      reject(new UpstreamFailure('aborted', 'the client closed the connection'));
    });
  });
}
