import { randomBytes } from 'node:crypto';
import type { Withdrawal } from '@/lib/server/db/withdrawals';
import { ChainUnreachable, type SettleHooks } from '@/lib/server/payments/rail';
import type { RailTerms } from '@/lib/server/payments/rail-terms';
import type { Payout, PayoutFinding, SignedPayout } from '@/lib/server/payments/withdrawals/payout';

/**
 * What becomes of a submission: executed, executed without an answer, lost on the way, executed after some polls, or
 * refused by the node.
 */
export const FATES = ['executes', 'unanswered', 'lost', 'late', 'refused'] as const;
export type Fate = (typeof FATES)[number];

interface Transfer {
  nonce: string;
  to: string;
  units: string;
  validUntil: number;
}

const LATE_LOOKS = 2;

/** Payout over a simulated chain that executes each transfer once, and none after its expiry. */
export class ScriptedPayout implements Payout {
  readonly terms: RailTerms = {
    network: 'eip155:8453',
    name: 'base',
    rpcNetwork: 'base-mainnet',
    asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    symbol: 'USDC',
    decimals: 6,
    payTo: '0x00000000000000000000000000000000000000fe',
  };
  /** Fates of the next submissions. Without one, a submission executes. */
  fates: Fate[] = [];
  /** Awaited before and after each use of the chain. */
  step: () => void = () => undefined;
  isSilent = false;
  /** Validity of transfers that may be replaced; null if a transfer is valid as long as its withdrawal. */
  lapseMs: number | null = null;
  units = 10n ** 15n;
  submissions = 0;
  readonly #executed = new Map<string, Transfer>();
  readonly #late = new Map<string, { transfer: Transfer; looks: number }>();

  constructor(private readonly now: () => number) {}

  /** Returns the base units that an address got. */
  paidTo(address: string): bigint {
    return [...this.#executed.values()].reduce((sum, { to, units }) => sum + (to === address ? BigInt(units) : 0n), 0n);
  }

  funds(): Promise<bigint> {
    return this.#ask(() => this.units);
  }

  sign(to: string, units: bigint): Promise<SignedPayout> {
    const expiresAt = this.now() + 3_600_000;
    const content: Transfer = {
      nonce: randomBytes(8).toString('hex'),
      to,
      units: units.toString(),
      validUntil: this.lapseMs === null ? expiresAt : this.now() + this.lapseMs,
    };
    return this.#ask(() => ({ content: JSON.stringify(content), fromHeight: 0, expiresAt }));
  }

  async submit({ content }: Withdrawal, { onTransaction }: SettleHooks): Promise<void> {
    const transfer = JSON.parse(content) as Transfer;
    await onTransaction(`tx-${transfer.nonce}`);
    await this.#ask(() => {
      this.submissions++;
      const fate = this.fates.shift() ?? 'executes';
      if (fate === 'refused') throw new Error('refused');
      if (fate === 'lost' || this.now() > transfer.validUntil) return;
      if (fate === 'late') this.#late.set(transfer.nonce, { transfer, looks: 0 });
      else this.#executed.set(transfer.nonce, transfer);
      if (fate === 'unanswered') throw new Error('no answer');
    });
  }

  look({ content }: Withdrawal): Promise<PayoutFinding> {
    const { nonce, validUntil } = JSON.parse(content) as Transfer;
    return this.#ask((): PayoutFinding => {
      const late = this.#late.get(nonce);
      if (late && this.now() <= validUntil && ++late.looks >= LATE_LOOKS) this.#executed.set(nonce, late.transfer);
      const executed = this.#executed.get(nonce);
      if (executed) return { outcome: 'paid', transactionId: `tx-${nonce}`, amountUnits: BigInt(executed.units) };
      return this.now() > validUntil
        ? {
            outcome: this.lapseMs === null ? 'impossible' : 'lapsed',
            reason: 'The transfer was not executed before it expired.',
          }
        : { outcome: 'possible', note: null };
    });
  }

  async #ask<Answer>(answer: () => Answer): Promise<Answer> {
    this.step();
    await Promise.resolve();
    if (this.isSilent) throw new ChainUnreachable('silent');
    const answered = answer();
    this.step();
    return answered;
  }
}
