import { readFileSync } from 'node:fs';
import { askSandbox } from '@/lib/client/sandbox-info';
import { type AcceptableVerdict, attestationPolicy } from '@/lib/client/private-chat';
import { Malformed } from '@/lib/protocol/tee/malformed';
import { readWorkloadPins } from '@/lib/protocol/tee/workload/pins-file';
import type { PrivateFetchOptions } from '../src/private-fetch';
import type { Turnpike } from '../src/turnpike';
import { TurnpikeError } from '../src/turnpike-error';
import { UsageError } from './usage-error';

export const PRIVATE_OPTIONS = {
  pins: { type: 'string' },
  'allow-unknown-workload': { type: 'boolean' },
  'allow-simulated': { type: 'boolean' },
} as const;

export const PRIVATE_HELP = `  --pins FILE            workloads that may run in the enclave, as JSON
  --allow-unknown-workload
                         send to genuine hardware even without a pinned workload
  --allow-simulated      send to the simulator of a sandbox`;

export interface PrivateValues {
  pins?: string;
  'allow-unknown-workload'?: boolean;
  'allow-simulated'?: boolean;
}

/**
 * Parses privacy requirements from the command line.
 * @throws {UsageError | TurnpikeError | GatewayError | UnreachableError}
 */
export async function readPrivateOptions(
  values: PrivateValues,
  { connection }: Pick<Turnpike, 'connection'>,
): Promise<PrivateFetchOptions> {
  const accepted: AcceptableVerdict[] = ['verified'];
  if (values['allow-unknown-workload']) accepted.push('unknown-workload');
  const options: PrivateFetchOptions = { accepted, ...(values.pins !== undefined && pinsFrom(values.pins)) };
  if (!values['allow-simulated']) return options;
  const root = (await askSandbox(connection))?.enclave?.root;
  if (root === undefined)
    throw new UsageError('--allow-simulated is for sandboxes, and this gateway has no simulator.');
  checkSimulatedRoot(root);
  accepted.push('simulated');
  return { ...options, simulatedRoot: root };
}

/** @throws {TurnpikeError} ANSWER_MALFORMED unless the gateway sent a simulator's certificate */
function checkSimulatedRoot(simulatedRoot: string): void {
  try {
    attestationPolicy({ simulatedRoot });
  } catch (cause) {
    if (cause instanceof Malformed)
      throw new TurnpikeError('ANSWER_MALFORMED', {
        message: `The gateway names no simulator. ${cause.message}`,
        cause,
      });
    throw cause;
  }
}

function pinsFrom(file: string): Pick<PrivateFetchOptions, 'pinnedWorkloads' | 'pinnedImages'> {
  try {
    return readWorkloadPins(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UsageError(
      error instanceof Malformed
        ? `${file} holds no pins: ${error.message}`
        : `${file} cannot be read: ${(error as Error).message}`,
    );
  }
}
