import { type ImportedAttestation, readExportedAttestation } from '@/lib/protocol/tee/exported-attestation';
import { Malformed } from '@/lib/protocol/tee/malformed';
import { DEFAULT_POLICY } from '@/lib/protocol/tee/policy';
import { INTEL_ROOT } from '@/lib/protocol/tee/trusted-roots';
import { hopsOf } from '@/lib/protocol/attestation/hops';
import { type ServedVerdict, verifyServedReport } from '@/lib/protocol/attestation/served-report';
import type { AttestationConclusion } from '@/lib/protocol/tee/verify-attestation';
import { recipientKeyOf } from '@/lib/protocol/attestation/recipient-key';
import { describeHops } from './describe-hops';
import { describeChecks, keyFact } from './describe-served';
import { nvidiaKeysFrom } from './nvidia-keys';
import { HELP, readOptions, type VerifyOptions } from './options';
import { measurementFacts } from './pin-options';
import { PUBLIC_SERVICES, recordAttestation } from './record';
import { readText } from './read-text';
import { SENTENCES } from './sentences';
import { UsageError } from './usage-error';
import { verifyRecording } from './verify-recording';

export interface VerifyContext {
  nowMs: number;
  out: (text: string) => void;
  err: (text: string) => void;
}

const EXIT_CODES: Readonly<Record<AttestationConclusion, number>> = {
  verified: 0,
  failed: 1,
  'unknown-workload': 10,
  simulated: 11,
  'not-checkable': 12,
};
const USAGE = 2;

/** Verifies an exported attestation again and prints the result. @returns the exit code */
export async function runVerifyAttestation(
  args: readonly string[],
  { nowMs, out, err }: VerifyContext,
): Promise<number> {
  try {
    const options = readOptions(args, nowMs);
    if (options === null) {
      out(HELP);
      return 0;
    }
    if (options.recording !== null) return await runRecording(options.recording, options, { nowMs, out });
    const imported = readExportedAttestation(readText(options.file));
    const checkedAtMs = options.atMs ?? imported.checkedAtMs;
    const verdict = await verifyServedReport({
      report: imported.report,
      expected: imported.expected,
      policy: policyOf(options, imported),
      nowMs: checkedAtMs,
    });
    out(
      options.json
        ? `${JSON.stringify({ ...verdict, hops: hopsOfExport(verdict, imported) }, bytesAsHex, 2)}\n`
        : describe(verdict, imported),
    );
    return EXIT_CODES[verdict.conclusion];
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof Malformed)) throw error;
    err(`${error.message}\n`);
    return USAGE;
  }
}

/** @returns the exit code; when printing pins, 0 if there are any */
async function runRecording(
  folder: string,
  options: VerifyOptions,
  { nowMs, out }: Pick<VerifyContext, 'nowMs' | 'out'>,
): Promise<number> {
  const { recordUrls: urls, model } = options;
  if (urls.length > 0)
    await recordAttestation({
      urls,
      folder,
      model,
      authorization: process.env['ATTESTATION_AUTHORIZATION'] ?? null,
      services: PUBLIC_SERVICES,
      roots: [INTEL_ROOT],
      nowMs,
    });
  const { verdict, text } = await verifyRecording(folder, options);
  out(text);
  if (options.printPins) return verdict.enclaves.length > 0 ? 0 : EXIT_CODES[verdict.verdict];
  return EXIT_CODES[verdict.verdict];
}

function policyOf({ pins, acceptedTcbStatuses, nvidiaKeysFile }: VerifyOptions, { roots }: ImportedAttestation) {
  return {
    ...DEFAULT_POLICY,
    roots,
    ...pins,
    acceptedTcbStatuses,
    nvidiaKeys: nvidiaKeysFile === null ? [] : nvidiaKeysFrom(nvidiaKeysFile),
  };
}

/**
 * Returns the hops of an export. An export says whether an encryption key was requested, but not who runs the model.
 */
function hopsOfExport(verdict: ServedVerdict, { expected }: ImportedAttestation) {
  const { family, enclaves } = verdict;
  const encryption = expected.needsPublicKey ? (recipientKeyOf(verdict)?.algorithm ?? 'secp256k1') : null;
  return hopsOf({ client: 'program', gateway: null, provider: null, isAttested: true, encryption, family, enclaves });
}

function describe(verdict: ServedVerdict, imported: ImportedAttestation): string {
  const { expected, claimedConclusion } = imported;
  const { conclusion, reason, checkedAtMs } = verdict;
  const facts = [
    ['Model', expected.model],
    ['Nonce', expected.nonce],
    keyFact(verdict),
    ...measurementFacts(verdict.measurements),
    ['Checked for', new Date(checkedAtMs).toISOString()],
    ['The export says', claimedConclusion],
  ].map(([name, value]) => `${name?.padEnd(16)} ${value ?? '–'}`);
  return [
    ...describeChecks(verdict),
    ...facts,
    '',
    describeHops(hopsOfExport(verdict, imported)),
    SENTENCES[conclusion] + (reason === null ? '' : `: ${reason}`),
    '',
  ].join('\n');
}

function bytesAsHex(_name: string, value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value;
}
