import type { Metrics } from '../../telemetry/metrics';
import type { RequestHistory } from './request-history';

/** Registers metrics of written, dropped and waiting requests. */
export function measureHistory(metrics: Metrics, history: Pick<RequestHistory, 'figures'>): void {
  metrics.counter(
    {
      name: 'turnpike_request_history_total',
      help: 'Requests for the log of each account: written, or dropped for lack of room in memory.',
      labels: ['outcome'],
    },
    (say) => {
      const { written, dropped } = history.figures;
      say({ outcome: 'written' }, written);
      say({ outcome: 'dropped' }, dropped);
    },
  );
  metrics.gauge(
    {
      name: 'turnpike_request_history_waiting',
      help: 'Requests in memory that are not yet in the log of their account.',
      labels: [],
    },
    (say) => say({}, history.figures.waiting),
  );
}
