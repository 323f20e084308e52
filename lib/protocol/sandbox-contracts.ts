/** The contracts of the sandbox, by what they are for. */
export type SandboxContract =
  | 'stakeToken'
  | 'staking'
  | 'dailyCreditToken'
  | 'dailyCreditPool'
  | 'usdc'
  | 'smartWalletFactory';

/**
 * Where the sandbox's contracts are, on its own chain and on the stand-in of Base alike. CREATE2 makes the addresses
 * out of the contracts' code and the faucet as their minter, so that nothing else can ever be there, on any chain.
 */
export const SANDBOX_CONTRACTS = {
  /** TPK, 18 decimals. MINTABLE_TOKEN_ABI. */
  stakeToken: '0x1352fc8e13B674bB2Ca24ab8c84936d1702BF859',
  /** Where TPK is staked. STAKING_ABI. */
  staking: '0x990C2751391a6aC235402D1EcFF640Afd0B2960f',
  /** TOLL, 18 decimals. MINTABLE_TOKEN_ABI. */
  dailyCreditToken: '0xefeee9692c0a6550739755692b49F0efd13DABD5',
  /** Where TOLL is staked. STAKING_ABI. */
  dailyCreditPool: '0xF09A412aBC45f41eE53Da129ea67Ee41C0aE4A12',
  /** USDC, 6 decimals, with EIP-3009. AUTHORIZABLE_USD_ABI. */
  usdc: '0x9Ca0baA2180a88E97f610d07Bc4aAEA97e0c6C64',
  /** Deploys smart-contract wallets. SMART_WALLET_FACTORY_ABI. */
  smartWalletFactory: '0xa7DE1d670bd956A5D3C167FB3Ae53A0351e071B5',
} as const satisfies Record<SandboxContract, `0x${string}`>;

/** The networks of the sandbox on which they are deployed. */
export const SANDBOX_CONTRACT_NETWORKS: readonly string[] = ['sandbox-testnet', 'base-mainnet'];

/** The sandbox's USDC on the stand-ins of Solana's networks: an SPL mint of 6 decimals. No key belongs to the address. */
export const SANDBOX_USDC_MINT = 'BJ9e1KRowaHXFFX12H3QCY8JM4Q6L2wLRgMsyZofAXWq';
