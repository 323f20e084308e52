import { list, members, nullable, number, object, oneOf, record, type Schema, text } from './answer-schema';
import { type CallOptions, exchanger, fitting, type TurnpikeClientOptions } from './exchange';

/** Answer of GET /api/sandbox: this installation's simulators and demo key. */
export interface SandboxInfo {
  profile: 'sandbox';
  /** Working API key, derived from this installation's secret. */
  demoKey: string;
  evm: readonly SandboxEvmChain[];
  solana: SandboxSolanaChain | null;
  /** Simulated enclave. `root` is its root certificate for `attestationPolicy`, base64 of DER. */
  enclave: { root: string } | null;
}

interface SandboxSolanaChain {
  network: string;
  rpcUrl: string;
  /** WebSocket URL: `wsEndpoint` in @solana/web3.js, the subscriptions address in @solana/kit. */
  wsUrl: string;
  /** Mint of the sandbox's USDC; null before the mint exists. */
  usdcMint: string | null;
}

export interface SandboxEvmChain {
  network: string;
  chainId: number;
  rpcUrl: string;
  /** Contract addresses by role (`usdc`, `stakeToken`, …); null until deployed. */
  contracts: Readonly<Record<string, string | null>>;
}

export type FaucetReceipt = Readonly<Record<string, unknown>>;

const sandbox: Schema<SandboxInfo> = object({
  profile: oneOf(['sandbox']),
  demoKey: text,
  evm: list(object({ network: text, chainId: number, rpcUrl: text, contracts: record(nullable(text)) })),
  solana: nullable(object({ network: text, rpcUrl: text, wsUrl: text, usdcMint: nullable(text) })),
  enclave: nullable(object({ root: text })),
});

/**
 * Fetches details of this installation's simulators; null outside a sandbox.
 *
 * @throws {GatewayError | UnreachableError}
 */
export async function askSandbox(
  options: TurnpikeClientOptions,
  callOptions: CallOptions = {},
): Promise<SandboxInfo | null> {
  const answer = await exchanger(options)('GET', '/api/sandbox', { ...callOptions, absentStatus: 404 });
  return answer.absent ? null : fitting(sandbox, answer);
}

/**
 * Funds an address on the simulated chains. The address format selects EVM or Solana. Sandbox only.
 *
 * @throws {GatewayError | UnreachableError}
 */
export async function askFaucet(
  options: TurnpikeClientOptions,
  address: string,
  callOptions: CallOptions = {},
): Promise<FaucetReceipt> {
  return fitting(
    members,
    await exchanger(options)('POST', '/api/sandbox/faucet', {
      ...callOptions,
      requestText: JSON.stringify({ address }),
    }),
  );
}
