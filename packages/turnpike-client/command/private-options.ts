import { askSandbox, type SandboxInfo } from '@/lib/client/sandbox-info';
import { type AcceptableVerdict, attestationPolicy, type PolicyAdditions } from '@/lib/client/private-chat';
import { UsageError } from '@/lib/command-line/usage-error';
import { isTcbStatus, TCB_STATUSES, type TcbStatus } from '@/lib/protocol/tee/hardware/tcb-status';
import { Malformed } from '@/lib/protocol/tee/malformed';
import type { PrivateFetchOptions } from '../src/private-fetch';
import type { Turnpike } from '../src/turnpike';
import { TurnpikeError } from '../src/turnpike-error';
import { nvidiaKeysFrom } from './nvidia-keys';
import { PIN_HELP, PIN_OPTIONS, type PinValues, pinsOf } from './pin-options';
import { simulatedRootFrom } from './simulated-root';

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

/** Parses the accepted verdicts and the policy, without the simulator's root. @throws {UsageError} */
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

/** @throws {TurnpikeError} ANSWER_MALFORMED unless the gateway sent a simulator's certificate */
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
        message: `The gateway names no simulator. ${cause.message}`,
        cause,
      }),
  );
}

function rootFrom(file: string): string {
  return checkedRoot(
    simulatedRootFrom(file),
    (cause) => new UsageError(`${file} is no root of a simulator. ${cause.message}`),
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
      `--accept-tcb is ${JSON.stringify(text)}; it is one of ${TCB_STATUSES.slice(0, -1).join(', ')}.`,
    );
  return text;
}
