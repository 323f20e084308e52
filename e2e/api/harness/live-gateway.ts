import { type GatewayUnderTest, startGateway } from './gateway-under-test';
import { SPECIFIED_SLUGS } from './specified-networks';
import { StubUpstream } from './stub-upstream';

/** Settings under which the stub sees exactly the callers' requests: no health checks, and no cache. */
const PLAIN_RPC = { cacheBytesMax: 0, healthChecks: { intervalMs: 0 } };

/** The one of the specified networks that has no upstream. */
export const UNCONFIGURED_NETWORK = 'linea-sepolia';

/** A gateway of the live profile, and the stub that is every network's node. */
export interface LiveGateway {
  gateway: GatewayUnderTest;
  stub: StubUpstream;
  stop(): Promise<void>;
}

export interface LiveOptions {
  /** Further networks, by slug. */
  networks?: (stub: StubUpstream) => Record<string, object>;
  rpc?: object;
  /** How much of large answers is held. */
  memory?: object;
  /** What is given here replaces limits that are out of every test's way. */
  limits?: object;
  pricePerCreditUsd?: string;
}

/**
 * Starts both. All specified networks but one are configured in the file; the upstream of ethereum-mainnet comes
 * from the environment alone.
 */
export async function startLiveGateway({
  networks,
  rpc = {},
  memory,
  limits,
  pricePerCreditUsd,
}: LiveOptions = {}): Promise<LiveGateway> {
  const stub = await new StubUpstream().start();
  const inFile = SPECIFIED_SLUGS.filter((slug) => slug !== UNCONFIGURED_NETWORK && slug !== 'ethereum-mainnet');
  const config = {
    // The stub answers everything alike, and is believed to be of each chain.
    networks: {
      'ethereum-mainnet': { chainIdentity: false },
      ...Object.fromEntries(inFile.map((slug) => [slug, { upstreams: [stub.url(slug)], chainIdentity: false }])),
      ...believed(networks?.(stub) ?? {}),
    },
    rpc: { ...PLAIN_RPC, ...rpc },
    ...(memory && { memory }),
    limits: limits ?? { publicRequestsPerMinutePerIp: 100_000 },
    ...(pricePerCreditUsd === undefined ? {} : { pricePerCreditUsd }),
  };
  const gateway = await startGateway({
    profile: 'live',
    config,
    env: { RPC_ETHEREUM_MAINNET: stub.url('ethereum-mainnet') },
  }).catch(async (error: unknown) => {
    await stub.stop();
    throw error;
  });
  return {
    gateway,
    stub,
    stop: async () => {
      await gateway.stop();
      await stub.stop();
    },
  };
}

/** Further networks, whose chain has to be stated, or left unasked as here. */
function believed(networks: Record<string, object>): Record<string, object> {
  return Object.fromEntries(
    Object.entries(networks).map(([slug, settings]) => [slug, { chainIdentity: false, ...settings }]),
  );
}
