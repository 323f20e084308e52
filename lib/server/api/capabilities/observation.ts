import type { RequestHistory } from '../../billing/requests/request-history';
import type { Endpoint } from '../../http/endpoint';
import { accountNames } from '../../telemetry/account-name';
import { openOtlpTracing, type Tracing } from '../../telemetry/otlp-tracing';
import { RequestLog } from '../request-log';
import { RequestMetrics } from '../request-metrics';
import { RequestTraces } from '../request-traces';
import { RequestWatch } from '../request-watch';
import type { Capability } from './capability';
import type { Ground } from './ground';

/** Starts sending traces, if configured. */
export async function openTracing({ config: { otlp }, log }: Ground) {
  const onFailure = (reason: string): void => log.warn({ reason }, 'sending traces failed');
  const tracing = otlp && (await openOtlpTracing({ ...otlp, onFailure }));
  return { tracing, close: () => tracing?.close() } satisfies Capability & { tracing: Tracing | null };
}

interface Needs {
  /** All endpoints, for the names of their paths. */
  endpoints: readonly Endpoint[];
  tracing: Tracing | null;
  history: RequestHistory;
}

/** Observes requests for metrics, log, traces and history. */
export function watchRequests({ config, log, metrics }: Ground, { endpoints, tracing, history }: Needs) {
  const watched = { endpoints, accountName: accountNames(config.secret) };
  const requests = new RequestMetrics(metrics, endpoints);
  const traces = config.otlp && tracing && new RequestTraces({ ...watched, tracing, share: config.otlp.share });
  const requestLog = new RequestLog({ ...watched, log, config: config.log.requests });
  return { requests, observer: new RequestWatch(requests, requestLog, traces, history) };
}
