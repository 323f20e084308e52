import type { WalletFamily } from '@/lib/protocol/wallet-address';
import type { PresentedPayment } from '@/lib/protocol/x402/presented-payment';
import { networkOfV1Name } from '@/lib/protocol/x402/v1-networks';
import { findPayment, findPaymentOfAnyToken, type Payment } from '../db/payments';
import type { Database } from '../db/schema';
import { readUnproven } from './evm/authorization';
import { plainSignature } from './evm/payer-signature';
import type { RailTerms } from './rail-terms';
import { readSolanaTransfer } from './solana/solana-transfer';

/** What a presented payment is, by itself: without knowing what is accepted. */
interface Claim {
  payer: string;
  /** What makes it this payment of its payer: the nonce of an authorization, the hash of a message. */
  key: string;
  /** Identity of it in a token; null where the payment does not say which. */
  identity: ((network: string) => string) | null;
  /** Whether what was recorded is this, to the signature. */
  isIn(recorded: unknown): boolean;
}

/**
 * The payment that was recorded of exactly this presentation, whatever the gateway accepts by now: its receiver, its
 * rail or its fee payer may have been changed since, and the payer's money is where it is.
 * @param terms of the rails of today, whose names of x402 v1 are understood
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
    // Of one whose account was erased there is nothing to compare.
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

/** One that was accepted over more than it moves contradicts itself: it is another request than the recorded one. */
function covers({ amount_units: amountUnits }: Payment, { accepted }: PresentedPayment): boolean {
  return accepted === null || BigInt(accepted.amount) <= BigInt(amountUnits);
}

/** The chains of each family, by their names of CAIP-2. */
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

/** By which member the content of a payment of each family is known, the first that is there, and what it claims. */
const CLAIMS: Readonly<
  Record<WalletFamily, { member: string; read: (content: unknown, asset: string | null) => Claim }>
> = {
  solana: { member: 'transaction', read: solanaClaim },
  evm: { member: 'authorization', read: evmClaim },
};

/** @returns null for what is no payment of any family */
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
