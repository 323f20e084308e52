/** An account of the chain. */
export interface Account {
  lamports: bigint;
  data: Uint8Array;
  /** The program that may change it. */
  owner: Uint8Array;
  executable: boolean;
}

/** Rent is no longer collected from any account: they all carry this epoch. */
export const RENT_EXEMPT_EPOCH = 18_446_744_073_709_551_615n;
