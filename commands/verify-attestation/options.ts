import { parseArgs } from 'node:util';
import { isTcbStatus, TCB_STATUSES, type TcbStatus } from '@/lib/protocol/tee/hardware/tcb-status';
import type { WorkloadPins } from '@/lib/protocol/tee/workload/known-workload';
import { PIN_HELP, PIN_OPTIONS, pinsOf } from './pin-options';
import { UsageError } from './usage-error';

export const HELP = `npm run verify-attestation -- FILE [options]

Checks an exported attestation again, offline, with the roots that are built in.
FILE is what the console or the client exported; "-" is standard input.

${PIN_HELP}
  --accept-tcb STATUS       take this status of the platform too; may be given several times
                            (${TCB_STATUSES.slice(1, 5).join(', ')}, …)
  --nvidia-keys FILE        NVIDIA's keys as a JSON Web Key Set, to check the GPUs' verdict
  --at TIME                 check for this time (ISO 8601, or "now"); default: when it was exported
  --json                    the whole verdict as JSON
  -h, --help                this text

Exit code: 0 verified · 1 failed · 2 wrong usage · 10 genuine hardware, unknown workload
           11 simulated · 12 not checkable
`;

/** What the command was asked to do. */
export interface VerifyOptions {
  file: string;
  pins: WorkloadPins;
  acceptedTcbStatuses: TcbStatus[];
  nvidiaKeysFile: string | null;
  /** Milliseconds since 1970; null for the time of the export. */
  atMs: number | null;
  json: boolean;
}

const OPTIONS = {
  ...PIN_OPTIONS,
  'accept-tcb': { type: 'string', multiple: true },
  'nvidia-keys': { type: 'string' },
  at: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Reads the command line. @returns null where help was asked for @throws {UsageError} */
export function readOptions(args: readonly string[], nowMs: number): VerifyOptions | null {
  const { values, positionals } = parse(args);
  if (values.help) return null;
  const [file, more] = positionals;
  if (file === undefined || more !== undefined) throw new UsageError('Name one file, or "-".');
  return {
    file,
    pins: pinsOf(values),
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

/** A status that may be accepted. @throws {UsageError} */
export function status(text: string): TcbStatus {
  if (!isTcbStatus(text) || text === 'Revoked') throw new UsageError(`--accept-tcb must be one of ${TCB_STATUSES.slice(0, -1).join(', ')}.`);
  return text;
}

function time(text: string, nowMs: number): number {
  const timeMs = text === 'now' ? nowMs : Date.parse(text);
  if (Number.isNaN(timeMs)) throw new UsageError('--at must be a time in ISO 8601, or "now".');
  return timeMs;
}
