export type SandboxContract =
  | 'stakeToken'
  | 'staking'
  | 'dailyCreditToken'
  | 'dailyCreditPool'
  | 'usdc'
  | 'smartWalletFactory';

/**
 * Contract addresses on the sandbox's chain and its Base simulator. With CREATE2, no other code can have these
 * addresses on any chain.
 */
export const SANDBOX_CONTRACTS = {
  /** Token TPK, 18 decimals (MINTABLE_TOKEN_ABI). */
  stakeToken: '0x1352fc8e13B674bB2Ca24ab8c84936d1702BF859',
  staking: '0x990C2751391a6aC235402D1EcFF640Afd0B2960f',
  /** Token TOLL, 18 decimals (MINTABLE_TOKEN_ABI). */
  dailyCreditToken: '0xefeee9692c0a6550739755692b49F0efd13DABD5',
  /** Contract for staking TOLL (STAKING_ABI). */
  dailyCreditPool: '0xF09A412aBC45f41eE53Da129ea67Ee41C0aE4A12',
  /** USDC with EIP-3009, 6 decimals (AUTHORIZABLE_USD_ABI). */
  usdc: '0x9Ca0baA2180a88E97f610d07Bc4aAEA97e0c6C64',
  smartWalletFactory: '0xa7DE1d670bd956A5D3C167FB3Ae53A0351e071B5',
} as const satisfies Record<SandboxContract, `0x${string}`>;

export const SANDBOX_CONTRACT_NETWORKS: readonly string[] = ['sandbox-testnet', 'base-mainnet'];

/** SPL mint of the sandbox's USDC on the Solana simulators, 6 decimals. The address has no private key. */
export const SANDBOX_USDC_MINT = 'BJ9e1KRowaHXFFX12H3QCY8JM4Q6L2wLRgMsyZofAXWq';
