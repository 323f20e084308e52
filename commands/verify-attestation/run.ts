import type { Check } from '@/lib/protocol/tee/check-list';
import { type ImportedAttestation, readExportedAttestation } from '@/lib/protocol/tee/exported-attestation';
import { Malformed } from '@/lib/protocol/tee/malformed';
import { DEFAULT_POLICY } from '@/lib/protocol/tee/policy';
import { type AttestationConclusion, type AttestationVerdict, verifyAttestation } from '@/lib/protocol/tee/verify-attestation';
import { nvidiaKeysFrom } from './nvidia-keys';
import { HELP, readOptions, type VerifyOptions } from './options';
import { measurementFacts } from './pin-options';
import { readText } from './read-text';
import { UsageError } from './usage-error';

export interface VerifyContext {
  nowMs: number;
  out: (text: string) => void;
  err: (text: string) => void;
}

const EXIT_CODES: Readonly<Record<AttestationConclusion, number>> = { verified: 0, failed: 1, 'unknown-workload': 10, simulated: 11, 'not-checkable': 12 };
const USAGE = 2;

/** What each conclusion means, for people. */
export const SENTENCES: Readonly<Record<AttestationConclusion, string>> = {
  verified: 'VERIFIED: genuine hardware that runs the pinned workload.',
  'unknown-workload': 'UNKNOWN WORKLOAD: genuine hardware, and no pin says enough of what runs there',
  simulated: 'SIMULATED: the protocol holds, and there is no hardware behind it.',
  failed: 'FAILED',
  'not-checkable': 'NOT CHECKABLE',
};

/** Checks an exported attestation again and says what came of it. @returns the exit code */
export async function runVerifyAttestation(args: readonly string[], { nowMs, out, err }: VerifyContext): Promise<number> {
  try {
    const options = readOptions(args, nowMs);
    if (options === null) {
      out(HELP);
      return 0;
    }
    const imported = readExportedAttestation(readText(options.file));
    const checkedAtMs = options.atMs ?? imported.checkedAtMs;
    const verdict = await verifyAttestation({ report: imported.report, expected: imported.expected, policy: policyOf(options, imported), nowMs: checkedAtMs });
    out(options.json ? `${JSON.stringify(verdict, bytesAsHex, 2)}\n` : describe(verdict, imported));
    return EXIT_CODES[verdict.conclusion];
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof Malformed)) throw error;
    err(`${error.message}\n`);
    return USAGE;
  }
}

function policyOf({ pins, acceptedTcbStatuses, nvidiaKeysFile }: VerifyOptions, { roots }: ImportedAttestation) {
  return { ...DEFAULT_POLICY, roots, ...pins, acceptedTcbStatuses, nvidiaKeys: nvidiaKeysFile === null ? [] : nvidiaKeysFrom(nvidiaKeysFile) };
}

function describe(verdict: AttestationVerdict, { expected, claimedConclusion }: ImportedAttestation): string {
  const { conclusion, reason, checks, key, checkedAtMs } = verdict;
  const facts = [
    ['Model', expected.model],
    ['Nonce', expected.nonce],
    ['Signing address', key?.address ?? null],
    ...measurementFacts(verdict.measurements),
    ['Checked for', new Date(checkedAtMs).toISOString()],
    ['The export says', claimedConclusion],
  ].map(([name, value]) => `${name?.padEnd(16)} ${value ?? '–'}`);
  return [...checks.map(describeCheck), '', ...facts, '', SENTENCES[conclusion] + (reason === null ? '' : `: ${reason}`), ''].join('\n');
}

const MARKS: Readonly<Record<Check['outcome'], string>> = { passed: 'passed ', failed: 'FAILED ', 'not-checkable': '–      ' };

/** A check in a line, with a second one where it did not pass. */
export function describeCheck({ title, outcome, reason }: Check): string {
  return `${MARKS[outcome]} ${title}${reason === null ? '' : `\n        ${reason}`}`;
}

function bytesAsHex(_name: string, value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value;
}
