import { base64 } from '@scure/base';
import { bytesToHex } from '@noble/hashes/utils.js';
import { assertBoundedJson } from './json-bounds';
import { asObject, asString, asTime, parseJsonObject } from './json-shape';
import { Malformed } from './malformed';
import { DEFAULT_POLICY } from './policy';
import { configuredRoot, SIMULATED_MARK, type TrustedRoot } from './trusted-roots';
import type { AttestationQuestion, AttestationVerdict } from './verify-attestation';

const FORMAT = 'turnpike-attestation';
const VERSION = 1;
const CHARACTERS_MAX = 16_777_216;

/**
 * An attestation that somebody checked, with all it takes to check it again, offline and by others: report and
 * collateral as they came, the nonce that was sent, and the time. The verdict beside them is what that somebody
 * found; who checks again finds it anew and trusts their own roots.
 */
export interface ExportedAttestation {
  format: typeof FORMAT;
  version: typeof VERSION;
  /** ISO 8601. */
  checkedAt: string;
  expected: AttestationQuestion['expected'];
  report: unknown;
  /** In base64, where the quote is a simulator's: what only the simulator of one install can give. */
  simulatedRoot: string | null;
  verdict: unknown;
}

/** The export of an attestation that was checked, as JSON text. */
export function exportAttestation(
  { report, expected, policy }: AttestationQuestion,
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

/** A report beyond all bounds failed for that; it is left out, since writing it down could fail as well. */
function keepable(report: unknown): unknown {
  try {
    assertBoundedJson(report, 'report');
    return report;
  } catch {
    return null;
  }
}

/** What an export asks to be checked. */
export interface ImportedAttestation {
  report: unknown;
  expected: AttestationQuestion['expected'];
  checkedAtMs: number;
  /** What whoever exported it had found, in one word. To be shown beside one's own verdict, not believed. */
  claimedConclusion: string | null;
  /** The roots to check under: Intel's, and a simulator's from the export, which can only ever make a verdict of "simulated". */
  roots: readonly TrustedRoot[];
}

/** Reads an export. @throws {Malformed} naming the field at fault */
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
    throw new Malformed('The root in the export does not call itself simulated.');
  return [root];
}

function decode(text: string): Uint8Array {
  try {
    return base64.decode(text);
  } catch {
    throw new Malformed('simulatedRoot is not valid base64.');
  }
}
