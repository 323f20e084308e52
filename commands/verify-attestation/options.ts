import { parseArgs } from 'node:util';
import { isTcbStatus, TCB_STATUSES, type TcbStatus } from '@/lib/protocol/tee/hardware/tcb-status';
import type { WorkloadPins } from '@/lib/protocol/tee/workload/known-workload';
import { PIN_HELP, PIN_OPTIONS, pinsOf } from './pin-options';
import { UsageError } from './usage-error';

export const HELP = `npm run verify-attestation -- FILE [options]
npm run verify-attestation -- --recording DIR [options]

Checks an attestation again, offline, with the roots that are built in.
FILE is what the console or the client exported; "-" is standard input.
DIR holds what a provider and the services behind its report answered:
manifest.json, and responses/ with a .json and a .body for each.

  --record URL              first make the recording DIR: ask this provider with a fresh nonce, then
                            Intel and NVIDIA about its hardware. Several times for providers that
                            take several calls. {nonce} is replaced. ATTESTATION_AUTHORIZATION in
                            the environment is the header Authorization for the provider
  --model MODEL             with --record: the model that is asked for
  --print-pins              of a recording: what would have to be pinned, as JSON that --pin takes
  --pin FILE                the same as --pins FILE

${PIN_HELP}
  --accept-tcb STATUS       take this status of the platform too; may be given several times
                            (${TCB_STATUSES.slice(1, 5).join(', ')}, …)
  --nvidia-keys FILE        NVIDIA's keys as a JSON Web Key Set, to check the GPUs' verdict
  --at TIME                 check for this time (ISO 8601, or "now"); default: when it was exported or recorded
  --json                    the whole verdict as JSON
  -h, --help                this text

Exit code: 0 verified · 1 failed · 2 wrong usage · 10 genuine hardware, unknown workload
           11 simulated · 12 not checkable
`;

export interface VerifyOptions {
  /** File of the export; empty if a recording is verified. */
  file: string;
  /** Folder of a recording; null for an export. */
  recording: string | null;
  printPins: boolean;
  /** URLs to record before verification; empty for an existing recording. */
  recordUrls: readonly string[];
  model: string | null;
  pins: WorkloadPins;
  acceptedTcbStatuses: TcbStatus[];
  nvidiaKeysFile: string | null;
  /** Time of verification in Unix milliseconds; null for the time of the export. */
  atMs: number | null;
  json: boolean;
}

const OPTIONS = {
  ...PIN_OPTIONS,
  pin: { type: 'string' },
  recording: { type: 'string' },
  record: { type: 'string', multiple: true },
  model: { type: 'string' },
  'print-pins': { type: 'boolean' },
  'accept-tcb': { type: 'string', multiple: true },
  'nvidia-keys': { type: 'string' },
  at: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Parses the command line. @returns null for help @throws {UsageError} */
export function readOptions(args: readonly string[], nowMs: number): VerifyOptions | null {
  const { values, positionals } = parse(args);
  if (values.help) return null;
  const { recording = null, 'print-pins': printPins = false } = values;
  const [file, more] = positionals;
  if (recording === null ? file === undefined || more !== undefined : file !== undefined)
    throw new UsageError('Name one file, or "-", or a recording with --recording DIR.');
  if (values.record !== undefined && recording === null)
    throw new UsageError('--record takes the folder to record into: --recording DIR.');
  if (printPins && recording === null) throw new UsageError('--print-pins takes a recording.');
  if (values.pin !== undefined && values.pins !== undefined)
    throw new UsageError('--pin and --pins are the same: give one of them.');
  return {
    file: file ?? '',
    recording,
    printPins,
    recordUrls: values.record ?? [],
    model: values.model ?? null,
    pins: pinsOf({ ...values, ...(values.pin !== undefined && { pins: values.pin }) }),
    acceptedTcbStatuses: ['UpToDate', ...(values['accept-tcb'] ?? []).map(status)],
    nvidiaKeysFile: values['nvidia-keys'] ?? null,
    atMs: values.at === undefined ? null : time(values.at, nowMs),
    json: values.json ?? false,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** Parses an acceptable TCB status. @throws {UsageError} */
export function status(text: string): TcbStatus {
  if (!isTcbStatus(text) || text === 'Revoked')
    throw new UsageError(`--accept-tcb must be one of ${TCB_STATUSES.slice(0, -1).join(', ')}.`);
  return text;
}

function time(text: string, nowMs: number): number {
  const timeMs = text === 'now' ? nowMs : Date.parse(text);
  if (Number.isNaN(timeMs)) throw new UsageError('--at must be a time in ISO 8601, or "now".');
  return timeMs;
}
