/** The chains that payments move on, as an attacker reaches them. */
export interface Chains {
  /** JSON-RPC of a network by its slug. */
  rpcUrl(network: string): string;
  /** Gives an address USDC and the chain's coin. @throws Error where it does not */
  fund(address: string): Promise<void>;
  /** Whether methods that rewrite a chain reach it. */
  canControl: boolean;
}

export const BASE = { slug: 'base-mainnet', caip2: 'eip155:8453', chainId: 8453 } as const;
export const SOLANA = { slug: 'solana-mainnet', caip2: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' } as const;
/** The sandbox's own chain. Its rail has the gateway's default of confirmations. */
export const TESTNET = { slug: 'sandbox-testnet', caip2: 'eip155:31337', chainId: 31337 } as const;

const TIMEOUT_MS = 30_000;

/** One JSON-RPC call. @throws Error with what the node said */
export async function callRpc<Result>(url: string, method: string, params: readonly unknown[] = []): Promise<Result> {
  const { result, error } = await post(url, { jsonrpc: '2.0', id: 1, method, params });
  if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
  return result as Result;
}

/** Stand-ins by the origin of their process. */
export function standInChains(url: string): Chains {
  return {
    rpcUrl: (network) => `${url}/${network.startsWith('solana') ? 'solana' : 'evm'}/${network}`,
    fund: (address) => fundBy(`${url}/faucet`, address),
    canControl: true,
  };
}

/** The stand-ins of a sandbox gateway, as the gateway lets pages reach them. */
export function sandboxChains(gatewayUrl: string): Chains {
  return {
    rpcUrl: (network) => `${gatewayUrl}/api/sandbox/rpc/${network}`,
    fund: (address) => fundBy(`${gatewayUrl}/api/sandbox/faucet`, address),
    canControl: false,
  };
}

async function fundBy(url: string, address: string): Promise<void> {
  const answer = await post(url, { address });
  if (answer.error !== undefined)
    throw new Error(`The faucet did not fund ${address}: ${JSON.stringify(answer.error)}`);
}

async function post(url: string, body: unknown): Promise<{ result?: unknown; error?: unknown }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  return (await response.json()) as { result?: unknown; error?: unknown };
}
