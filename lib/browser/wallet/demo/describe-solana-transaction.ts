import { base58 } from '@scure/base';
import { type PublicKey, SystemProgram, VersionedTransaction } from '@solana/web3.js';
import { isAssociatedAccount, readSolanaTransfer, type SolanaTransfer } from '../solana-transfer';
import { formatUnits } from '../pay-rails';
import { signingWords as words } from './demo-wallet-words';
import type { ApprovalDetails } from './approval';
import type { KnownRail } from './describe-signature';

type Described = Pick<ApprovalDetails, 'title' | 'consequence' | 'facts' | 'body'>;

/**
 * Describes a Solana transaction in words. For one token transfer, states the amount and whether it goes to this
 * gateway. For any other transaction, lists its instructions.
 * @param wire transaction's bytes, as passed to a wallet
 * @param signer wallet's own address
 * @throws Error if the bytes are not a transaction
 */
export function describeSolanaTransaction(wire: Uint8Array, signer: string, rails: readonly KnownRail[]): Described {
  const transaction = VersionedTransaction.deserialize(wire);
  const transfer = transferIn(wire);
  const instructions = instructionsOf(transaction);
  if (transfer === null || transfer.authority !== signer) {
    const feePayer = transaction.message.staticAccountKeys[0]?.toBase58() ?? '';
    return {
      title: words.transaction.sign,
      consequence: words.transaction.signConsequence,
      facts: [[words.facts.feePayer, feePayer]],
      body: instructions,
    };
  }
  return {
    ...describePayment(transfer, signer, rails),
    body: `${transfer.instructions.join('\n')}\n\n${instructions}`,
  };
}

function describePayment(
  transfer: SolanaTransfer,
  signer: string,
  rails: readonly KnownRail[],
): Omit<Described, 'body'> {
  const { mint, amount: units, destination, feePayer } = transfer;
  const fee = [
    words.facts.networkFee,
    feePayer === signer ? words.facts.paysFee : words.facts.paidBy(feePayer),
  ] as const;
  const until = [words.facts.validFor, words.facts.aMinute] as const;
  const rail = rails.find(({ network, asset }) => network.startsWith('solana:') && asset === mint);
  if (rail === undefined) {
    return {
      ...words.unknownToken,
      facts: [
        [words.facts.baseUnits, units.toString()],
        [words.facts.account, destination],
        [words.facts.token, mint],
        fee,
        until,
      ],
    };
  }
  const amount = `${formatUnits(units, rail.decimals)} ${rail.symbol}`;
  const isOurs = isAssociatedAccount(destination, { owner: rail.payTo, mint });
  return {
    title: words.pay.title(amount, isOurs, rail.title),
    consequence: isOurs ? words.pay.becomesBalance : words.pay.notOurAccount,
    facts: [
      [words.facts.amount, amount],
      ...(isOurs ? [[words.facts.to, rail.payTo] as const] : []),
      [words.facts.account, destination],
      [words.facts.token, `${rail.symbol} ${mint}`],
      fee,
      until,
    ],
  };
}

/** Parses a transaction's only transfer; null if the transaction has any other effect. */
function transferIn(wire: Uint8Array): SolanaTransfer | null {
  try {
    return readSolanaTransfer(wire);
  } catch {
    return null;
  }
}

function instructionsOf({ message }: VersionedTransaction): string {
  const name = (key: PublicKey | undefined) =>
    key === undefined
      ? words.transaction.tableAccount
      : key.equals(SystemProgram.programId)
        ? words.transaction.systemProgram
        : key.toBase58();
  return message.compiledInstructions
    .map(({ programIdIndex, accountKeyIndexes, data }, index) => {
      const accounts = accountKeyIndexes.map((place) => `     ${name(message.staticAccountKeys[place])}`);
      return [
        `${index + 1}. ${name(message.staticAccountKeys[programIdIndex])}`,
        ...accounts,
        `   data ${base58.encode(data)}`,
      ].join('\n');
    })
    .join('\n');
}
