import type { SignedPayment } from '@/lib/client/top-up';
import type { WalletFamily } from '@/lib/protocol/wallet-address';
import type { PaymentRequirements } from '@/lib/protocol/x402/requirements';

/** A wallet, whatever it came as. */
export interface Wallet {
  family: WalletFamily;
  /** Whether a person is asked for each signature. */
  asksPerson: boolean;
  /** Connects where it has to, and says which address signs. */
  address(): Promise<string>;
  /** Signs the text of a sign-in. @returns hex on EVM, Base64 on Solana */
  signText(text: string): Promise<string>;
  /** Signs exactly this payment. */
  pay(accepted: PaymentRequirements, chain: PaymentChain): Promise<SignedPayment>;
}

/** What a payment may have to ask its chain. */
export interface PaymentChain {
  /** Of a Solana node; null where none is known. */
  solanaRpcUrl: string | null;
}
