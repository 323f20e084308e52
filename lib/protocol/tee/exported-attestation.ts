import { base64 } from '@scure/base';
import { bytesToHex } from '@noble/hashes/utils.js';
import { assertBoundedJson } from './json-bounds';
import { asObject, asString, asTime, parseJsonObject } from './json-shape';
import { Malformed } from './malformed';
import { DEFAULT_POLICY } from './policy';
import { configuredRoot, SIMULATED_MARK, type TrustedRoot } from './trusted-roots';
import type { AttestationRequest, AttestationVerdict } from './verify-attestation';

const FORMAT = 'turnpike-attestation';
const VERSION = 1;
const CHARACTERS_MAX = 16_777_216;

/**
 * Exported attestation for offline verification: report and collateral as received, nonce, and time. The exported
 * verdict is only a claim, so a verifier must verify the report again.
 */
interface ExportedAttestation {
  format: typeof FORMAT;
  version: typeof VERSION;
  /** ISO 8601. */
  checkedAt: string;
  expected: AttestationRequest['expected'];
  report: unknown;
  /** Simulator's root certificate, base64, if the policy has one. */
  simulatedRoot: string | null;
  verdict: unknown;
}

export function exportAttestation(
  { report, expected, policy }: AttestationRequest,
  verdict: Pick<AttestationVerdict, 'key' | 'checkedAtMs'>,
): string {
  const simulated = policy.roots.find(({ isSimulated }) => isSimulated);
  const { key, checkedAtMs, ...rest } = verdict;
  const exported: ExportedAttestation = {
    format: FORMAT,
    version: VERSION,
    checkedAt: new Date(checkedAtMs).toISOString(),
    expected,
    report: keepable(report),
    simulatedRoot: simulated ? base64.encode(simulated.certificate.der) : null,
    verdict: { ...rest, key: key && { address: key.address, publicKey: key.publicKey && bytesToHex(key.publicKey) } },
  };
  return `${JSON.stringify(exported, null, 2)}\n`;
}

/** Returns the report. Null if it exceeds the JSON bounds, because JSON.stringify might then fail. */
function keepable(report: unknown): unknown {
  try {
    assertBoundedJson(report, 'report');
    return report;
  } catch {
    return null;
  }
}

export interface ImportedAttestation {
  report: unknown;
  expected: AttestationRequest['expected'];
  checkedAtMs: number;
  /** Conclusion that the exporter claims. Callers must not trust it. */
  claimedConclusion: string | null;
  /**
   * Roots to verify with: Intel's, and the simulator's root in the export. Under the simulator's root, no verdict is
   * better than "simulated".
   */
  roots: readonly TrustedRoot[];
}

/** @throws {Malformed} naming the malformed member */
export function readExportedAttestation(text: string): ImportedAttestation {
  if (text.length > CHARACTERS_MAX) throw new Malformed('The export is too long.');
  const json = parseJsonObject(text, 'The export');
  if (json['format'] !== FORMAT || json['version'] !== VERSION)
    throw new Malformed(`The file is not an export of the format "${FORMAT}", version ${VERSION}.`);
  const expected = asObject(json['expected'], 'expected');
  const textOrNull = (value: unknown, path: string) => (value == null ? null : asString(value, path));
  const { conclusion } = asObject(json['verdict'] ?? {}, 'verdict');
  return {
    report: json['report'],
    expected: {
      nonce: textOrNull(expected['nonce'], 'expected.nonce'),
      model: textOrNull(expected['model'], 'expected.model'),
      needsPublicKey: expected['needsPublicKey'] === true,
    },
    checkedAtMs: asTime(json['checkedAt'], 'checkedAt'),
    claimedConclusion: typeof conclusion === 'string' ? conclusion : null,
    roots: [...DEFAULT_POLICY.roots, ...simulatedRootOf(textOrNull(json['simulatedRoot'], 'simulatedRoot'))],
  };
}

function simulatedRootOf(text: string | null): TrustedRoot[] {
  if (text === null) return [];
  const root = configuredRoot(decode(text), true);
  if (!root.certificate.subjectText.includes(SIMULATED_MARK))
    throw new Malformed('The root certificate in the export is not marked as simulated.');
  return [root];
}

function decode(text: string): Uint8Array {
  try {
    return base64.decode(text);
  } catch {
    throw new Malformed('simulatedRoot is not valid base64.');
  }
}
