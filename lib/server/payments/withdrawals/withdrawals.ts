import { setImmediate as endOfTurn } from 'node:timers/promises';
import { familyOfChain, isSameAddress, walletKey } from '@/lib/protocol/wallet-address';
import { withdrawalDigest } from '@/lib/protocol/x402/withdrawal-digest';
import { type WithdrawalStatement, withdrawalText } from '@/lib/protocol/x402/withdrawal-text';
import { isSolanaSignature } from '../../auth/solana-signature';
import type { PersonalSignatures } from '../../auth/verify-signature';
import type { Meter } from '../../billing/meter';
import type { WithdrawalsConfig } from '../../config/payments';
import {
  findWithdrawal,
  listWithdrawals,
  type NewWithdrawal,
  openUnits,
  recordWithdrawal,
  type Withdrawal,
  WithdrawalRefused,
  withdrawable,
} from '../../db/withdrawals';
import type { RailTerms } from '../rail-terms';
import { nanoUsdOf, unitsOf } from '../token-amount';
import type { Payout } from './payout';
import { InvalidWithdrawal, PayoutsPaused } from './refusals';
import { WithdrawalRuns, type WithdrawalRunsOptions } from './withdrawal-runs';

export interface WithdrawalsOptions extends WithdrawalRunsOptions {
  signatures: Pick<PersonalSignatures, 'judge'>;
  /** Reserves the amount during a debit on SQLite, where the reservations of running calls are only in memory. */
  meter: Pick<Meter, 'reserve' | 'release' | 'spendable'>;
  closeWithinMs?: number;
}

/** Owner of prepaid money who has signed in. */
interface Withdrawer {
  accountId: number;
  wallet: string;
  clientIp: string;
}

export interface AskedWithdrawal {
  network: string;
  asset: string;
  /** Statement without its receiver, which is the wallet that signed in. */
  statement: Omit<WithdrawalStatement, 'to'>;
  signature: string;
}

/** Amounts are in nano-USD. */
interface WithdrawalTerms {
  terms: RailTerms;
  minimum: number;
  fee: number;
  withdrawable: number;
}

const CLOSE_WITHIN_MS = 5_000;
const VALID_MS_MAX = 3_600_000;
const LISTED_MAX = 100;

/**
 * Pays prepaid money back to the wallet that paid it, on the same rail. Debits the ledger before anything is sent. The
 * amount is either sent once or credited back once.
 */
export class Withdrawals {
  readonly #runs: WithdrawalRuns;
  #recording: Promise<unknown> = Promise.resolve();

  /** @param config configuration; null if the operator has not enabled withdrawals */
  constructor(
    private readonly payouts: readonly Payout[],
    private readonly config: Pick<WithdrawalsConfig, 'dailyUsdMax' | 'feeUsd' | 'minimumUsd'> | null,
    private readonly options: WithdrawalsOptions,
  ) {
    this.#runs = new WithdrawalRuns((network, asset) => this.#payout(network, asset), options);
  }

  get isOffered(): boolean {
    return this.config !== null;
  }

  start(): Promise<void> {
    return this.#runs.start();
  }

  close(): Promise<void> {
    return this.#runs.close(this.options.closeWithinMs ?? CLOSE_WITHIN_MS);
  }

  resume(): Promise<void> {
    return this.#runs.resume();
  }

  list(accountId: number): Promise<Withdrawal[]> {
    return listWithdrawals(this.options.db, { accountId, limit: LISTED_MAX });
  }

  async find(accountId: number, id: string): Promise<Withdrawal | undefined> {
    return (await listWithdrawals(this.options.db, { accountId, id, limit: 1 }))[0];
  }

  /** Returns the terms of the rails on which the wallet can receive. */
  async terms({ accountId, wallet }: Pick<Withdrawer, 'accountId' | 'wallet'>): Promise<WithdrawalTerms[]> {
    if (!this.config) return [];
    const { minimum, fee } = amountsOf(this.config);
    return Promise.all(
      this.#payoutsOf(wallet).map(async ({ terms }) => {
        const owner = { account_id: accountId, wallet, network: terms.network, asset: terms.asset };
        return { terms, minimum, fee, withdrawable: await withdrawable(this.options.db, owner) };
      }),
    );
  }

  /**
   * Checks, debits and records a withdrawal, and starts to send it. A repeated request returns the recorded withdrawal.
   *
   * @param origins this gateway's origins; the statement must contain one of them
   * @throws InvalidWithdrawal, WithdrawalRefused, PayoutsPaused, ChainUnreachable, or an ApiError from
   * `PersonalSignatures`. In each case nothing is debited
   */
  async request(asked: AskedWithdrawal, by: Withdrawer, origins: ReadonlySet<string>): Promise<Withdrawal> {
    const { db } = this.options;
    const payout = this.#payout(asked.network, asked.asset);
    if (!this.config || !payout || !this.#payoutsOf(by.wallet).includes(payout))
      throw new InvalidWithdrawal('network', this.#unsupported(by.wallet));
    const { statement } = asked;
    const { network, asset, decimals } = payout.terms;
    await this.#requireSigned(asked, by, payout, origins);
    const identity = `${network}/${asset.toLowerCase()}/${by.wallet}/${statement.nonce}`;
    const signed = JSON.stringify({ ...statement, to: by.wallet });
    const known = await findWithdrawal(db, identity);
    if (known) return same(known, signed);
    this.#requireTimely(statement);
    const { amount, fee, payoutUnits } = this.#amounts(statement, decimals);
    const row = { identity, account_id: by.accountId, wallet: by.wallet, network, asset, amount, fee };
    // If the balance cannot cover the amount, no request is sent to the chain. The transaction that debits the amount
    // checks the balance again.
    const possible = await withdrawable(db, row);
    if (amount > possible) throw new WithdrawalRefused('balance', possible);
    if ((await payout.funds()) - (await openUnits(db, payout.terms)) < payoutUnits) throw new PayoutsPaused('funds');
    const { content, fromHeight, expiresAt } = await payout.sign(by.wallet, payoutUnits, identity);
    const recorded = await this.#record({
      ...row,
      payout_units: payoutUnits.toString(),
      statement: signed,
      content,
      from_height: fromHeight,
      expires_at: expiresAt,
    });
    void this.#runs.advance(recorded.id);
    return same(recorded, signed);
  }

  async #requireSigned(
    { statement, signature }: AskedWithdrawal,
    { wallet, clientIp }: Withdrawer,
    { terms }: Payout,
    origins: ReadonlySet<string>,
  ): Promise<void> {
    if (!origins.has(statement.gateway))
      throw new InvalidWithdrawal('gateway', `Must be the origin of this gateway: ${[...origins].join(' or ')}`);
    const stated = { ...statement, to: wallet };
    switch (familyOfChain(terms.network)) {
      case 'evm': {
        const chainId = Number(terms.network.slice('eip155:'.length));
        const digest = withdrawalDigest(stated, { chainId, token: terms.asset as `0x${string}` });
        const { verdict } = await this.options.signatures.judge(
          { address: wallet as `0x${string}`, digest, signature, chainIds: [chainId] },
          { clientIp },
        );
        if (verdict === 'unavailable') throw new PayoutsPaused('signature');
        if (verdict !== 'valid')
          throw new InvalidWithdrawal('signature', "Must be the wallet's signature (EIP-712) of the statement");
        return;
      }
      case 'solana':
        if (!isSolanaSignature(wallet, withdrawalText(stated, terms), signature))
          throw new InvalidWithdrawal('signature', "Must be the wallet's signature of the statement's text");
    }
  }

  #requireTimely({ validBefore }: AskedWithdrawal['statement']): void {
    const leftMs = Number(validBefore) * 1_000 - this.options.now();
    if (leftMs <= 0) throw new InvalidWithdrawal('validBefore', 'The statement has expired. Sign a new one.');
    if (leftMs > VALID_MS_MAX)
      throw new InvalidWithdrawal('validBefore', 'Must be a time within the next hour, in Unix seconds');
  }

  #amounts(
    statement: AskedWithdrawal['statement'],
    decimals: number,
  ): { amount: number; fee: number; payoutUnits: bigint } {
    const { minimum, fee: feeNanoUsd } = amountsOf(this.config as WithdrawalsConfig);
    const feeUnits = unitsOf(feeNanoUsd, decimals);
    if (BigInt(statement.fee) !== feeUnits)
      throw new InvalidWithdrawal('fee', `The fee is ${feeUnits} base units. Sign a statement with this fee.`);
    const units = BigInt(statement.amount);
    let amount: number;
    try {
      amount = nanoUsdOf(units, decimals);
    } catch (error) {
      throw new InvalidWithdrawal('amount', (error as Error).message);
    }
    if (amount < minimum || units <= feeUnits)
      throw new InvalidWithdrawal('amount', `Must be at least ${unitsOf(minimum, decimals)}, and more than the fee`);
    return { amount, fee: nanoUsdOf(feeUnits, decimals), payoutUnits: units - feeUnits };
  }

  /**
   * Records a withdrawal. On SQLite, withdrawals are recorded one at a time, and the amount is also reserved in the
   * meter. A repeated request therefore finds the record and reserves nothing.
   */
  #record(row: NewWithdrawal): Promise<Withdrawal> {
    const { db, exclusive, now } = this.options;
    const record = (): Promise<Withdrawal> =>
      recordWithdrawal(db, row, amountsOf(this.config as WithdrawalsConfig).dailyMax, now());
    if (!exclusive) return record();
    const recorded = this.#recording.then(async () => {
      const known = await findWithdrawal(db, row.identity);
      return known ?? this.#held(row, record);
    });
    this.#recording = recorded.catch(() => undefined);
    return recorded;
  }

  async #held<Result>({ account_id: accountId, amount }: NewWithdrawal, work: () => Promise<Result>): Promise<Result> {
    const { meter, now } = this.options;
    const caller = { accountId, apiKeyId: null, purse: 'x402' } as const;
    const admission = await meter.reserve({
      caller,
      keyHash: null,
      maxNanoUsd: amount,
      maxCredits: 0,
      uncapped: true,
      idempotency: null,
      now: now(),
    });
    if (admission.outcome !== 'admitted') throw new WithdrawalRefused('balance', await meter.spendable(caller));
    try {
      return await work();
    } finally {
      await endOfTurn();
      await meter.release(admission.reservation);
    }
  }

  #payout(network: string, asset: string): Payout | undefined {
    return this.payouts.find(
      ({ terms }) => terms.network === network && isSameAddress(familyOfChain(network), terms.asset, asset),
    );
  }

  #payoutsOf(wallet: string): Payout[] {
    const family = walletKey(wallet)?.family;
    return this.payouts.filter(({ terms }) => familyOfChain(terms.network) === family);
  }

  #unsupported(wallet: string): string {
    const offered = this.#payoutsOf(wallet)
      .map(({ terms }) => `${terms.asset} on ${terms.network}`)
      .join(', ');
    return `This wallet cannot withdraw this token on this network. It can withdraw ${offered || 'nothing'}.`;
  }
}

function amountsOf({
  dailyUsdMax,
  feeUsd,
  minimumUsd,
}: Pick<WithdrawalsConfig, 'dailyUsdMax' | 'feeUsd' | 'minimumUsd'>) {
  const nano = (usd: number): number => Math.round(usd * 1e6) * 1_000;
  return { dailyMax: nano(dailyUsdMax), fee: nano(feeUsd), minimum: nano(minimumUsd) };
}

function same(recorded: Withdrawal, signed: string): Withdrawal {
  if (recorded.statement === signed) return recorded;
  throw new InvalidWithdrawal(
    'nonce',
    'This nonce was used for another withdrawal. Sign a statement with a new nonce.',
  );
}
