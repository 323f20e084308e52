import type { RunningMinute } from '@/lib/protocol/running-minute';
import type { MeterLimits } from '../meter';
import type { CallerFacts } from '../rules/admission';
import type { CountedCredits } from '../rules/credit-cap';
import type { KeptAnswer } from '../rules/idempotency';
import { type KeySpend, NO_SPEND } from '../rules/key-limit';
import type { Pots } from '../rules/pots';
import type { KeptAnswers } from './kept-answers';
import type { AccountState, KeyState, States } from './states';

export class SqliteCallerFacts implements CallerFacts {
  constructor(
    private readonly account: AccountState,
    readonly key: KeyState | null,
    private readonly now: number,
    private readonly limits: MeterLimits,
    private readonly states: States,
    private readonly answers: KeptAnswers,
  ) {}

  get pots(): Pots {
    return this.account.pots;
  }

  get minute(): RunningMinute {
    return this.account.minute;
  }

  get credits(): CountedCredits {
    return this.account.credits;
  }

  get requestsPerMinute(): number | null {
    return this.limits.requestsPerMinute[this.account.tier];
  }

  get creditsPerDay(): number | null {
    return this.limits.creditsPerDay[this.account.tier];
  }

  get idempotencyKeysMax(): number {
    return this.answers.keysMax;
  }

  keyUsed(): KeySpend {
    const { key } = this;
    if (!key) return NO_SPEND;
    this.states.enterPeriod(key, this.now);
    return {
      usd: key.spentUsd + key.heldUsd,
      diem: key.spentDiem + key.heldDiem,
      prepaid: key.spentPrepaid + key.heldPrepaid,
    };
  }

  isRunning(idempotencyKey: string): boolean {
    return this.account.runningKeys.has(idempotencyKey);
  }

  kept(idempotencyKey: string): KeptAnswer | undefined {
    return this.states.kept(this.account.id, idempotencyKey, this.now);
  }

  idempotencyKeys(): number {
    return this.answers.keysOf(this.account.id);
  }
}
