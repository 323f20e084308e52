import { json } from '../../http/call';
import type { Endpoint } from '../../http/endpoint';

interface EvmStatus {
  network: string;
  chainId: number;
  contracts: Record<string, string | null>;
}

/** GET /api/sandbox: the demo key and where the stand-in chains are. Absent in live. */
export const sandboxDescription: Endpoint = {
  path: '/api/sandbox',
  sameOrigin: true,
  GET: async (_call, { sandbox, origin }) => {
    const status = await sandbox!.status();
    const evm = (status.evm as EvmStatus[]).map(({ network, chainId, contracts }) => ({
      network,
      chainId,
      rpcUrl: `${origin}/api/sandbox/rpc/${network}`,
      contracts,
    }));
    return json({ profile: 'sandbox', demoKey: sandbox!.demoKey, evm, solana: status.solana ?? null }, 200, { 'cache-control': 'no-store' });
  },
};
