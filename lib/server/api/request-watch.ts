import type { Call, Reply } from '../http/call';
import type { Endpoint, RequestObserver } from '../http/endpoint';
import type { RequestLog } from './request-log';
import type { RequestMetrics } from './request-metrics';
import type { RequestTraces } from './request-traces';

/** All who hear how requests come out: metrics of each, a line of some, a trace where traces are recorded. */
export class RequestWatch implements RequestObserver {
  constructor(
    private readonly metrics: RequestMetrics,
    private readonly log: RequestLog,
    private readonly traces: RequestTraces | null,
  ) {}

  begin(endpoint: Endpoint, call: Call): void {
    this.traces?.begin(endpoint, call);
  }

  observe(endpoint: Endpoint, call: Call, reply: Reply): void {
    const { status, startedAt, endedAt, code } = call.record;
    this.metrics.observe(endpoint, status, (endedAt - startedAt) / 1_000, code);
    this.log.note(endpoint, call, reply);
    this.traces?.end(call);
  }
}
