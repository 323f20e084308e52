import { familyOfChain, isSameAddress, walletKey } from '@/lib/protocol/wallet-address';
import {
  WITHDRAWAL_TYPES,
  withdrawalDomain,
  type WithdrawalStatement,
  withdrawalText,
} from '@/lib/protocol/x402/withdrawal-text';
import { checked, list, nullable, number, object, oneOf, type Schema, text } from './answer-schema';
import { UnreachableError } from './client-errors';
import { randomNonce } from './evm-payment';
import { type CallOptions, exchanger, fitting, parseBaseUrl, type TurnpikeClientOptions } from './exchange';

const PATH = '/api/v1/x402/withdrawals';
const VALID_SECONDS = 600;
/** Maximum number of times that a signed withdrawal is sent. The gateway debits the wallet only once. */
const ATTEMPTS = 3;

type Hex = `0x${string}`;

/** Terms for withdrawing one token. Amounts are base units in decimal digits. */
export interface WithdrawalTerms {
  /** Chain (CAIP-2). */
  network: string;
  /** Address of the token, or its mint on Solana. */
  asset: string;
  symbol: string;
  decimals: number;
  minimum: string;
  fee: string;
  withdrawable: string;
}

export interface Withdrawal {
  id: string;
  /** `debited` and `submitted` are pending. A `failed` withdrawal was credited back. */
  state: 'debited' | 'submitted' | 'sent' | 'failed';
  network: string;
  asset: string;
  to: string;
  /** Debited amount, including the fee. */
  amountUsd: number;
  feeUsd: number;
  /** Base units that the wallet receives. */
  payout: string;
  balanceAfterUsd: number;
  transaction: string | null;
  /** Sentence that says what an executed transfer is still waiting for. */
  waitingFor: string | null;
  error: string | null;
  createdAt: string;
}

export interface WithdrawalList {
  gateway: string;
  terms: readonly WithdrawalTerms[];
  withdrawals: readonly Withdrawal[];
}

interface Draft {
  network: string;
  asset: string;
  decimals: number;
  statement: WithdrawalStatement;
}

/** Unsigned withdrawal on an EVM chain. `typedData` is the argument for `signTypedData` of viem and wagmi. */
export interface EvmWithdrawalDraft extends Draft {
  family: 'evm';
  typedData: {
    domain: { name: string; version: string; chainId: number; verifyingContract: Hex };
    types: typeof WITHDRAWAL_TYPES;
    primaryType: 'Withdrawal';
    message: { gateway: string; to: Hex; amount: bigint; fee: bigint; nonce: Hex; validBefore: bigint };
  };
}

/** Unsigned withdrawal on Solana. The wallet signs the UTF-8 bytes of `text`, as for a sign-in. */
export interface SolanaWithdrawalDraft extends Draft {
  family: 'solana';
  text: string;
}

/** Draft fields that `withdraw` needs. Can be stored as JSON. */
export type StatedWithdrawal = Draft & Pick<WithdrawalDraft, 'family'>;

export type WithdrawalDraft = EvmWithdrawalDraft | SolanaWithdrawalDraft;

const matching = (form: RegExp, expected: string): Schema<string> =>
  checked(expected, (value): value is string => typeof value === 'string' && form.test(value));
const units = matching(/^\d{1,30}$/, 'base units in digits');
const id = matching(/^wd_\w{1,100}$/, 'the id of a withdrawal');

const terms = object({
  network: matching(/^(eip155:[1-9]\d{0,14}|solana:[1-9A-HJ-NP-Za-km-z]{32})$/, 'a chain'),
  asset: checked(
    'the address of a token',
    (value): value is string => typeof value === 'string' && walletKey(value) !== null,
  ),
  symbol: text,
  decimals: checked(
    'a number of decimals',
    (value): value is number => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 9,
  ),
  minimum: units,
  fee: units,
  withdrawable: units,
});

const members = {
  id,
  state: oneOf(['debited', 'submitted', 'sent', 'failed']),
  network: text,
  asset: text,
  to: text,
  amountUsd: number,
  feeUsd: number,
  payout: units,
  balanceAfterUsd: number,
  transaction: nullable(text),
  waitingFor: nullable(text),
  error: nullable(text),
  createdAt: text,
};

/**
 * Fetches what a signed-in wallet can withdraw, and its withdrawals, newest first.
 *
 * @throws {GatewayError} for an error answer or terms of another gateway; {UnreachableError}
 */
export async function askWithdrawals(
  options: TurnpikeClientOptions,
  callOptions?: CallOptions,
): Promise<WithdrawalList> {
  const gateway = exactly(new URL(parseBaseUrl(options.baseUrl)).origin);
  const answer = await exchanger(options)('GET', PATH, callOptions);
  const answers = object({ data: object({ gateway, terms: list(terms), withdrawals: list(object(members)) }) });
  return (await fitting(answers, answer)).data;
}

/**
 * Drafts a withdrawal with a random nonce, valid for 10 minutes.
 *
 * @param amount in base units, including the fee
 */
export function draftWithdrawal(
  { network, asset, decimals, fee }: WithdrawalTerms,
  { gateway, to, amount }: { gateway: string; to: string; amount: bigint },
  nowMs: number = Date.now(),
): WithdrawalDraft {
  const statement: WithdrawalStatement = {
    gateway,
    to,
    amount: amount.toString(),
    fee,
    nonce: randomNonce(),
    validBefore: String(Math.floor(nowMs / 1_000) + VALID_SECONDS),
  };
  const draft = { network, asset, decimals, statement };
  switch (familyOfChain(network)) {
    case 'evm':
      return {
        ...draft,
        family: 'evm',
        typedData: {
          domain: withdrawalDomain(Number(network.slice('eip155:'.length)), asset as Hex),
          types: WITHDRAWAL_TYPES,
          primaryType: 'Withdrawal',
          message: {
            gateway,
            to: to as Hex,
            amount,
            fee: BigInt(fee),
            nonce: statement.nonce,
            validBefore: BigInt(statement.validBefore),
          },
        },
      };
    case 'solana':
      return { ...draft, family: 'solana', text: withdrawalText(statement, draft) };
  }
}

/**
 * Sends a signed withdrawal, and resends it if no answer arrives.
 *
 * @param signature wallet's signature: hex on EVM chains, base58 or Base64 on Solana
 * @throws {UnreachableError} if the outcome is unknown; {GatewayError} for an error answer, and for an answer whose
 * amount, fee, token or receiver differs from the signed statement
 */
export async function withdraw(
  options: TurnpikeClientOptions,
  draft: StatedWithdrawal,
  signature: string,
  callOptions: CallOptions = {},
): Promise<Withdrawal> {
  const { network, asset, statement } = draft;
  const requestText = JSON.stringify({ ...statement, to: undefined, network, asset, signature });
  const send = exchanger(options);
  for (let attempt = 1; ; attempt++) {
    try {
      const answer = await send('POST', PATH, { ...callOptions, requestText });
      return (await fitting(object({ data: object({ ...members, ...signed(draft) }) }), answer)).data;
    } catch (error) {
      if (attempt === ATTEMPTS || !(error instanceof UnreachableError) || error.aborted) throw error;
    }
  }
}

function signed({ family, network, asset, decimals, statement }: StatedWithdrawal) {
  const usd = (amount: bigint): number => Number(amount * 10n ** BigInt(9 - decimals)) / 1e9;
  const [amount, fee] = [BigInt(statement.amount), BigInt(statement.fee)];
  const address = (expected: string): Schema<string> =>
    checked(expected, (value): value is string => typeof value === 'string' && isSameAddress(family, value, expected));
  return {
    network: exactly(network),
    asset: address(asset),
    to: address(statement.to),
    amountUsd: exactly(usd(amount)),
    feeUsd: exactly(usd(fee)),
    payout: exactly((amount - fee).toString()),
  };
}

function exactly<const Value extends string | number>(expected: Value): Schema<Value> {
  return checked(JSON.stringify(expected), (value): value is Value => value === expected);
}
