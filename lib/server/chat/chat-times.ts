import type { LatencySeries } from '../telemetry/latency-histogram';
import type { Metrics } from '../telemetry/metrics';

const FIRST_EVENT_BOUNDS_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const TOKEN_BOUNDS_SECONDS = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1];

export interface ChatTimes {
  /** Seconds from the upstream request to its first event. */
  firstEvent: LatencySeries;
  /** Seconds per token after the first event, averaged over each stream. */
  token: LatencySeries;
}

export function measureChats(metrics: Metrics): ChatTimes {
  return {
    firstEvent: metrics
      .histogram(
        'turnpike_chat_first_event_seconds',
        'Time from the request for a streamed chat to the first event.',
        FIRST_EVENT_BOUNDS_SECONDS,
      )
      .series(),
    token: metrics
      .histogram(
        'turnpike_chat_token_seconds',
        'Time per token of a streamed chat after its first event; one value for each stream.',
        TOKEN_BOUNDS_SECONDS,
      )
      .series(),
  };
}
