import { type AcceptableVerdict, attestationPolicy, type PolicyAdditions } from '@/lib/client/private-chat';
import { askSandbox, type SandboxInfo } from '@/lib/client/sandbox-info';
import { UsageError } from '@/lib/command-line/usage-error';
import { isTcbStatus, TCB_STATUSES, type TcbStatus } from '@/lib/protocol/tee/hardware/tcb-info';
import { Malformed } from '@/lib/protocol/tee/malformed';
import type { NvidiaKey, PinnedWorkload } from '@/lib/protocol/tee/policy';
import type { WorkloadPins } from '@/lib/protocol/tee/workload/known-workload';
import { readWorkloadPins } from '@/lib/protocol/tee/workload/pins-file';
import type { PrivateFetchOptions } from '../src/private-fetch';
import type { Turnpike } from '../src/turnpike';
import { TurnpikeError } from '../src/turnpike-error';
import { readBytes, readText } from './files';

/**
 * Reads NVIDIA's P-384 keys from a JSON Web Key Set (RFC 7517). Verifiers accept these keys in addition to keys that a
 * pinned authority certified.
 *
 * @throws {UsageError} for an unreadable file, an invalid set, or a set without such a key
 */
function nvidiaKeysFrom(file: string): NvidiaKey[] {
  const keys = keysOf(readText(file)).filter(
    ({ kty, crv, kid, x, y }) =>
      kty === 'EC' && crv === 'P-384' && [kid, x, y].every((part) => typeof part === 'string'),
  );
  if (keys.length === 0)
    throw new UsageError(`${file} is not a JSON Web Key Set with a key on P-384 (kty, crv, kid, x, y).`);
  return keys;
}

function keysOf(text: string): NvidiaKey[] {
  try {
    const { keys } = JSON.parse(text) as { keys?: unknown };
    return (Array.isArray(keys) ? keys : []).filter((key): key is NvidiaKey => typeof key === 'object' && key !== null);
  } catch {
    return [];
  }
}

const PEM = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----/;
const BASE64 = /^[A-Za-z0-9+/\s]+=*\s*$/;

/**
 * Reads a simulator's root certificate from a PEM, Base64 or DER file, and returns DER in Base64.
 *
 * @throws {UsageError}
 */
function simulatedRootFrom(file: string): string {
  const bytes = readBytes(file);
  const text = bytes.toString('latin1');
  const inner = PEM.exec(text)?.[1] ?? (BASE64.test(text) ? text : null);
  return inner === null ? bytes.toString('base64') : inner.replace(/\s/g, '');
}

const FLAGS = {
  'compose-hash': 'composeHash',
  'mr-td': 'mrTd',
  rtmr0: 'rtMr0',
  rtmr1: 'rtMr1',
  rtmr2: 'rtMr2',
  rtmr3: 'rtMr3',
} as const;

type Flag = keyof typeof FLAGS;

const PIN_OPTIONS = {
  'compose-hash': { type: 'string' },
  'mr-td': { type: 'string' },
  rtmr0: { type: 'string' },
  rtmr1: { type: 'string' },
  rtmr2: { type: 'string' },
  rtmr3: { type: 'string' },
  pins: { type: 'string' },
} as const;

const PIN_HELP = `  --pins FILE            workloads that may run in the enclave, as JSON
                         {"workloads": […], "images": […]}, as in the gateway's configuration
  --mr-td HEX, --rtmr0 HEX, --rtmr1 HEX, --rtmr2 HEX
                         pin the boot: firmware, its configuration, kernel and image
  --compose-hash HEX     pin the application, by the hash of its compose file
  --rtmr3 HEX            pin the application, by the register that measures it
                         A pin needs all four values of the boot or an image from --pins, and one
                         value of the application.`;

type PinValues = Partial<Record<Flag | 'pins', string>>;

function pinsOf(values: PinValues): WorkloadPins {
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
    throw error instanceof Malformed ? new UsageError(`${file} contains no pins: ${error.message}`) : error;
  }
}

export const PRIVATE_OPTIONS = {
  ...PIN_OPTIONS,
  'accept-tcb': { type: 'string', multiple: true },
  'nvidia-keys': { type: 'string' },
  'allow-unknown-workload': { type: 'boolean' },
  'allow-simulated': { type: 'boolean' },
  'simulated-root': { type: 'string' },
} as const;

export const PRIVATE_HELP = `${PIN_HELP}
  --accept-tcb STATUS    accept this status of the platform too, such as OutOfDate; may be
                         repeated
  --nvidia-keys FILE     NVIDIA's keys as a JSON Web Key Set, to check its verdict on GPUs
  --allow-unknown-workload
                         accept genuine hardware even without a pinned workload
  --allow-simulated      accept the simulator of a sandbox; without an account, use the
                         sandbox's demo key
  --simulated-root FILE  the same, with a root of your own: a certificate as PEM, DER or base64`;

export interface PrivateValues extends PinValues {
  'accept-tcb'?: string[];
  'nvidia-keys'?: string;
  'allow-unknown-workload'?: boolean;
  'allow-simulated'?: boolean;
  'simulated-root'?: string;
}

export interface AttestationDemands {
  accepted: readonly AcceptableVerdict[];
  policy: Required<Pick<PolicyAdditions, 'pinnedWorkloads' | 'pinnedImages' | 'acceptedTcbStatuses' | 'nvidiaKeys'>>;
}

/** Parses the accepted verdicts and the policy. Does not read the simulator's root. @throws {UsageError} */
export function readDemands(values: PrivateValues): AttestationDemands {
  return {
    accepted: [
      'verified',
      ...(values['allow-unknown-workload'] ? (['unknown-workload'] as const) : []),
      ...(allowsSimulated(values) ? (['simulated'] as const) : []),
    ],
    policy: {
      ...pinsOf(values),
      acceptedTcbStatuses: ['UpToDate', ...(values['accept-tcb'] ?? []).map(tcbStatus)],
      nvidiaKeys: values['nvidia-keys'] === undefined ? [] : nvidiaKeysFrom(values['nvidia-keys']),
    },
  };
}

export function allowsSimulated(values: Pick<PrivateValues, 'allow-simulated' | 'simulated-root'>): boolean {
  return values['allow-simulated'] === true || values['simulated-root'] !== undefined;
}

/**
 * Parses privacy requirements from the command line.
 * @throws {UsageError | TurnpikeError | GatewayError | UnreachableError}
 */
export async function readPrivateOptions(
  values: PrivateValues,
  { connection }: Pick<Turnpike, 'connection'>,
): Promise<PrivateFetchOptions> {
  const { accepted, policy } = readDemands(values);
  if (!allowsSimulated(values)) return { accepted, ...policy };
  const file = values['simulated-root'];
  const simulatedRoot = file === undefined ? rootOf(await askSandbox(connection)) : rootFrom(file);
  return { accepted, ...policy, simulatedRoot };
}

function rootOf(sandbox: SandboxInfo | null): string {
  const root = sandbox?.enclave?.root;
  if (root === undefined)
    throw new UsageError(
      '--allow-simulated is for sandboxes, and this gateway has no simulator. --simulated-root reads a root from a file.',
    );
  return checkedRoot(
    root,
    (cause) =>
      new TurnpikeError('ANSWER_MALFORMED', {
        message: `The gateway sent no valid certificate of a simulator. ${cause.message}`,
        cause,
      }),
  );
}

function rootFrom(file: string): string {
  return checkedRoot(
    simulatedRootFrom(file),
    (cause) => new UsageError(`${file} is not the root of a simulator. ${cause.message}`),
  );
}

function checkedRoot(simulatedRoot: string, refusal: (cause: Malformed) => Error): string {
  try {
    attestationPolicy({ simulatedRoot });
    return simulatedRoot;
  } catch (cause) {
    throw cause instanceof Malformed ? refusal(cause) : cause;
  }
}

function tcbStatus(text: string): TcbStatus {
  if (!isTcbStatus(text) || text === 'Revoked')
    throw new UsageError(
      `--accept-tcb is ${JSON.stringify(text)}; it must be one of ${TCB_STATUSES.slice(0, -1).join(', ')}.`,
    );
  return text;
}
