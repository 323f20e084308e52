import { measureHistory, RequestHistory } from '../../billing/requests/request-history';
import type { Database } from '../../db/schema';
import type { StoreStatus } from '../../db/store-status';
import type { Call, Reply } from '../../http/call';
import type { Endpoint, RequestObserver } from '../../http/endpoint';
import type { HeldMemory } from '../../http/held-memory/held-memory';
import type { Speech } from '../../speech/speech';
import { accountNames } from '../../telemetry/account-name';
import type { Metrics } from '../../telemetry/metrics';
import { openOtlpTracing, type Tracing } from '../../telemetry/otlp-tracing';
import type { ModelUpstream } from '../../upstreams/models/model-upstream';
import { billingRequests } from '../billing/requests';
import { RequestLog } from '../request-log';
import { RequestMetrics } from '../request-metrics';
import { RequestTraces } from '../request-traces';
import type { Capability, Ground } from './capability';

/** Opens each account's request history, which the console shows. */
export function openHistory(
  { config, log, metrics, now }: Ground,
  { db, status }: { db: Database; status: Pick<StoreStatus, 'trouble'> },
) {
  const isFull = (): boolean => status.trouble === 'full';
  const history = new RequestHistory({ db, config: config.retention.requests, isFull, now, log });
  history.start();
  measureHistory(metrics, history);
  return {
    history,
    endpoints: ({ auth }) => [billingRequests({ auth, db, now })],
    close: () => history.stop(),
  } satisfies Capability & { history: RequestHistory };
}

/** Starts sending traces, if configured. */
export async function openTracing({ config: { otlp }, log }: Ground) {
  const onFailure = (reason: string): void => log.warn({ reason }, 'sending traces failed');
  const tracing = otlp && (await openOtlpTracing({ ...otlp, onFailure }));
  return { tracing, close: () => tracing?.close() } satisfies Capability & { tracing: Tracing | null };
}

interface Needs {
  /** All endpoints. Metrics, log and traces label each request with its endpoint's path. */
  endpoints: readonly Endpoint[];
  tracing: Tracing | null;
  history: RequestHistory;
}

export function watchRequests({ config, log, metrics }: Ground, { endpoints, tracing, history }: Needs) {
  const watched = { endpoints, accountName: accountNames(config.secret) };
  const requests = new RequestMetrics(metrics, endpoints);
  const traces = config.otlp && tracing && new RequestTraces({ ...watched, tracing, share: config.otlp.share });
  const requestLog = new RequestLog({ ...watched, log, config: config.log.requests });
  return { requests, observer: new RequestWatch(requests, requestLog, traces, history) };
}

class RequestWatch implements RequestObserver {
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
    // The cost of a broken stream is known only once the stream is charged.
    if (record.isOpen) record.whenClosed(() => this.history.note(product, record, requestId));
    else this.history.note(product, record, requestId);
  }
}

type Servers = readonly Pick<ModelUpstream, 'name' | 'slots'>[];

/** Registers a metric of how many requests run or wait at each model server. */
export function measureModelServers(metrics: Metrics, serversOf: () => Readonly<Record<string, Servers>>): void {
  metrics.gauge(
    {
      name: 'turnpike_model_requests',
      help: 'Requests of callers to a model server: running, or waiting for a slot.',
      labels: ['service', 'upstream', 'state'],
    },
    (say) => {
      for (const [service, servers] of Object.entries(serversOf()))
        for (const { name: upstream, slots } of servers) {
          say({ service, upstream, state: 'running' }, slots.taken);
          say({ service, upstream, state: 'waiting' }, slots.waiting);
        }
    },
  );
}

/** Registers metrics of queue lengths, and of the memory that large answers occupy. */
export function measureQueues(
  metrics: Metrics,
  { memory, speech }: { memory: Pick<HeldMemory, 'figures'>; speech: Pick<Speech, 'turns' | 'encoders'> },
): void {
  metrics.gauge(
    {
      name: 'turnpike_queue_length',
      help: 'Waiting work: large answers for memory, speech requests for a turn, audio for an encoder.',
      labels: ['queue'],
    },
    (say) => {
      say({ queue: 'answers' }, memory.figures.waiting);
      say({ queue: 'speech' }, speech.turns.waiting);
      say({ queue: 'encoders' }, speech.encoders.load.waiting);
    },
  );
  metrics.gauge(
    {
      name: 'turnpike_answers_held_bytes',
      help: 'Memory of large answers, from their first byte until the caller has read them.',
      labels: [],
    },
    (say) => say({}, memory.figures.heldBytes),
  );
  metrics.counter(
    {
      name: 'turnpike_readers_given_up_total',
      help: 'Callers that were disconnected because they did not read a large answer in time.',
      labels: [],
    },
    (say) => say({}, memory.figures.givenUpTotal),
  );
}
