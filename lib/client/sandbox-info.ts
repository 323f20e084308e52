/** What GET /api/sandbox tells: the stand-ins of this installation, and a key to try them with. */
export interface SandboxInfo {
  profile: 'sandbox';
  /** A working API key derived from this installation's secret. */
  demoKey: string;
  evm: readonly SandboxEvmChain[];
  solana: { rpcUrl: string; usdcMint: string | null } | null;
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
