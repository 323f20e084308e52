import { sha384 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { asArray, asCount, asHex, asObject } from '../json-shape';
import { Malformed } from '../malformed';

/** Extension of a measurement register. */
export interface MeasuredEvent {
  /** Index of the run-time measurement register, 0 to 3. */
  register: number;
  digest: Uint8Array;
  name: string;
  payload: Uint8Array;
  /** True if the digest covers name and payload. Otherwise name and payload are unproved. */
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
  // Firmware logs shorter digests, which the register pads with zeros.
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
