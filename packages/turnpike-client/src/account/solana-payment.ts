import { type SolanaWallet, signSolanaPayment } from '@/lib/client/solana-payment';
import type { PaymentRequirements } from '@/lib/protocol/x402/requirements';
import { TurnpikeError } from '../turnpike-error';
import type { PayablePayment } from './wallet';

/**
 * How long a signed transaction is taken to be executable. Its blockhash is good for 150 blocks, about a minute; the
 * rest is for a chain that is slow, since a node that named the blockhash is not believed about its age.
 */
const SOLANA_EXECUTABLE_MS = 3_600_000;

/**
 * Signs a payment on Solana.
 * @throws {TurnpikeError} SOLANA_RPC_MISSING without a node, SOLANA_RPC_FAILED where it does not name a block and the mint; what the wallet refuses it for
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
