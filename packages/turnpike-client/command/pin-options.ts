import { Malformed } from '@/lib/protocol/tee/malformed';
import type { PinnedWorkload } from '@/lib/protocol/tee/policy';
import type { WorkloadPins } from '@/lib/protocol/tee/workload/known-workload';
import { readWorkloadPins } from '@/lib/protocol/tee/workload/pins-file';
import { readText } from './files';
import { UsageError } from '@/lib/command-line/usage-error';

const FLAGS = {
  'compose-hash': 'composeHash',
  'mr-td': 'mrTd',
  rtmr0: 'rtMr0',
  rtmr1: 'rtMr1',
  rtmr2: 'rtMr2',
  rtmr3: 'rtMr3',
} as const;

type Flag = keyof typeof FLAGS;

export const PIN_OPTIONS = {
  'compose-hash': { type: 'string' },
  'mr-td': { type: 'string' },
  rtmr0: { type: 'string' },
  rtmr1: { type: 'string' },
  rtmr2: { type: 'string' },
  rtmr3: { type: 'string' },
  pins: { type: 'string' },
} as const;

export const PIN_HELP = `  --pins FILE            workloads that may run in the enclave, as JSON
                         {"workloads": […], "images": […]}, as in the gateway's configuration
  --mr-td HEX, --rtmr0 HEX, --rtmr1 HEX, --rtmr2 HEX
                         pin the boot: firmware, its configuration, kernel and image
  --compose-hash HEX     pin the application, by the hash of its compose file
  --rtmr3 HEX            pin the application, by the register that measures it
                         A pin needs all four of the boot, or an image of --pins, and one of the
                         application.`;

export type PinValues = Partial<Record<Flag | 'pins', string>>;

/** Returns the pins of a command line. @throws {UsageError} */
export function pinsOf(values: PinValues): WorkloadPins {
  const inFile = values.pins === undefined ? { pinnedWorkloads: [], pinnedImages: [] } : pinsFrom(values.pins);
  const named = (Object.keys(FLAGS) as Flag[]).flatMap((flag) =>
    values[flag] === undefined ? [] : [[FLAGS[flag], hex(flag, values[flag])] as const],
  );
  if (named.length === 0) return inFile;
  const workload: PinnedWorkload = { name: 'the workload of the command line', ...Object.fromEntries(named) };
  return { ...inFile, pinnedWorkloads: [workload, ...inFile.pinnedWorkloads] };
}

function hex(flag: Flag, text: string): string {
  const characters = flag === 'compose-hash' ? 64 : 96;
  if (text.length !== characters || !/^[0-9a-f]+$/i.test(text))
    throw new UsageError(`--${flag} must be ${characters} hexadecimal characters.`);
  return text;
}

function pinsFrom(file: string): WorkloadPins {
  try {
    return readWorkloadPins(readText(file));
  } catch (error) {
    throw error instanceof Malformed ? new UsageError(`${file} holds no pins: ${error.message}`) : error;
  }
}
