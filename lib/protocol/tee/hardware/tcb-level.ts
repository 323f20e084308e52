import { asArray, asObject, asString, asTime } from '../json-shape';
import { Malformed } from '../malformed';
import { isTcbStatus, type TcbStatus } from './tcb-status';

export interface TcbLevelVerdict {
  status: TcbStatus;
  /** Unix milliseconds. */
  tcbDateMs: number;
  advisoryIds: string[];
}

/**
 * Parses the members that platform, module and enclave levels share.
 *
 * @throws {Malformed} also for an unknown status
 */
export function readLevelVerdict(value: unknown, path: string): TcbLevelVerdict {
  const level = asObject(value, path);
  const status = level['tcbStatus'];
  if (!isTcbStatus(status)) throw new Malformed(`${path}.tcbStatus is not one that is known.`);
  const advisoryIds = asArray(level['advisoryIDs'] ?? [], `${path}.advisoryIDs`).map((id) =>
    asString(id, `${path}.advisoryIDs`),
  );
  return { status, tcbDateMs: asTime(level['tcbDate'], `${path}.tcbDate`), advisoryIds };
}
