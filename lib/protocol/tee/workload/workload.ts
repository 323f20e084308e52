import { bytesToHex } from '@noble/hashes/utils.js';
import { CheckFailed, type Evidence, NotCheckable } from '../check-list';
import type { TdReport } from '../quote/td-report';
import { sameBytes } from '../x509/chain';
import type { BoundComposeHash } from './compose-hash';
import { type MeasuredEvent, readEventLog, replayRegister } from './event-log';

/**
 * Replays an event log against a quote's registers. RTMR3 must match. RTMR0 to RTMR2 must match only if the log has
 * events for them, because services leave out firmware events.
 *
 * @throws {NotCheckable} without a log; {Malformed}; {CheckFailed} if a register differs
 */
export function checkEventLog({ rtMrs }: TdReport, log: unknown): { established: MeasuredEvent[]; evidence: Evidence } {
  if (log == null) throw new NotCheckable('The report has no event log.');
  const events = readEventLog(log);
  const registers = rtMrs
    .map((_, register) => register)
    .filter((register) => register === 3 || events.some((event) => event.register === register));
  const evidence = { events: events.length, replayed: registers.map((register) => `RTMR${register}`) };
  const wrong = registers.find(
    (register) => !sameBytes(replayRegister(events, register), rtMrs[register] as Uint8Array),
  );
  if (wrong !== undefined) throw new CheckFailed(`The event log does not lead to RTMR${wrong} of the quote.`, evidence);
  return { established: events, evidence };
}

/** Workload measurements of a quote, lower-case hex. Absent measurements are null. */
export type Measurements = Readonly<
  Record<'mrTd' | 'rtMr0' | 'rtMr1' | 'rtMr2' | 'rtMr3' | 'mrConfigId' | 'composeHash', string | null>
>;

export function measurementsOf({ mrTd, mrConfigId, rtMrs }: TdReport, compose: BoundComposeHash | null): Measurements {
  const [rtMr0, rtMr1, rtMr2, rtMr3] = rtMrs.map(bytesToHex) as [string, string, string, string];
  return {
    mrTd: bytesToHex(mrTd),
    rtMr0,
    rtMr1,
    rtMr2,
    rtMr3,
    mrConfigId: bytesToHex(mrConfigId),
    composeHash: compose?.hash ?? null,
  };
}
