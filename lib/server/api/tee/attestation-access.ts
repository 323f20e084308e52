import { type IdentifiedCaller, NO_ACCOUNT } from '../../auth/caller';
import { AttestationTurns, type Standing } from '../../attestation/attestation-turns';
import type { Limits } from '../../config/schema';
import { findAccount } from '../../db/accounts';
import { askStore } from '../../db/ask-store';
import type { Database } from '../../db/schema';
import type { Call } from '../../http/call';
import { addressBlock } from '../../http/ip-address';
import { AddressLimiter } from '../../http/rate-limit/address-limiter';
import { MinuteLimiter } from '../../http/rate-limit/minute-limiter';

/** Whom all strangers together are counted as. */
const STRANGERS = 'strangers';

/** Who asks, of which model, and what: a nonce, or the id of a completion. */
export interface AskedEnclave {
  call: Pick<Call, 'clientIp'>;
  caller: IdentifiedCaller;
  model: string;
  what: string;
}

/** Bounds attestations and signatures, which are free: by client address, by what a caller has ever paid, and by model. */
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
      'all wallets together that have no account, for attestations',
    );
    this.#turns = new AttestationTurns(attestationsAtATime);
  }

  /** Has a report made, or shares one over the same nonce that is being made. @throws ApiError MINUTE_CAP, ATTESTATION_BUSY */
  report<Report>(asked: AskedEnclave, work: () => Promise<Report>): Promise<Report> {
    return this.#ask('report', asked, work, (standing, { clientIp }, at) => {
      if (standing === 'paying') return;
      this.#byAddress.take(clientIp, at);
      if (standing === 'stranger') this.#ofStrangers.take(STRANGERS, at);
    });
  }

  /** The same of a signature. It takes little, and callers with an account fetch one for each of their chats. */
  signature<Signature>(asked: AskedEnclave, work: () => Promise<Signature>): Promise<Signature> {
    return this.#ask('signature', asked, work, (standing, { clientIp }, at) => {
      if (standing === 'stranger') this.#byAddress.take(clientIp, at);
    });
  }

  async #ask<Answer>(
    kind: string,
    { call, caller, model, what }: AskedEnclave,
    work: () => Promise<Answer>,
    count: (standing: Standing, call: AskedEnclave['call'], at: number) => void,
  ): Promise<Answer> {
    const standing = await this.#standingOf(caller);
    const name = standing === 'stranger' ? addressBlock(call.clientIp) : caller.accountId;
    return this.#turns.ask(
      { lane: `${kind} ${model}`, key: what, caller: name, standing },
      () => count(standing, call, this.now()),
      work,
    );
  }

  async #standingOf({ accountId }: IdentifiedCaller): Promise<Standing> {
    if (accountId === NO_ACCOUNT) return 'stranger';
    const account = await askStore(() => findAccount(this.db, accountId));
    return account === undefined || account.tier === 'standard' ? 'known' : 'paying';
  }
}
