import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { CheckFailed, type Evidence, NotCheckable } from '../check-list';
import type { TdReport } from '../quote/td-report';
import { sameBytes } from '../x509/chain';
import { type MeasuredEvent, replayRegister } from './event-log';

/** The hash of an application's compose file, and what of the quote binds it. */
export interface BoundComposeHash {
  /** Lower-case hex. */
  hash: string;
  boundBy: 'mr_config_id' | 'rtmr3';
  /**
   * Whether only mr_config_id says so, which the host chooses, while register 3, which the guest extends, holds what no
   * event of a known form explains: the guest may have measured another file there.
   */
  isHostsWord: boolean;
}

const CONFIG_ID_VERSION = 1;
const HASH_BYTES = 32;
const COMPOSE_EVENT = 'compose-hash';
const APPLICATION_REGISTER = 3;

/**
 * Finds the compose hash that a quote binds: mr_config_id is 01 ‖ hash ‖ zeros, or register 3 holds one
 * `compose-hash` event. The events must have been replayed before.
 *
 * @param events of a log that was replayed; empty where there is none
 * @param appCompose the file that is said to run, if one is
 * @throws {NotCheckable} where the quote binds none; {CheckFailed} where two bindings differ, the event stands
 *   there twice, or the file is another one
 */
export function checkComposeFile(
  { mrConfigId, rtMrs }: TdReport,
  events: readonly MeasuredEvent[],
  appCompose: string | null,
): { established: BoundComposeHash; evidence: Evidence } {
  const [byConfigId, byEvent] = [fromConfigId(mrConfigId), fromEvents(events)];
  const [bound, other] = [byConfigId, byEvent].filter((candidate) => candidate !== null);
  if (bound === undefined) throw new NotCheckable('The quote binds no compose file in a way that is known here.');
  const said = appCompose === null ? null : bytesToHex(sha256(utf8ToBytes(appCompose)));
  const evidence = { measured: bound.hash, boundBy: bound.boundBy, report: said };
  if (other && other.hash !== bound.hash)
    throw new CheckFailed('The quote binds two different compose files.', evidence);
  if (said !== null && said !== bound.hash)
    throw new CheckFailed('The compose file of the report is not the one that was measured.', evidence);
  return {
    established: { ...bound, isHostsWord: byEvent === null && !isExplained(rtMrs[APPLICATION_REGISTER], events) },
    evidence,
  };
}

/** Whether a log accounts for all of register 3, in events whose names and payloads their digests commit to. */
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
  // An application may extend the register itself, and could add an event of this name after the true one.
  if (found.length > 1) throw new CheckFailed('The event log names two compose files.');
  const payload = found[0]?.payload;
  return payload?.length === HASH_BYTES ? { hash: bytesToHex(payload), boundBy: 'rtmr3' } : null;
}
