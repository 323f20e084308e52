import type { TransactionModifyingSigner } from '@solana/kit';
import type { PaymentRequirements } from '@/lib/protocol/x402/requirements';
import { signedPayment, type SignedPayment } from './top-up';

/** What a Solana wallet does for a payment. */
export interface SolanaWallet {
  /** base58. */
  address: string;
  /** Signs a transaction in its wire form and leaves other signatures as they are: the fee payer's is still missing. */
  signTransaction(wire: Uint8Array): Promise<Uint8Array>;
}

/**
 * Builds a transfer of exactly what is accepted by the official scheme, and has the wallet sign it. The blockhash comes
 * from `rpcUrl`, and is good for about a minute.
 * @throws what the wallet or the chain refuses it for
 */
export async function signSolanaPayment(
  accepted: PaymentRequirements,
  wallet: SolanaWallet,
  rpcUrl: string,
): Promise<SignedPayment> {
  // Of the gateway's `extra` nothing else is signed: the scheme would take a memo and a blockhash from there too.
  const { feePayer } = accepted.extra;
  // Only whoever pays on Solana loads its libraries.
  const [{ ExactSvmScheme }, signer] = await Promise.all([import('@x402/svm/exact/client'), signerOf(wallet)]);
  const { payload } = await new ExactSvmScheme(signer, { rpcUrl }).createPaymentPayload(2, {
    ...accepted,
    extra: { feePayer },
  });
  return signedPayment(accepted, payload);
}

async function signerOf({ address: text, signTransaction }: SolanaWallet): Promise<TransactionModifyingSigner> {
  const { address, getTransactionDecoder, getTransactionEncoder } = await import('@solana/kit');
  return {
    address: address(text),
    modifyAndSignTransactions: (transactions) =>
      Promise.all(
        transactions.map(async (transaction) => {
          const signed = getTransactionDecoder().decode(
            await signTransaction(new Uint8Array(getTransactionEncoder().encode(transaction))),
          );
          return { ...transaction, ...signed } as Awaited<
            ReturnType<TransactionModifyingSigner['modifyAndSignTransactions']>
          >[number];
        }),
      ),
  };
}
