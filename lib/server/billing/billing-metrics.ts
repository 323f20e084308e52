import type { Metrics } from '../telemetry/metrics';
import type { Charge } from './meter';
import type { OpenCalls } from './open-calls';

/** First segments of resource names (`rpc` in `rpc/ethereum-mainnet`), used as metric labels. */
const SERVICES = ['rpc', 'chat', 'audio', 'speech', 'transcriptions', 'embeddings', 'images', 'video'];
const OTHER = 'other';

interface Charged {
  charges: number;
  credits: number;
  nanoUsd: number;
}

/** Counts this process's charges by service. */
export class ChargeTally {
  readonly #byService = new Map<string, Charged>(
    [...SERVICES, OTHER].map((service) => [service, { charges: 0, credits: 0, nanoUsd: 0 }]),
  );

  add({ resource, credits, amountNanoUsd }: Pick<Charge, 'resource' | 'credits' | 'amountNanoUsd'>): void {
    const end = resource.indexOf('/');
    const charged =
      this.#byService.get(end < 0 ? resource : resource.slice(0, end)) ?? (this.#byService.get(OTHER) as Charged);
    charged.charges++;
    charged.credits += credits;
    charged.nanoUsd += amountNanoUsd;
  }

  entries(): IterableIterator<[string, Charged]> {
    return this.#byService.entries();
  }
}

export function measureBilling(
  metrics: Metrics,
  { charges, openCalls }: { charges: ChargeTally; openCalls: OpenCalls },
): void {
  const total = (name: string, help: string, value: (charged: Charged) => number): void =>
    metrics.counter({ name, help, labels: ['service'] }, (say) => {
      for (const [service, charged] of charges.entries()) say({ service }, value(charged));
    });
  total('turnpike_charges_total', 'Committed charges, by resource.', (charged) => charged.charges);
  total('turnpike_charged_credits_total', 'Charged credits.', ({ credits }) => credits);
  total('turnpike_charged_nano_usd_total', 'Charged amount in billionths of a dollar.', ({ nanoUsd }) => nanoUsd);
  metrics.gauge(
    {
      name: 'turnpike_reservations_open',
      help: 'Admitted paid calls of this process that are neither settled nor released yet.',
      labels: [],
    },
    (say) => say({}, openCalls.count),
  );
}
