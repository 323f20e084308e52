import { type SolanaWallet, signSolanaPayment } from '@/lib/client/solana-payment';
import type { PaymentRequirements } from '@/lib/protocol/x402/requirements';
import { TurnpikeError } from '../turnpike-error';
import type { PayablePayment } from './wallet';

/**
 * Time for which a signed transaction counts as executable. A blockhash is valid for about a minute; the margin covers
 * a slow chain. A node may lie about the blockhash's age, so the client does not ask.
 */
const SOLANA_EXECUTABLE_MS = 3_600_000;

/**
 * Signs a payment on Solana.
 * @throws {TurnpikeError} SOLANA_RPC_MISSING without the URL of a node, SOLANA_RPC_FAILED if the node returns no block
 * or mint; the wallet's error
 */
export async function payOnSolana(
  accepted: PaymentRequirements,
  wallet: SolanaWallet,
  solanaRpcUrl: string | null,
): Promise<PayablePayment> {
  if (solanaRpcUrl === null) throw new TurnpikeError('SOLANA_RPC_MISSING');
  try {
    return {
      payment: await signSolanaPayment(accepted, wallet, solanaRpcUrl),
      executableUntilMs: Date.now() + SOLANA_EXECUTABLE_MS,
    };
  } catch (cause) {
    throw cause instanceof TurnpikeError ? cause : new TurnpikeError('SOLANA_RPC_FAILED', { cause });
  }
}
