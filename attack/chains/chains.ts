/** Attacker's access to the chains of the payments. */
export interface Chains {
  rpcUrl(network: string): string;
  /** Funds an address with USDC and native coins. @throws Error if the faucet fails */
  fund(address: string): Promise<void>;
  /** True if the attacker can call methods that rewrite a chain. */
  canControl: boolean;
}

export const BASE = { slug: 'base-mainnet', caip2: 'eip155:8453', chainId: 8453 } as const;
export const SOLANA = { slug: 'solana-mainnet', caip2: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' } as const;
/** The sandbox's own chain. Its rail uses the gateway's default number of confirmations. */
export const TESTNET = { slug: 'sandbox-testnet', caip2: 'eip155:31337', chainId: 31337 } as const;

const TIMEOUT_MS = 30_000;

/** Makes one JSON-RPC call. @throws Error with the node's error */
export async function callRpc<Result>(url: string, method: string, params: readonly unknown[] = []): Promise<Result> {
  const { result, error } = await post(url, { jsonrpc: '2.0', id: 1, method, params });
  if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
  return result as Result;
}

/** Returns the simulated chains at the sandbox process's origin. */
export function standInChains(url: string): Chains {
  return {
    rpcUrl: (network) => `${url}/${network.startsWith('solana') ? 'solana' : 'evm'}/${network}`,
    fund: (address) => fundBy(`${url}/faucet`, address),
    canControl: true,
  };
}

/** Returns a sandbox gateway's simulated chains at the URLs that its pages use. */
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
