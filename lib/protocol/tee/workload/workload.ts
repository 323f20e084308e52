import { bytesToHex } from '@noble/hashes/utils.js';
import { CheckFailed, type Evidence, NotCheckable } from '../check-list';
import type { PinnedWorkload } from '../policy';
import type { TdReport } from '../quote/td-report';
import { sameBytes } from '../x509/chain';
import type { BoundComposeHash } from './compose-hash';
import { type MeasuredEvent, readEventLog, replayRegister } from './event-log';

/**
 * Replays an event log against the registers of a quote. Register 3, the application's, must come out; the
 * others must where the log has events of them, since services leave out those of the firmware.
 *
 * @throws {NotCheckable} without a log; {Malformed}; {CheckFailed} where a register comes out differently
 */
export function checkEventLog({ rtMrs }: TdReport, log: unknown): { established: MeasuredEvent[]; evidence: Evidence } {
  if (log == null) throw new NotCheckable('The report carries no event log.');
  const events = readEventLog(log);
  const registers = rtMrs.map((_, register) => register).filter((register) => register === 3 || events.some((event) => event.register === register));
  const evidence = { events: events.length, replayed: registers.map((register) => `RTMR${register}`) };
  const wrong = registers.find((register) => !sameBytes(replayRegister(events, register), rtMrs[register] as Uint8Array));
  if (wrong !== undefined) throw new CheckFailed(`The event log does not lead to RTMR${wrong} of the quote.`, evidence);
  return { established: events, evidence };
}

const MEASUREMENTS = ['mrTd', 'rtMr0', 'rtMr1', 'rtMr2', 'rtMr3', 'mrConfigId', 'composeHash'] as const;

export type Measurements = Readonly<Record<(typeof MEASUREMENTS)[number], string | null>>;

/** What a quote says of its workload, in lower-case hex. */
export function measurementsOf({ mrTd, mrConfigId, rtMrs }: TdReport, compose: BoundComposeHash | null): Measurements {
  const [rtMr0, rtMr1, rtMr2, rtMr3] = rtMrs.map(bytesToHex) as [string, string, string, string];
  return { mrTd: bytesToHex(mrTd), rtMr0, rtMr1, rtMr2, rtMr3, mrConfigId: bytesToHex(mrConfigId), composeHash: compose?.hash ?? null };
}

/** Finds the pinned workload that a quote is of. @throws {NotCheckable} where none is pinned; {CheckFailed} where none fits */
export function checkWorkload(measurements: Measurements, compose: BoundComposeHash | null, pinned: readonly PinnedWorkload[]): { established: PinnedWorkload; evidence: Evidence } {
  const evidence = { ...measurements, composeBoundBy: compose?.boundBy ?? null };
  if (pinned.length === 0) throw new NotCheckable('No workload is pinned, so it is not known what runs in the enclave.', evidence);
  const workload = pinned.find((candidate) => fits(candidate, measurements));
  if (!workload) throw new CheckFailed('The workload is none of those that are pinned.', evidence);
  return { established: workload, evidence: { workload: workload.name, pinnedBy: MEASUREMENTS.filter((name) => workload[name] !== undefined), ...evidence } };
}

function fits(workload: PinnedWorkload, measurements: Measurements): boolean {
  const wanted = MEASUREMENTS.filter((name) => workload[name] !== undefined);
  return wanted.length > 0 && wanted.every((name) => workload[name]?.toLowerCase() === measurements[name]);
}
