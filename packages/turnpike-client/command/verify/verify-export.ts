import { hopsOf } from '@/lib/protocol/attestation/hops';
import { recipientKeyOf } from '@/lib/protocol/attestation/recipient-key';
import { type ServedVerdict, verifyServedReport } from '@/lib/protocol/attestation/served-report';
import { type ImportedAttestation, readExportedAttestation } from '@/lib/protocol/tee/exported-attestation';
import { DEFAULT_POLICY } from '@/lib/protocol/tee/policy';
import { describeServed } from '../described-attestation';
import { readText } from '../files';
import { jsonText } from '../printable';
import type { OfflineVerdict, VerifyOptions } from './offline-verdict';

/**
 * Verifies an exported attestation again, without a network. Verifies as of `atMs`, or as of the export if `atMs` is
 * null.
 * @param file path; `-` is standard input
 * @throws {UsageError | Malformed}
 */
export async function verifyExport(file: string, { policy, atMs, json }: VerifyOptions): Promise<OfflineVerdict> {
  const imported = readExportedAttestation(readText(file));
  const verdict = await verifyServedReport({
    report: imported.report,
    expected: imported.expected,
    policy: { ...DEFAULT_POLICY, roots: imported.roots, ...policy },
    nowMs: atMs ?? imported.checkedAtMs,
  });
  return {
    conclusion: verdict.conclusion,
    text: json
      ? `${jsonText(JSON.parse(JSON.stringify({ ...verdict, hops: hopsOfExport(verdict, imported) }, bytesAsHex)), 2)}\n`
      : describe(verdict, imported),
  };
}

function hopsOfExport(verdict: ServedVerdict, { expected }: ImportedAttestation) {
  const { family, enclaves } = verdict;
  const encryption = expected.needsPublicKey ? (recipientKeyOf(verdict)?.algorithm ?? 'secp256k1') : null;
  return hopsOf({ client: 'program', gateway: null, provider: null, isAttested: true, encryption, family, enclaves });
}

function describe(verdict: ServedVerdict, imported: ImportedAttestation): string {
  const { expected, claimedConclusion } = imported;
  return describeServed({
    verdict,
    model: expected.model,
    nonce: expected.nonce,
    hops: hopsOfExport(verdict, imported),
    facts: [
      ['Checked for', new Date(verdict.checkedAtMs).toISOString()],
      ['The export says', claimedConclusion],
    ],
  });
}

function bytesAsHex(_name: string, value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value;
}
