import { type IdentifiedCaller, NO_ACCOUNT } from '../../auth/caller';
import { AttestationTurns, type CallerPriority } from '../../attestation/attestation-turns';
import type { Limits } from '../../config/schema';
import { findAccount } from '../../db/accounts';
import { askStore } from '../../db/ask-store';
import type { Database } from '../../db/schema';
import type { Call } from '../../http/call';
import { addressBlock } from '../../http/ip-address';
import { AddressLimiter } from '../../http/rate-limit/address-limiter';
import { MinuteLimiter } from '../../http/rate-limit/minute-limiter';

/** Rate-limit key that all wallets without an account share. */
const STRANGERS = 'strangers';

/** Request about an enclave. `what` is a nonce or a completion's id. */
interface AskedEnclave {
  call: Pick<Call, 'clientIp'>;
  caller: IdentifiedCaller;
  model: string;
  what: string;
}

/** Attestations and signatures are free, so this class limits them by client address, caller's tier and model. */
export class AttestationAccess {
  readonly #byAddress: AddressLimiter;
  readonly #ofStrangers: MinuteLimiter<typeof STRANGERS>;
  readonly #turns: AttestationTurns;

  constructor(
    private readonly db: Database,
    { attestationsPerMinutePerIp, strangerAttestationsPerMinute, attestationsAtATime }: Limits,
    private readonly now: () => number,
  ) {
    this.#byAddress = new AddressLimiter(attestationsPerMinutePerIp);
    this.#ofStrangers = new MinuteLimiter(
      strangerAttestationsPerMinute,
      'all wallets without an account together, for attestations',
    );
    this.#turns = new AttestationTurns(attestationsAtATime);
  }

  /**
   * Runs an attestation, or joins a running attestation with the same nonce.
   * @throws ApiError MINUTE_CAP, ATTESTATION_BUSY
   */
  report<Report>(asked: AskedEnclave, work: () => Promise<Report>): Promise<Report> {
    return this.#ask('report', asked, work, (priority, { clientIp }, at) => {
      if (priority === 'paying') return;
      this.#byAddress.take(clientIp, at);
      if (priority === 'stranger') this.#ofStrangers.take(STRANGERS, at);
    });
  }

  /**
   * Fetches a signature. Callers with an account have no limit per address, because they need one signature for each
   * chat.
   */
  signature<Signature>(asked: AskedEnclave, work: () => Promise<Signature>): Promise<Signature> {
    return this.#ask('signature', asked, work, (priority, { clientIp }, at) => {
      if (priority === 'stranger') this.#byAddress.take(clientIp, at);
    });
  }

  async #ask<Answer>(
    kind: string,
    { call, caller, model, what }: AskedEnclave,
    work: () => Promise<Answer>,
    count: (priority: CallerPriority, call: AskedEnclave['call'], at: number) => void,
  ): Promise<Answer> {
    const priority = await this.#priorityOf(caller);
    const name = priority === 'stranger' ? addressBlock(call.clientIp) : caller.accountId;
    return this.#turns.ask(
      { lane: `${kind} ${model}`, key: what, caller: name, priority },
      () => count(priority, call, this.now()),
      work,
    );
  }

  async #priorityOf({ accountId }: IdentifiedCaller): Promise<CallerPriority> {
    if (accountId === NO_ACCOUNT) return 'stranger';
    const account = await askStore(() => findAccount(this.db, accountId));
    return account === undefined || account.tier === 'standard' ? 'known' : 'paying';
  }
}
