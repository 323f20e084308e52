import { sha256, sha384 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { CheckFailed, type Evidence, NotCheckable } from '../check-list';
import { asArray, asCount, asHex, asObject } from '../json-shape';
import { Malformed } from '../malformed';
import type { TdReport } from '../quote/quote';
import { sameBytes } from '../x509/chain';

/**
 * Replays an event log against a quote's registers. RTMR3 must match. RTMR0 to RTMR2 are compared only if the log has
 * events for them, because services leave out firmware events.
 *
 * @throws {NotCheckable} if there is no log; {Malformed}; {CheckFailed} if a register differs
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

interface MeasuredEvent {
  /** Index of the run-time measurement register, 0 to 3. */
  register: number;
  digest: Uint8Array;
  name: string;
  payload: Uint8Array;
  /** True if the digest covers name and payload. Otherwise name and payload are unproven. */
  isBound: boolean;
}

const EVENTS_MAX = 5_000;
const REGISTERS = 4;
const REGISTER_BYTES = 48;
/** Type of events that dstack's guest agent measures at run time. */
const RUNTIME_EVENT = 0x0800_0001;

/**
 * Parses dstack's event log: `{imr, event_type, digest, event, event_payload}`. Recomputes the digest of run-time
 * events: sha384(type as u32, little-endian ‖ ":" ‖ name ‖ ":" ‖ payload).
 *
 * @throws {Malformed} also if a run-time event states a different digest
 */
export function readEventLog(value: unknown): MeasuredEvent[] {
  return asArray(value, 'event_log', EVENTS_MAX).map((item, index) => readEvent(item, `event_log[${index}]`));
}

/** Computes a register's value by r = sha384(r ‖ digest), starting with 48 zero bytes. */
export function replayRegister(events: readonly MeasuredEvent[], register: number): Uint8Array {
  return events
    .filter((event) => event.register === register)
    .reduce((value, { digest }) => sha384(concatBytes(value, digest)), new Uint8Array(REGISTER_BYTES));
}

export function runtimeEventDigest(name: string, payload: Uint8Array): Uint8Array {
  const type = new Uint8Array(4);
  new DataView(type.buffer).setUint32(0, RUNTIME_EVENT, true);
  const colon = utf8ToBytes(':');
  return sha384(concatBytes(type, colon, utf8ToBytes(name), colon, payload));
}

function readEvent(value: unknown, path: string): MeasuredEvent {
  const json = asObject(value, path);
  const register = asCount(json['imr'], `${path}.imr`);
  if (register >= REGISTERS) throw new Malformed(`${path}.imr is not a register.`);
  const name = typeof json['event'] === 'string' ? json['event'] : '';
  const digest = bytesAt(json['digest'], `${path}.digest`);
  if (digest.length > REGISTER_BYTES) throw new Malformed(`${path}.digest is too long.`);
  // Firmware writes shorter digests to the log. The register pads them with zeros.
  const padded = concatBytes(digest, new Uint8Array(REGISTER_BYTES - digest.length));
  if (json['event_type'] !== RUNTIME_EVENT)
    return { register, digest: padded, name, payload: new Uint8Array(), isBound: false };
  const payload = bytesAt(json['event_payload'] ?? '', `${path}.event_payload`);
  const recomputed = runtimeEventDigest(name, payload);
  if (digest.length > 0 && bytesToHex(recomputed) !== bytesToHex(padded))
    throw new Malformed(`${path} has a digest that does not match its content.`);
  return { register, digest: recomputed, name, payload, isBound: true };
}

function bytesAt(value: unknown, path: string): Uint8Array {
  return hexToBytes(asHex(value, path).toLowerCase());
}

/** Hash of a compose file, and the place in the quote that contains it. */
export interface BoundComposeHash {
  hash: string;
  boundBy: 'mr_config_id' | 'rtmr3';
  /**
   * True if only mr_config_id contains the hash, and the event log does not replay to RTMR3. The host chooses
   * mr_config_id, so the guest may run another file.
   */
  isHostsWord: boolean;
}

const CONFIG_ID_VERSION = 1;
const HASH_BYTES = 32;
const COMPOSE_EVENT = 'compose-hash';
const APPLICATION_REGISTER = 3;

/**
 * Finds the compose hash in a quote: mr_config_id is 01 ‖ hash ‖ zeros, or RTMR3 contains one `compose-hash` event. The
 * caller must have replayed the events.
 *
 * @param events events of a replayed log; empty if there is no log
 * @param appCompose claimed compose file
 * @throws {NotCheckable} if the quote contains no compose hash; {CheckFailed} if two hashes differ, the event repeats,
 *   or the file has a different hash
 */
export function checkComposeFile(
  { mrConfigId, rtMrs }: TdReport,
  events: readonly MeasuredEvent[],
  appCompose: string | null,
): { established: BoundComposeHash; evidence: Evidence } {
  const [byConfigId, byEvent] = [fromConfigId(mrConfigId), fromEvents(events)];
  const [bound, other] = [byConfigId, byEvent].filter((candidate) => candidate !== null);
  if (bound === undefined) throw new NotCheckable('The quote does not attest a compose file in a supported way.');
  const said = appCompose === null ? null : bytesToHex(sha256(utf8ToBytes(appCompose)));
  const evidence = { measured: bound.hash, boundBy: bound.boundBy, report: said };
  if (other && other.hash !== bound.hash)
    throw new CheckFailed('The quote attests two different compose files.', evidence);
  if (said !== null && said !== bound.hash)
    throw new CheckFailed('The compose file of the report is not the one that was measured.', evidence);
  return {
    established: { ...bound, isHostsWord: byEvent === null && !isExplained(rtMrs[APPLICATION_REGISTER], events) },
    evidence,
  };
}

/** Returns whether the events replay to RTMR3 and each digest covers its event's name and payload. */
function isExplained(register: Uint8Array, events: readonly MeasuredEvent[]): boolean {
  const own = events.filter((event) => event.register === APPLICATION_REGISTER);
  return own.every(({ isBound }) => isBound) && sameBytes(replayRegister(own, APPLICATION_REGISTER), register);
}

type Binding = Omit<BoundComposeHash, 'isHostsWord'>;

function fromConfigId(mrConfigId: Uint8Array): Binding | null {
  const isComposeHash =
    mrConfigId[0] === CONFIG_ID_VERSION && mrConfigId.subarray(1 + HASH_BYTES).every((byte) => byte === 0);
  return isComposeHash ? { hash: bytesToHex(mrConfigId.subarray(1, 1 + HASH_BYTES)), boundBy: 'mr_config_id' } : null;
}

function fromEvents(events: readonly MeasuredEvent[]): Binding | null {
  const found = events.filter(
    ({ register, name, isBound }) => register === APPLICATION_REGISTER && name === COMPOSE_EVENT && isBound,
  );
  // The application can extend RTMR3, and so add a second event.
  if (found.length > 1) throw new CheckFailed('The event log contains two compose hashes.');
  const payload = found[0]?.payload;
  return payload?.length === HASH_BYTES ? { hash: bytesToHex(payload), boundBy: 'rtmr3' } : null;
}
