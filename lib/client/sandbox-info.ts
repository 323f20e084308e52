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
