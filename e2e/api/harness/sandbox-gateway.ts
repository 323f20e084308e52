import { type GatewayUnderTest, startGateway } from './gateway-under-test';

/** Answer of GET /api/sandbox. */
export interface SandboxDescription {
  profile: 'sandbox';
  demoKey: string;
  evm: { network: string; chainId: number; rpcUrl: string; contracts: Record<string, string | null> }[];
  solana: { network: string; rpcUrl: string; wsUrl: string; usdcMint: string | null } | null;
  enclave: { root: string } | null;
}

/** Starts a gateway of the sandbox profile with its stand-in chains. @param config additional settings */
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
