import type { RequestHistory } from '../billing/requests/request-history';
import type { Call, Reply } from '../http/call';
import type { Endpoint, RequestObserver } from '../http/endpoint';
import type { RequestLog } from './request-log';
import type { RequestMetrics } from './request-metrics';
import type { RequestTraces } from './request-traces';

/** Reports each request to the metrics, the operator's log, the account's history, and the enabled traces. */
export class RequestWatch implements RequestObserver {
  constructor(
    private readonly metrics: RequestMetrics,
    private readonly log: RequestLog,
    private readonly traces: RequestTraces | null,
    private readonly history: RequestHistory,
  ) {}

  begin(endpoint: Endpoint, call: Call): void {
    this.traces?.begin(endpoint, call);
  }

  observe(endpoint: Endpoint, call: Call, reply: Reply): void {
    const { status, startedAt, endedAt, code } = call.record;
    this.metrics.observe(endpoint, status, (endedAt - startedAt) / 1_000, code);
    this.log.note(endpoint, call, reply);
    this.traces?.end(call);
    const product = endpoint.docs?.POST?.sale?.product;
    if (product === undefined || call.method !== 'POST') return;
    const { record, requestId } = call;
    // The cost of a broken stream is known only after its charge.
    if (record.isOpen) record.whenClosed(() => this.history.note(product, record, requestId));
    else this.history.note(product, record, requestId);
  }
}
