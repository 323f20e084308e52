import { Malformed } from '@/lib/protocol/tee/malformed';
import type { PinnedWorkload } from '@/lib/protocol/tee/policy';
import type { WorkloadPins } from '@/lib/protocol/tee/workload/known-workload';
import { readWorkloadPins } from '@/lib/protocol/tee/workload/pins-file';
import type { Measurements } from '@/lib/protocol/tee/workload/workload';
import { readText } from './read-text';
import { UsageError } from './usage-error';

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

export const PIN_HELP = `  --mr-td HEX, --rtmr0 HEX, --rtmr1 HEX, --rtmr2 HEX
                            pin what boots: firmware, its configuration, kernel, image
  --compose-hash HEX        pin what runs there by the hash of its compose file
  --rtmr3 HEX               or by the register that it is measured into
  --pins FILE               pins as JSON, {"workloads": […], "images": […]}, in the form
                            of the gateway's configuration
                            A workload is known by all five, or by an image of --pins in
                            the place of the first four; by less it stays unknown.`;

/** Returns the pins of a command line; none without options. @throws {UsageError} */
export function pinsOf(values: Partial<Record<Flag | 'pins', string>>): WorkloadPins {
  const inFile = values.pins === undefined ? { pinnedWorkloads: [], pinnedImages: [] } : pinsFrom(values.pins);
  const named = (Object.keys(FLAGS) as Flag[]).flatMap((flag) =>
    values[flag] === undefined ? [] : [[FLAGS[flag], hex(flag, values[flag])] as const],
  );
  if (named.length === 0) return inFile;
  const workload: PinnedWorkload = { name: 'the workload of the command line', ...Object.fromEntries(named) };
  return { ...inFile, pinnedWorkloads: [workload, ...inFile.pinnedWorkloads] };
}

/** Lists a quote's workload measurements by name, then the options that pin them. */
export function measurementFacts(measurements: Measurements | null): [string, string | null][] {
  if (measurements === null) return [];
  const { mrTd, rtMr0, rtMr1, rtMr2, rtMr3, composeHash } = measurements;
  return [
    ['MRTD', mrTd],
    ['RTMR0', rtMr0],
    ['RTMR1', rtMr1],
    ['RTMR2', rtMr2],
    ['RTMR3', rtMr3],
    ['Compose hash', composeHash],
  ];
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
