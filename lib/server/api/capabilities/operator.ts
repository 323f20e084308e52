import { type GatewayFigures, gatewayFiguresSchema, type OperatorFigures } from '@/lib/protocol/operator-figures';
import { Operators } from '../../auth/operators';
import type { SignInVerifier } from '../../auth/sign-in-verifier';
import type { OpenCalls } from '../../billing/open-calls';
import { MarginSums } from '../../billing/margins/operator-margins';
import { costsOf } from '../../billing/margins/unit-costs';
import { OperatorBooks } from '../../billing/operator-figures';
import type { Database } from '../../db/schema';
import { Drain } from '../../http/drain-server';
import { networkHealthOf, unreadyNetworks } from '../../rpc/network-health';
import type { RpcNetworks } from '../../upstreams/nodes/networks';
import { operatorFigures } from '../operator/figures';
import { operatorMargins } from '../operator/margins';
import { livez, readyz } from '../probes';
import { DailyTraffic } from '../daily-traffic';
import type { RequestMetrics } from '../request-metrics';
import type { Capability, Ground } from './capability';

interface FigureParts {
  startedAt: number;
  drain: Pick<Drain, 'isDraining'>;
  openCalls: Pick<OpenCalls, 'count'>;
  /** A function, because the request counts are created after all endpoints. */
  requests: () => Pick<RequestMetrics, 'refusals' | 'traffic' | 'sample'>;
  networks: Pick<RpcNetworks, 'backends'>;
}

/** Returns figures for the operator, without URLs, keys, wallets or accounts. Does not read the database. */
function gatewayFigures({ startedAt, drain, openCalls, requests, networks }: FigureParts): GatewayFigures {
  return {
    startedAt: new Date(startedAt).toISOString(),
    isDraining: drain.isDraining,
    openCalls: openCalls.count,
    traffic: requests().traffic(),
    refusals: Object.fromEntries(requests().refusals()),
    networks: networks.backends().map((backend) => {
      const { network, upstreams } = networkHealthOf(backend);
      return {
        network,
        upstreams: upstreams.map(({ name, state, latencyP50Ms, lagBlocks, lastError }) => ({
          name,
          state,
          latencyP50Ms,
          lagBlocks,
          lastError,
        })),
      };
    }),
  };
}

interface Needs extends Omit<FigureParts, 'startedAt'> {
  db: Database;
  signIn: SignInVerifier;
  /** Sends a command to all gateway processes with the same data folder. */
  askGateways: (
    dataDir: string,
    command: 'status',
    schema: typeof gatewayFiguresSchema,
  ) => Promise<{ pid: number; answer: GatewayFigures | null }[]>;
}

/** Opens the endpoints that show operators the figures of all gateway processes and of the ledger. */
export function openOperator({ config, now, log }: Ground, { db, signIn, askGateways, ...parts }: Needs) {
  const startedAt = now();
  const figures = (): GatewayFigures => gatewayFigures({ startedAt, ...parts });
  const operators = new Operators(config.operators, signIn);
  const traffic = new DailyTraffic({ db, log, now, take: () => parts.requests().sample() });
  const books = new OperatorBooks({ db, now, written: () => traffic.write() });
  const margins = new MarginSums({ db, now });
  // Reads this process's figures directly, because it may have no control socket.
  const gateways = async (): Promise<OperatorFigures['gateways']> => [
    { pid: process.pid, figures: figures() },
    ...(await askGateways(config.dataDir, 'status', gatewayFiguresSchema))
      .filter(({ pid }) => pid !== process.pid)
      .map(({ pid, answer }) => ({ pid, figures: answer })),
  ];
  return {
    figures,
    endpoints: ({ config: current, consoleLimiter }) => [
      operatorFigures({ operators, books, gateways, consoleLimiter }),
      operatorMargins({ operators, margins, costsOf: costsOf(current), consoleLimiter }),
    ],
    close: () => traffic.close(),
  } satisfies Capability & { figures(): GatewayFigures };
}

/** Opens the probes, which tell supervisors and load balancers whether the gateway is ready. */
export function openProbes(
  { config: { readiness } }: Ground,
  { store, networks }: { store: { unready(): Promise<readonly string[]> }; networks: RpcNetworks },
) {
  const drain = new Drain();
  return {
    drain,
    endpoints: () => [
      livez(),
      readyz({
        readiness: {
          drain: () => (drain.isDraining ? ['The gateway is stopping.'] : []),
          store: () => store.unready(),
          networks: () => unreadyNetworks(networks, readiness.networks),
        },
      }),
    ],
  } satisfies Capability & { drain: Drain };
}
