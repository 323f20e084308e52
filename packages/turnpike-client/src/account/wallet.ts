import { inTime } from '@/lib/client/in-time';
import type { SignedPayment } from '@/lib/client/top-up';
import type { WithdrawalDraft } from '@/lib/client/withdrawals';
import type { WalletFamily } from '@/lib/protocol/wallet-address';
import type { PaymentRequirements } from '@/lib/protocol/x402/payment-required';
import { TurnpikeError } from '../turnpike-error';

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
  /** Account that must pay. */
  from: string;
  /** URL of a Solana node; null if unknown. */
  solanaRpcUrl: string | null;
  /** Validity in seconds, on chains that let the signer choose it. */
  validSeconds: number;
}

/** Payment, with the time (Unix milliseconds) until which the chain would execute it. */
export interface PayablePayment {
  payment: SignedPayment;
  executableUntilMs: number;
}

export type Hex = `0x${string}`;

/** Time for a person to fetch a device and answer. */
const TIMEOUT_MS = 300_000;
/** Code of EIP-1193 for "user rejected", and the equivalents of WalletConnect and ethers. */
const REJECTED_CODES: readonly unknown[] = [4001, 5000, 'ACTION_REJECTED'];
const REJECTED_WORDS =
  /user (rejected|denied|cancell?ed|declined|disapproved)|rejected by user|request rejected|approval denied/i;

/**
 * Sends a wallet a request.
 * @throws {TurnpikeError} WALLET_REFUSED if its owner refuses, WALLET_TIMEOUT after five minutes, WALLET_FAILED with
 * the wallet's message otherwise
 */
export async function asked<T>(request: () => Promise<T>, timeoutMs = TIMEOUT_MS): Promise<T> {
  try {
    return await inTime(request(), timeoutMs, () => new TurnpikeError('WALLET_TIMEOUT'));
  } catch (error) {
    throw walletError(error);
  }
}

function walletError(error: unknown): TurnpikeError {
  if (error instanceof TurnpikeError) return error;
  if (isRejection(error)) return new TurnpikeError('WALLET_REFUSED', { cause: error });
  const words =
    error instanceof Error
      ? error.message.split('\n', 1)[0]
      : typeof error === 'object' && error !== null
        ? (error as { message?: unknown }).message
        : error;
  return new TurnpikeError('WALLET_FAILED', { message: `The wallet did not sign: ${String(words)}`, cause: error });
}

/** Maximum depth of nested causes to search. viem wraps wallet errors. */
const CAUSES_MAX = 8;

function isRejection(error: unknown): boolean {
  let each = error;
  for (let depth = 0; depth < CAUSES_MAX && typeof each === 'object' && each !== null; depth++) {
    const { code, name, message, cause } = each as {
      code?: unknown;
      name?: unknown;
      message?: unknown;
      cause?: unknown;
    };
    if (
      REJECTED_CODES.includes(code) ||
      name === 'UserRejectedRequestError' ||
      (typeof message === 'string' && REJECTED_WORDS.test(message))
    )
      return true;
    each = cause;
  }
  return false;
}

export function otherAccount(expected: string): TurnpikeError {
  return new TurnpikeError('WALLET_FAILED', {
    message: `The wallet has switched from ${expected} to another account, so nothing was paid.`,
    remedy: "Try again. The call then signs in with the wallet's present account.",
  });
}

/** Error for a draft that a wallet of this family cannot sign. */
export function otherFamily({ network }: { network: string }): TurnpikeError {
  return new TurnpikeError('WALLET_FAILED', { message: `This wallet does not sign for ${network}.` });
}
