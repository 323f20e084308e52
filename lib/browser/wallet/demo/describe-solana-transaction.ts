import { base58 } from '@scure/base';
import { type PublicKey, SystemProgram, VersionedTransaction } from '@solana/web3.js';
import { isAssociatedAccount, readSolanaTransfer, type SolanaTransfer } from '../../top-up/solana-transfer';
import { formatUnits } from '../../top-up/usd-amount';
import type { ApprovalDetails } from './approval';
import type { KnownRail } from './describe-signature';

type Described = Pick<ApprovalDetails, 'title' | 'consequence' | 'facts' | 'body'>;

/**
 * A Solana transaction in words: one transfer of a token as the money that it moves, to this gateway or to somebody
 * else; anything else by its instructions.
 *
 * @param wire as a wallet is given it
 * @param signer the wallet's own address
 * @throws Error for bytes that are no transaction
 */
export function describeSolanaTransaction(wire: Uint8Array, signer: string, rails: readonly KnownRail[]): Described {
  const transaction = VersionedTransaction.deserialize(wire);
  const transfer = transferIn(wire);
  const instructions = instructionsOf(transaction);
  if (transfer === null || transfer.authority !== signer) {
    const feePayer = transaction.message.staticAccountKeys[0]?.toBase58() ?? '';
    return { title: 'Sign a transaction', consequence: 'Whoever gets it can send it, once, until its blockhash expires after about a minute.', facts: [['Fee payer', feePayer]], body: instructions };
  }
  return { ...describePayment(transfer, signer, rails), body: `${transfer.instructions.join('\n')}\n\n${instructions}` };
}

function describePayment(transfer: SolanaTransfer, signer: string, rails: readonly KnownRail[]): Omit<Described, 'body'> {
  const { mint, amount: units, destination, feePayer } = transfer;
  const fee = ['Network fee', feePayer === signer ? 'paid by this wallet' : `none for this wallet: paid by ${feePayer}`] as const;
  const until = ['Valid for', 'about a minute'] as const;
  const rail = rails.find(({ network, asset }) => network.startsWith('solana:') && asset === mint);
  if (rail === undefined) {
    return {
      title: 'Pay with a token that is not known here',
      consequence: 'Whoever gets this signature can move that much of the token out of this wallet, once.',
      facts: [['Base units', units.toString()], ['Into the account', destination], ['Token', mint], fee, until],
    };
  }
  const amount = `${formatUnits(units, rail.decimals)} ${rail.symbol}`;
  const isOurs = isAssociatedAccount(destination, { owner: rail.payTo, mint });
  return {
    title: `Pay ${amount} to ${isOurs ? 'this gateway' : 'a stranger'} on ${rail.title}`,
    consequence: isOurs ? 'It becomes the prepaid balance of this wallet.' : 'This is not the gateway’s account. Refuse, unless you know whose it is.',
    facts: [['Amount', amount], ...(isOurs ? [['To', rail.payTo] as const] : []), ['Into the account', destination], ['Token', `${rail.symbol} ${mint}`], fee, until],
  };
}

/** The one transfer that a transaction makes; null where it does anything else, or more. */
function transferIn(wire: Uint8Array): SolanaTransfer | null {
  try {
    return readSolanaTransfer(wire);
  } catch {
    return null;
  }
}

/** One block an instruction: its program, accounts, and data. */
function instructionsOf({ message }: VersionedTransaction): string {
  const name = (key: PublicKey | undefined) => (key === undefined ? 'an account of a lookup table' : key.equals(SystemProgram.programId) ? 'System program' : key.toBase58());
  return message.compiledInstructions
    .map(({ programIdIndex, accountKeyIndexes, data }, index) => {
      const accounts = accountKeyIndexes.map((place) => `     ${name(message.staticAccountKeys[place])}`);
      return [`${index + 1}. ${name(message.staticAccountKeys[programIdIndex])}`, ...accounts, `   data ${base58.encode(data)}`].join('\n');
    })
    .join('\n');
}
