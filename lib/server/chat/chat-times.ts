import type { LatencySeries } from '../telemetry/latency-histogram';
import type { Metrics } from '../telemetry/metrics';

const FIRST_EVENT_BOUNDS_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const TOKEN_BOUNDS_SECONDS = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1];

/** How fast streamed chats are, as callers feel it. */
export interface ChatTimes {
  /** From asking the upstream to its first event. */
  firstEvent: LatencySeries;
  /** From the first event to the end, for each token that was produced; one value a stream. */
  token: LatencySeries;
}

export function measureChats(metrics: Metrics): ChatTimes {
  return {
    firstEvent: metrics
      .histogram(
        'turnpike_chat_first_event_seconds',
        'From asking the upstream for a streamed chat to its first event.',
        FIRST_EVENT_BOUNDS_SECONDS,
      )
      .series(),
    token: metrics
      .histogram(
        'turnpike_chat_token_seconds',
        'From the first event of a streamed chat to its end, for each token: one value a stream.',
        TOKEN_BOUNDS_SECONDS,
      )
      .series(),
  };
}
