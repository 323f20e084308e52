import { type GatewayUnderTest, startGateway } from './gateway-under-test';

/** What GET /api/sandbox tells. */
export interface SandboxDescription {
  profile: 'sandbox';
  demoKey: string;
  evm: { network: string; chainId: number; rpcUrl: string; contracts: Record<string, string | null> }[];
  solana: { network: string; rpcUrl: string; wsUrl: string; usdcMint: string | null } | null;
  enclave: { root: string } | null;
}

/** A gateway of the sandbox profile with its stand-in chains, and what it tells of them. @param config settings beside the usual. */
export async function startSandboxGateway(
  config: object = {},
): Promise<{ gateway: GatewayUnderTest; sandbox: SandboxDescription }> {
  const gateway = await startGateway({
    profile: 'sandbox',
    config: { limits: { publicRequestsPerMinutePerIp: 100_000 }, ...config },
  });
  try {
    const { json } = await gateway.ask({ method: 'GET', path: '/api/sandbox' });
    return { gateway, sandbox: json as SandboxDescription };
  } catch (error) {
    await gateway.stop();
    throw error;
  }
}
