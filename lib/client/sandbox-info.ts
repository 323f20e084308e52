import { list, members, nullable, number, object, oneOf, record, type Schema, text } from './answer-schema';
import { type CallOptions, exchanger, fitting, type TurnpikeClientOptions } from './exchange';

/** What GET /api/sandbox tells: the stand-ins of this installation, and a key to try them with. */
export interface SandboxInfo {
  profile: 'sandbox';
  /** A working API key derived from this installation's secret. */
  demoKey: string;
  evm: readonly SandboxEvmChain[];
  solana: SandboxSolanaChain | null;
  /** The simulated enclave: `root` is its certificate, DER in base64, for `attestationPolicy`; null where there is none. */
  enclave: { root: string } | null;
}

/** The Solana stand-in that people's wallets use. */
export interface SandboxSolanaChain {
  network: string;
  rpcUrl: string;
  /** Of its subscriptions: the `wsEndpoint` of @solana/web3.js, the subscriptions address of @solana/kit. */
  wsUrl: string;
  /** The mint of the sandbox's USDC; null until there is one. */
  usdcMint: string | null;
}

export interface SandboxEvmChain {
  network: string;
  chainId: number;
  rpcUrl: string;
  /** Addresses by role (`usdc`, `stakeToken`, …); null until deployed. */
  contracts: Readonly<Record<string, string | null>>;
}

/** What a faucet call did, as the gateway tells it: free-form, shown rather than interpreted. */
export type FaucetReceipt = Readonly<Record<string, unknown>>;

const sandbox: Schema<SandboxInfo> = object({
  profile: oneOf(['sandbox']),
  demoKey: text,
  evm: list(object({ network: text, chainId: number, rpcUrl: text, contracts: record(nullable(text)) })),
  solana: nullable(object({ network: text, rpcUrl: text, wsUrl: text, usdcMint: nullable(text) })),
  enclave: nullable(object({ root: text })),
});

/** The stand-ins of this installation, or null where the gateway runs live. @throws GatewayError, UnreachableError */
export async function askSandbox(
  options: TurnpikeClientOptions,
  callOptions: CallOptions = {},
): Promise<SandboxInfo | null> {
  const answer = await exchanger(options)('GET', '/api/sandbox', { ...callOptions, absentStatus: 404 });
  return answer.absent ? null : fitting(sandbox, answer);
}

/** Funds an EVM or Solana address on the stand-in chains of its family. Sandbox only. @throws GatewayError, UnreachableError */
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
