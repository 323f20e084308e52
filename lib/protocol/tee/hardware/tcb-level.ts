import { asArray, asObject, asString, asTime } from '../json-shape';
import { Malformed } from '../malformed';
import { isTcbStatus, type TcbStatus } from './tcb-status';

/** What a level of TCB says of those who reach it. */
export interface TcbLevelVerdict {
  status: TcbStatus;
  /** Milliseconds since 1970. */
  tcbDateMs: number;
  advisoryIds: string[];
}

/** Reads the parts that the levels of platforms, modules and enclaves share. @throws {Malformed} for a status that is not known, too */
export function readLevelVerdict(value: unknown, path: string): TcbLevelVerdict {
  const level = asObject(value, path);
  const status = level['tcbStatus'];
  if (!isTcbStatus(status)) throw new Malformed(`${path}.tcbStatus is not one that is known.`);
  const advisoryIds = asArray(level['advisoryIDs'] ?? [], `${path}.advisoryIDs`).map((id) =>
    asString(id, `${path}.advisoryIDs`),
  );
  return { status, tcbDateMs: asTime(level['tcbDate'], `${path}.tcbDate`), advisoryIds };
}
