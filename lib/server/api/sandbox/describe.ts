import { json } from '../../http/call';
import type { Endpoint, Route } from '../../http/endpoint';
import { requireKnownHost } from '../../http/known-host';
import type { AttestationPolicy } from '@/lib/protocol/tee/policy';
import type { SandboxAccess } from './sandbox-access';

interface EvmStatus {
  network: string;
  chainId: number;
  contracts: Record<string, string | null>;
}

interface SolanaStatus {
  network: string;
  usdcMint: string | null;
}

const WALLET_SOLANA_NETWORK = 'solana-devnet';

export const sandboxRoute: Route = { path: '/api/sandbox', sameOrigin: true };

interface SandboxParts {
  sandbox: SandboxAccess;
  origin: string;
  publicUrls: readonly string[];
  attestationRoots: AttestationPolicy['roots'];
}

/**
 * GET /api/sandbox: the demo key, URLs of the simulated chains, and the root certificate of the simulated enclave. Only
 * in the sandbox.
 */
export function sandboxDescription({ sandbox, origin, publicUrls, attestationRoots }: SandboxParts): Endpoint {
  return {
    ...sandboxRoute,
    GET: async (call) => {
      requireKnownHost(call, publicUrls);
      const status = await sandbox.status();
      const evm = (status.evm as EvmStatus[]).map(({ network, chainId, contracts }) => ({
        network,
        chainId,
        rpcUrl: `${origin}/api/sandbox/rpc/${network}`,
        contracts,
      }));
      const devnet = (status.solana as SolanaStatus[]).find(({ network }) => network === WALLET_SOLANA_NETWORK);
      const solana = devnet && {
        network: devnet.network,
        rpcUrl: `${origin}/api/sandbox/rpc/${devnet.network}`,
        wsUrl: sandbox.webSocketUrl(devnet.network, origin),
        usdcMint: devnet.usdcMint,
      };
      const simulated = attestationRoots.find(({ isSimulated }) => isSimulated);
      const enclave = simulated ? { root: Buffer.from(simulated.certificate.der).toString('base64') } : null;
      return {
        ...json({ profile: 'sandbox', demoKey: sandbox.demoKey, evm, solana: solana ?? null, enclave }),
        isVerbatim: true,
      };
    },
  };
}
