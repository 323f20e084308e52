import type { Metrics } from '../telemetry/metrics';
import type { Charge } from './meter';
import type { OpenCalls } from './open-calls';

/** Of a resource such as `rpc/ethereum-mainnet`: models and networks may be many, services are few. */
const SERVICES = ['rpc', 'chat', 'audio', 'speech', 'video'];
const OTHER = 'other';

interface Charged {
  charges: number;
  credits: number;
  nanoUsd: number;
}

/** What this process has charged since its start, by what was bought. The ledger is the truth; this shows its pace. */
export class ChargeTally {
  readonly #byService = new Map<string, Charged>(
    [...SERVICES, OTHER].map((service) => [service, { charges: 0, credits: 0, nanoUsd: 0 }]),
  );

  /** A charge that is committed. */
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

/** What is charged and what is held. */
export function measureBilling(
  metrics: Metrics,
  { charges, openCalls }: { charges: ChargeTally; openCalls: OpenCalls },
): void {
  const total = (name: string, help: string, value: (charged: Charged) => number): void =>
    metrics.counter({ name, help, labels: ['service'] }, (say) => {
      for (const [service, charged] of charges.entries()) say({ service }, value(charged));
    });
  total('turnpike_charges_total', 'Charges that were committed, by what was bought.', (charged) => charged.charges);
  total('turnpike_charged_credits_total', 'Credits that were charged.', ({ credits }) => credits);
  total('turnpike_charged_nano_usd_total', 'Billionths of a dollar that were charged.', ({ nanoUsd }) => nanoUsd);
  metrics.gauge(
    {
      name: 'turnpike_reservations_open',
      help: 'Paid calls of this process that are admitted, and neither settled nor released.',
      labels: [],
    },
    (say) => say({}, openCalls.count),
  );
}
