import { signSolanaPayment, type SolanaWallet } from '@/lib/client/solana-payment';
import type { PaymentRequirements } from '@/lib/protocol/x402/payment-required';
import { TurnpikeError } from '../turnpike-error';
import { asked, otherFamily, type PayablePayment, type Wallet } from './wallet';

/**
 * Time for which a signed transaction counts as executable. A blockhash is valid for about a minute; an hour leaves a
 * margin for a slow chain. The client does not ask a node how old the blockhash is, because a node may lie.
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

/*
 * Copied from @solana/kit, so that users of this package need not install it. A key pair is a partial signer, and a
 * wallet is a modifying signer.
 */

type Signatures = Readonly<Record<string, Uint8Array>>;

// The parameters have branded types in @solana/kit; this package only passes them on.
/* oxlint-disable typescript/no-explicit-any -- branded types of an optional package */
interface SolanaPartialSigner {
  readonly address: string;
  signMessages(messages: readonly any[], config?: any): Promise<readonly Signatures[]>;
  signTransactions(transactions: readonly any[], config?: any): Promise<readonly Signatures[]>;
}

interface SolanaModifyingSigner {
  readonly address: string;
  modifyAndSignMessages(
    messages: readonly any[],
    config?: any,
  ): Promise<readonly { readonly content: Uint8Array; readonly signatures: Signatures }[]>;
  modifyAndSignTransactions(transactions: readonly any[], config?: any): Promise<readonly any[]>;
}
/* oxlint-enable typescript/no-explicit-any */

export type SolanaSigner = SolanaPartialSigner | SolanaModifyingSigner;

export function isSolanaSigner(value: object): value is SolanaSigner {
  return typeof (value as { address?: unknown }).address === 'string' && (isPartial(value) || isModifying(value));
}

function isPartial(value: object): value is SolanaPartialSigner {
  const { signMessages, signTransactions } = value as Partial<SolanaPartialSigner>;
  return typeof signMessages === 'function' && typeof signTransactions === 'function';
}

function isModifying(value: object): value is SolanaModifyingSigner {
  const { modifyAndSignMessages, modifyAndSignTransactions } = value as Partial<SolanaModifyingSigner>;
  return typeof modifyAndSignMessages === 'function' && typeof modifyAndSignTransactions === 'function';
}

export function solanaSignerWallet(signer: SolanaSigner): Wallet {
  const signText = (text: string): Promise<string> =>
    asked(async () => base64(await signatureOf(signer, new TextEncoder().encode(text))));
  return {
    family: 'solana',
    asksPerson: !isPartial(signer),
    address: () => Promise.resolve(signer.address),
    signText,
    signWithdrawal: async (draft) => {
      if (draft.family !== 'solana') throw otherFamily(draft);
      return signText(draft.text);
    },
    pay: (accepted, { solanaRpcUrl }) =>
      payOnSolana(
        accepted,
        { address: signer.address, signTransaction: (wire) => asked(() => signedWire(signer, wire)) },
        solanaRpcUrl,
      ),
  };
}

async function signatureOf(signer: SolanaSigner, content: Uint8Array): Promise<Uint8Array> {
  const message = { content, signatures: {} };
  const signatures = isPartial(signer) ? (await signer.signMessages([message]))[0] : await unmodified(signer, message);
  const signature = signatures?.[signer.address];
  if (signature === undefined)
    throw new TurnpikeError('WALLET_FAILED', { message: 'The wallet answered without a signature.' });
  return signature;
}

async function unmodified(
  signer: SolanaModifyingSigner,
  message: { content: Uint8Array; signatures: Signatures },
): Promise<Signatures | undefined> {
  const [signed] = await signer.modifyAndSignMessages([message]);
  if (signed !== undefined && base64(signed.content) !== base64(message.content))
    throw new TurnpikeError('WALLET_FAILED', { message: 'The wallet signed a different text than requested.' });
  return signed?.signatures;
}

async function signedWire(signer: SolanaSigner, wire: Uint8Array): Promise<Uint8Array> {
  const { getTransactionDecoder, getTransactionEncoder } = await import('@solana/kit');
  const transaction = getTransactionDecoder().decode(wire);
  if (!isPartial(signer))
    return new Uint8Array(
      getTransactionEncoder().encode((await signer.modifyAndSignTransactions([transaction]))[0] as typeof transaction),
    );
  const [signatures] = await signer.signTransactions([transaction]);
  return new Uint8Array(
    getTransactionEncoder().encode({
      ...transaction,
      signatures: { ...transaction.signatures, ...signatures } as typeof transaction.signatures,
    }),
  );
}

/** Encodes Base64 in browsers and in Node. */
export function base64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
