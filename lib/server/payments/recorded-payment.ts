import type { WalletFamily } from '@/lib/protocol/wallet-address';
import type { PresentedPayment } from '@/lib/protocol/x402/presented-payment';
import { networkOfV1Name } from '@/lib/protocol/x402/payment-required';
import { findPayment, findPaymentOfAnyToken, type Payment } from '../db/payments';
import type { Database } from '../db/schema';
import { plainSignature, readUnproven } from './evm/authorization';
import type { RailTerms } from './rail-terms';
import { readSolanaTransfer } from './solana/solana-transfer';

interface Claim {
  payer: string;
  /** Value that is unique among the payer's payments: an authorization's nonce, or a message's hash. */
  key: string;
  /** Function that returns the payment's identity on a network; null if the payment does not identify its token. */
  identity: ((network: string) => string) | null;
  /** Returns whether a record's content is this payment. The signature must be the same too. */
  isIn(recorded: unknown): boolean;
}

/**
 * Finds the record of exactly this payment, even if the receiver, rail or fee payer has changed and the payment would
 * be refused now.
 *
 * @param terms terms of the configured rails, needed to resolve x402 v1 names
 */
export async function recordedPayment(
  db: Database,
  presented: PresentedPayment,
  terms: readonly RailTerms[],
): Promise<Payment | undefined> {
  const claim = claimOf(presented);
  if (!claim) return undefined;
  for (const network of networksOf(presented.network, terms)) {
    const recorded = await (claim.identity
      ? findPayment(db, claim.identity(network))
      : findPaymentOfAnyToken(db, { network, payer: claim.payer, key: claim.key }));
    // When an account is erased, the content of its payments is emptied.
    if (
      recorded &&
      recorded.content !== '{}' &&
      claim.isIn(JSON.parse(recorded.content)) &&
      covers(recorded, presented)
    )
      return recorded;
  }
  return undefined;
}

function covers({ amount_units: amountUnits }: Payment, { accepted }: PresentedPayment): boolean {
  return accepted === null || BigInt(accepted.amount) <= BigInt(amountUnits);
}

const CAIP2_NAMES: Readonly<Record<WalletFamily, RegExp>> = {
  evm: /^eip155:\d{1,20}$/,
  solana: /^solana:[1-9A-HJ-NP-Za-km-z]{32}$/,
};

function networksOf(name: string, terms: readonly RailTerms[]): string[] {
  if (Object.values(CAIP2_NAMES).some((pattern) => pattern.test(name))) return [name];
  const known = networkOfV1Name(name);
  return [
    ...new Set([
      ...terms.filter((each) => each.name === name).map(({ network }) => network),
      ...(known ? [known] : []),
    ]),
  ];
}

/**
 * For each wallet family, the field that identifies its payments, and the function that parses such a payment. The
 * first family whose field is present applies.
 */
const CLAIMS: Readonly<
  Record<WalletFamily, { member: string; read: (content: unknown, asset: string | null) => Claim }>
> = {
  solana: { member: 'transaction', read: solanaClaim },
  evm: { member: 'authorization', read: evmClaim },
};

function claimOf({ content, accepted }: PresentedPayment): Claim | null {
  const known = Object.values(CLAIMS).find(({ member }) => member in content);
  try {
    return known?.read(content, accepted?.asset ?? null) ?? null;
  } catch {
    return null;
  }
}

function evmClaim(content: unknown, asset: string | null): Claim {
  const ours = evmForm(content);
  const { from, nonce } = readUnproven(content).authorization;
  const payer = from.toLowerCase();
  const identity =
    asset === null ? null : (network: string): string => `${network}/${asset.toLowerCase()}/${payer}/${nonce}`;
  return { payer, key: nonce, identity, isIn: (recorded) => evmForm(recorded) === ours };
}

function evmForm(content: unknown): string {
  const { authorization, signature } = readUnproven(content);
  return JSON.stringify([authorization, plainSignature(signature)]);
}

function solanaClaim(content: unknown): Claim {
  const { authority, mint, messageHash, wire } = readSolanaTransfer(content);
  return {
    payer: authority,
    key: messageHash,
    identity: (network) => `${network}/${mint}/${messageHash}`,
    isIn: (recorded) => (recorded as { transaction?: unknown }).transaction === wire,
  };
}
