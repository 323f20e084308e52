import { createHash } from 'node:crypto';
import { readEventLog, replayRegister, runtimeEventDigest } from '@/lib/protocol/tee/workload/workload';

export interface LoggedEvent {
  imr: number;
  event_type: number;
  /** Hex. */
  digest: string;
  event: string;
  /** Hex. */
  event_payload: string;
}

export interface MeasuredBoot {
  mrTd: Buffer;
  mrConfigId: Buffer;
  rtMrs: [Uint8Array, Uint8Array, Uint8Array, Uint8Array];
  eventLog: LoggedEvent[];
}

const RUNTIME_EVENT = 0x0800_0001;
const EFI_EVENT = 0x8000_0001;
const CONFIG_ID_VERSION = 1;
const MEASUREMENT_BYTES = 48;

/** Simulates the measured boot of firmware, kernel and an application's compose file. */
export function measureBoot(appCompose: string): MeasuredBoot {
  const composeHash = createHash('sha256').update(appCompose).digest();
  const eventLog = [
    firmwareEvent(0, 'SIMULATED firmware configuration'),
    firmwareEvent(1, 'SIMULATED kernel'),
    firmwareEvent(2, 'SIMULATED initial file system'),
    runtimeEvent('system-preparing', Buffer.alloc(0)),
    runtimeEvent('app-id', composeHash.subarray(0, 20)),
    runtimeEvent('compose-hash', composeHash),
    runtimeEvent('instance-id', createHash('sha256').update('SIMULATED instance').digest().subarray(0, 20)),
    runtimeEvent('system-ready', Buffer.alloc(0)),
  ];
  const events = readEventLog(eventLog);
  const register = (index: number) => replayRegister(events, index);
  return {
    mrTd: createHash('sha384').update('SIMULATED firmware').digest(),
    mrConfigId: Buffer.concat([
      Buffer.of(CONFIG_ID_VERSION),
      composeHash,
      Buffer.alloc(MEASUREMENT_BYTES - 1 - composeHash.length),
    ]),
    rtMrs: [register(0), register(1), register(2), register(3)],
    eventLog,
  };
}

function firmwareEvent(imr: number, what: string): LoggedEvent {
  return {
    imr,
    event_type: EFI_EVENT,
    digest: createHash('sha384').update(what).digest('hex'),
    event: what,
    event_payload: '',
  };
}

function runtimeEvent(event: string, payload: Buffer): LoggedEvent {
  return {
    imr: 3,
    event_type: RUNTIME_EVENT,
    digest: Buffer.from(runtimeEventDigest(event, payload)).toString('hex'),
    event,
    event_payload: payload.toString('hex'),
  };
}
