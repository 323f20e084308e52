import type { SignedPayment } from '@/lib/client/top-up';
import type { WithdrawalDraft } from '@/lib/client/withdrawals';
import type { WalletFamily } from '@/lib/protocol/wallet-address';
import type { PaymentRequirements } from '@/lib/protocol/x402/requirements';

export interface Wallet {
  family: WalletFamily;
  /** True if the wallet asks a person for each signature. */
  asksPerson: boolean;
  /** Connects if needed and returns the signing address. */
  address(): Promise<string>;
  /** Signs the text of a sign-in. @returns hex on EVM, Base64 on Solana */
  signText(text: string): Promise<string>;
  /** Signs a withdrawal on a chain of the wallet's family. @returns hex on EVM, Base64 on Solana */
  signWithdrawal(draft: WithdrawalDraft): Promise<string>;
  pay(accepted: PaymentRequirements, how: PaymentWay): Promise<PayablePayment>;
}

interface PaymentWay {
  /** URL of a Solana node; null if unknown. */
  solanaRpcUrl: string | null;
  /** Validity in seconds, on chains that let the signer choose it. */
  validSeconds: number;
}

/** Payment, with the time until which its chain would execute it, in Unix milliseconds. */
export interface PayablePayment {
  payment: SignedPayment;
  executableUntilMs: number;
}
