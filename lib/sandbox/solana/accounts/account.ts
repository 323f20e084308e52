export interface Account {
  lamports: bigint;
  data: Uint8Array;
  /** Program that may change the account. */
  owner: Uint8Array;
  executable: boolean;
}

/** Rent epoch of every account: the largest u64, because Solana no longer collects rent. */
export const RENT_EXEMPT_EPOCH = 18_446_744_073_709_551_615n;
