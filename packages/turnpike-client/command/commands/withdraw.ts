import { formatUnits, parseUnits } from 'viem/utils';
import type { TurnpikeClientOptions } from '@/lib/client/exchange';
import { GatewayError } from '@/lib/client/gateway-error';
import {
  askWithdrawals,
  draftWithdrawal,
  withdraw,
  type Withdrawal,
  type WithdrawalDraft,
  type WithdrawalList,
  type WithdrawalTerms,
} from '@/lib/client/withdrawals';
import { noArguments } from '@/lib/command-line/options';
import { UsageError } from '@/lib/command-line/usage-error';
import { familyOfChain } from '@/lib/protocol/wallet-address';
import { solanaClusterName } from '@/lib/protocol/chain-identities';
import { findNetwork, type Network, NETWORKS } from '@/lib/protocol/networks';
import { readAccount } from '../../src/account/account';
import type { Wallet } from '../../src/account/wallet';
import { createTurnpike, readNetwork } from '../../src/turnpike';
import { withTypedErrors } from '../../src/turnpike-error';
import { readAccountSource } from '../account-source';
import { type Command, type CommandIo, EXIT } from '../command';
import { CUSTOMER_HELP, CUSTOMER_OPTIONS, gatewayUrl } from '../customer';
import { readOptions } from '../options';
import { jsonText, printableLine } from '../printable';

const HELP = `turnpike-client withdraw [--amount USD | --all] [options]

Withdraws prepaid money to the wallet that paid it, minus the gateway's fee. Without an amount,
shows what can be withdrawn and the newest withdrawals.

  --amount USD           amount to take from the balance, fee included
  --all                  withdraw all of one token
  --network SLUG         chain that the money was paid on, such as base-mainnet
  --yes                  sign without asking
${CUSTOMER_HELP}
`;

const OPTIONS = {
  ...CUSTOMER_OPTIONS,
  amount: { type: 'string' },
  all: { type: 'boolean' },
  network: { type: 'string' },
  yes: { type: 'boolean' },
} as const;

export const withdrawal: Command = {
  help: HELP,
  async run(args, io) {
    const { values, positionals } = readOptions(args, OPTIONS);
    noArguments(positionals);
    const isWithdrawing = values.amount !== undefined || values.all === true;
    if (values.amount !== undefined && values.all) throw new UsageError('Give --amount or --all, not both.');
    if (values.amount !== undefined && !(/^\d{1,9}(\.\d{1,9})?$/.test(values.amount) && Number(values.amount) > 0))
      throw new UsageError(
        `--amount is ${JSON.stringify(values.amount)}; it must be an amount of USD, such as 5 or 7.25.`,
      );
    if (isWithdrawing && !values.yes && io.askSecret === null)
      throw new UsageError(
        'The withdrawal cannot be confirmed without a terminal. Give --yes to sign without confirmation.',
      );
    const network = values.network === undefined ? null : chainOf(values.network);
    const account = await readAccountSource(values, io);
    const wallet = signerOf(account);
    const { connection } = createTurnpike({ url: gatewayUrl(values, io), account });
    const found = await withTypedErrors(() => askWithdrawals(connection, { signal: io.signal }));
    const terms = found.terms.filter(
      (each) => familyOfChain(each.network) === wallet.family && (network === null || each.network === network),
    );
    if (!isWithdrawing) {
      io.out(values.json ? `${jsonText({ ...found, terms }, 2)}\n` : listText({ ...found, terms }));
      return EXIT.done;
    }
    const chosen = chosenOf(terms, values.amount ?? null);
    if (chosen === null) {
      io.err(`This amount cannot be withdrawn.\n${listText({ ...found, terms, withdrawals: [] })}`);
      return EXIT.failed;
    }
    const to = await wallet.address();
    const draft = draftWithdrawal(chosen.terms, { gateway: found.gateway, to, amount: chosen.amount });
    io.err(draftText(draft, chosen.terms));
    if (!values.yes && !(await isConfirmed(io))) {
      io.err('Nothing was signed.\n');
      return EXIT.failed;
    }
    const signature = await withTypedErrors(() => wallet.signWithdrawal(draft));
    const made = await withTypedErrors(() => sent(connection, draft, signature, io));
    io.out(values.json ? `${jsonText(made, 2)}\n` : `${withdrawalLine(made)}\n`);
    return EXIT.done;
  },
};

async function sent(
  connection: TurnpikeClientOptions,
  draft: WithdrawalDraft,
  signature: string,
  io: CommandIo,
): Promise<Withdrawal> {
  try {
    return await withdraw(connection, draft, signature, { signal: io.signal });
  } catch (error) {
    if (!(error instanceof GatewayError && error.detail.isFromService))
      io.err('The withdrawal may have been recorded. turnpike-client withdraw lists it.\n');
    throw error;
  }
}

function chainOf(slug: string): string {
  const network = findNetwork(readNetwork(slug));
  const chain = network && caip2Of(network);
  if (!chain) throw new UsageError(`Nothing can be withdrawn on ${JSON.stringify(slug)} (--network).`);
  return chain;
}

function signerOf(account: Parameters<typeof readAccount>[0]): Wallet {
  const caller = readAccount(account);
  if (caller.kind === 'apiKey')
    throw new UsageError(
      'Only a wallet can withdraw. Set TURNPIKE_PRIVATE_KEY, or give --keystore, --solana-keypair or --keychain.',
    );
  return caller.wallet;
}

/**
 * Chooses the token.
 *
 * @param amountUsd amount, or null to withdraw everything
 * @returns null if no token suffices
 * @throws {UsageError} if tokens on several chains suffice
 */
function chosenOf(
  all: readonly WithdrawalTerms[],
  amountUsd: string | null,
): { terms: WithdrawalTerms; amount: bigint } | null {
  const possible = all.flatMap((terms) => {
    const withdrawable = BigInt(terms.withdrawable);
    const amount = amountUsd === null ? withdrawable : unitsOf(amountUsd, terms);
    const isEnough = amount >= BigInt(terms.minimum) && amount > BigInt(terms.fee) && amount <= withdrawable;
    return isEnough ? [{ terms, amount, withdrawable }] : [];
  });
  const chains = [...new Set(possible.map(({ terms }) => chainName(terms.network)))];
  if (chains.length > 1) throw new UsageError(`Choose the chain with --network: ${chains.join(' or ')}.`);
  return possible.sort((one, other) => (one.withdrawable < other.withdrawable ? 1 : -1))[0] ?? null;
}

function unitsOf(amountUsd: string, { decimals, symbol }: WithdrawalTerms): bigint {
  if ((amountUsd.split('.')[1]?.length ?? 0) > decimals)
    throw new UsageError(`--amount has more than the ${decimals} decimals of ${printableLine(symbol)}.`);
  return parseUnits(amountUsd, decimals);
}

async function isConfirmed(io: CommandIo): Promise<boolean> {
  io.err('Sign and withdraw? (y/N) ');
  for await (const line of io.readLines()) return /^y(es)?$/i.test(line.trim());
  return false;
}

function draftText(
  { network, statement: { to, amount, fee } }: WithdrawalDraft,
  { decimals, symbol }: WithdrawalTerms,
): string {
  const shown = (amount: bigint): string => `${formatUnits(amount, decimals)} ${printableLine(symbol)}`;
  return [
    `Amount   ${shown(BigInt(amount))}`,
    `Fee      ${shown(BigInt(fee))}`,
    `Payout   ${shown(BigInt(amount) - BigInt(fee))} on ${chainName(network)}`,
    `Address  ${to}`,
    '',
  ].join('\n');
}

function listText({ terms, withdrawals }: WithdrawalList): string {
  const possible = terms.map(({ network, symbol, decimals, withdrawable, minimum, fee }) => {
    const [all, least, charge] = [withdrawable, minimum, fee].map((amount) => formatUnits(BigInt(amount), decimals));
    return `${chainName(network)}  ${all} ${printableLine(symbol)} can be withdrawn; minimum ${least}, fee ${charge}`;
  });
  const lines = [
    ...(possible.length > 0 ? possible : ['Nothing can be withdrawn to this wallet.']),
    ...withdrawals.map(withdrawalLine),
  ];
  return `${lines.join('\n')}\n`;
}

function withdrawalLine({ id, state, network, amountUsd, feeUsd, to, transaction, error }: Withdrawal): string {
  const reason = transaction ?? error;
  const parts = [id, state.padEnd(9), `${amountUsd} USD, fee ${feeUsd}`, `to ${to} on ${chainName(network)}`];
  return printableLine([...parts, ...(reason === null ? [] : [reason])].join('  '));
}

function caip2Of({ kind, slug, chainId }: Network): string | null {
  if (kind === 'solana') return solanaClusterName(slug);
  return chainId === null ? null : `eip155:${chainId}`;
}

function chainName(network: string): string {
  return NETWORKS.find((each) => caip2Of(each) === network)?.slug ?? printableLine(network);
}
