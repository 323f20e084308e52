import type { TransactionModifyingSigner } from '@solana/kit';
import type { PaymentRequirements } from '@/lib/protocol/x402/payment-required';
import { signedPayment, type SignedPayment } from './top-up';

export interface SolanaWallet {
  /** Base58 address. */
  address: string;
  /** Signs a transaction in wire format and preserves other signatures. The fee payer signs later. */
  signTransaction(wire: Uint8Array): Promise<Uint8Array>;
}

/**
 * Builds the accepted transfer with x402's official library and has the wallet sign it. The blockhash comes from
 * `rpcUrl` and is valid for about a minute.
 *
 * @throws errors of the wallet or the chain
 */
export async function signSolanaPayment(
  accepted: PaymentRequirements,
  wallet: SolanaWallet,
  rpcUrl: string,
): Promise<SignedPayment> {
  // Passes only the fee payer, because the library would take a memo and a blockhash from the gateway's `extra`.
  const { feePayer } = accepted.extra;
  // Loaded on demand, because only Solana payments need these libraries.
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
