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
  pay(accepted: PaymentRequirements, how: PaymentWay): Promise<PayablePayment>;
}

/** How a payment is signed. */
export interface PaymentWay {
  /** Of a Solana node; null where none is known. */
  solanaRpcUrl: string | null;
  /** For how long it can be executed, where the chain lets its signer say so. */
  validSeconds: number;
}

/** A payment, and until when its chain would execute it. Unix milliseconds. */
export interface PayablePayment {
  payment: SignedPayment;
  executableUntilMs: number;
}
