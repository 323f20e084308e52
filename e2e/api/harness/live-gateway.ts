import { type GatewayUnderTest, startGateway } from './gateway-under-test';
import { SPECIFIED_SLUGS } from './specified-networks';
import { StubUpstream } from './stub-upstream';

/** Settings with which the stub gets only callers' requests: no health checks and no cache. */
const PLAIN_RPC = { cacheBytesMax: 0, healthChecks: { intervalMs: 0 } };

/** The only specified network without an upstream. */
export const UNCONFIGURED_NETWORK = 'linea-sepolia';

/** Gateway of the live profile. The stub is the node of all its networks. */
export interface LiveGateway {
  gateway: GatewayUnderTest;
  stub: StubUpstream;
  stop(): Promise<void>;
}

export interface LiveOptions {
  /** Additional networks, by slug. */
  networks?: (stub: StubUpstream) => Record<string, object>;
  rpc?: object;
  /** Limits for held memory of large answers. */
  memory?: object;
  /** Replaces the default limits, which no test reaches. */
  limits?: object;
  pricePerCreditUsd?: string;
}

/**
 * Starts the gateway and its stub. The config file contains all specified networks except one. The environment sets the
 * upstream of ethereum-mainnet.
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
    // Turns off the chain check, because the stub gives the same answers for all networks.
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

/** Additional networks must state a chain, or turn off its check, as here. */
function believed(networks: Record<string, object>): Record<string, object> {
  return Object.fromEntries(
    Object.entries(networks).map(([slug, settings]) => [slug, { chainIdentity: false, ...settings }]),
  );
}
