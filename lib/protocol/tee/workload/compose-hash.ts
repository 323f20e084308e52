import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { CheckFailed, type Evidence, NotCheckable } from '../check-list';
import type { TdReport } from '../quote/td-report';
import { sameBytes } from '../x509/chain';
import { type MeasuredEvent, replayRegister } from './event-log';

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
 * @param events events of a replayed log; empty without a log
 * @param appCompose claimed compose file
 * @throws {NotCheckable} if the quote contains no compose hash; {CheckFailed} if two hashes differ, the event repeats,
 *   or the file has another hash
 */
export function checkComposeFile(
  { mrConfigId, rtMrs }: TdReport,
  events: readonly MeasuredEvent[],
  appCompose: string | null,
): { established: BoundComposeHash; evidence: Evidence } {
  const [byConfigId, byEvent] = [fromConfigId(mrConfigId), fromEvents(events)];
  const [bound, other] = [byConfigId, byEvent].filter((candidate) => candidate !== null);
  if (bound === undefined) throw new NotCheckable('The quote does not bind a compose file in a supported way.');
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

/** Returns whether the events replay to RTMR3, each with a digest of its name and payload. */
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
  if (found.length > 1) throw new CheckFailed('The event log names two compose files.');
  const payload = found[0]?.payload;
  return payload?.length === HASH_BYTES ? { hash: bytesToHex(payload), boundBy: 'rtmr3' } : null;
}
