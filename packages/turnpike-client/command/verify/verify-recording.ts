import { attestationPolicy } from '@/lib/client/private-chat';
import { pinsFor } from '@/lib/protocol/attestation/pins';
import { DEFAULT_ENCLAVE_POLICY } from '@/lib/protocol/attestation/policy';
import { sortRecordedAnswers } from '@/lib/protocol/attestation/recording/recorded-answers';
import { verifyReport } from '@/lib/protocol/attestation/verify-report';
import { jsonText } from '../printable';
import { describeReport, reportAsJson } from './described-report';
import type { OfflineVerdict, VerifyOptions } from './offline-verdict';
import { readRecordingFolder } from './recording-folder';

/** Verifies a recording as of the time of its creation, or as of `atMs`. @throws {UsageError | Malformed} */
export async function verifyRecording(
  folder: string,
  { policy, atMs, json, printPins }: VerifyOptions & { printPins: boolean },
): Promise<OfflineVerdict & { hasEnclaves: boolean }> {
  const { manifest, responses } = readRecordingFolder(folder);
  const { answers, endorsements } = sortRecordedAnswers(responses);
  const { roots } = attestationPolicy({ simulatedRoot: manifest.simulatedRoot });
  const { nonce, model, capturedAtMs } = manifest;
  const verdict = await verifyReport({
    answers,
    endorsements,
    expected: { nonce, model },
    policy: { ...DEFAULT_ENCLAVE_POLICY, ...policy, roots },
    nowMs: atMs ?? capturedAtMs,
  });
  const asJson = (value: unknown): string => `${jsonText(value, 2)}\n`;
  return {
    conclusion: verdict.verdict,
    hasEnclaves: verdict.enclaves.length > 0,
    text: printPins
      ? asJson({ workloads: pinsFor(verdict), images: [] })
      : json
        ? asJson(reportAsJson(verdict))
        : describeReport(verdict, manifest),
  };
}
