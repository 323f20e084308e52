import { attestationPolicy } from '@/lib/client/private-chat';
import { pinsFor } from '@/lib/protocol/attestation/pins';
import { DEFAULT_ENCLAVE_POLICY } from '@/lib/protocol/attestation/policy';
import { sortRecordedAnswers } from '@/lib/protocol/attestation/recording/recorded-answers';
import { type ReportVerdict, verifyReport } from '@/lib/protocol/attestation/verify-report';
import { describeReport, reportAsJson } from './describe-report';
import { nvidiaKeysFrom } from './nvidia-keys';
import type { VerifyOptions } from './options';
import { readRecordingFolder } from './recording-folder';

/** Verdict on a recording, and its text for standard output. */
export interface RecordingOutcome {
  verdict: ReportVerdict;
  text: string;
}

/** Verifies a recording as of the time of its creation, or as of `atMs`. @throws {UsageError | Malformed} */
export async function verifyRecording(
  folder: string,
  { pins, acceptedTcbStatuses, nvidiaKeysFile, atMs, json, printPins }: VerifyOptions,
): Promise<RecordingOutcome> {
  const { manifest, responses } = readRecordingFolder(folder);
  const { answers, endorsements } = sortRecordedAnswers(responses);
  const { roots } = attestationPolicy({ simulatedRoot: manifest.simulatedRoot });
  const policy = {
    ...DEFAULT_ENCLAVE_POLICY,
    ...pins,
    roots,
    acceptedTcbStatuses,
    nvidiaKeys: nvidiaKeysFile === null ? [] : nvidiaKeysFrom(nvidiaKeysFile),
  };
  const { nonce, model, capturedAtMs } = manifest;
  const verdict = await verifyReport({
    answers,
    endorsements,
    expected: { nonce, model },
    policy,
    nowMs: atMs ?? capturedAtMs,
  });
  if (printPins) return { verdict, text: `${JSON.stringify({ workloads: pinsFor(verdict), images: [] }, null, 2)}\n` };
  return {
    verdict,
    text: json ? `${JSON.stringify(reportAsJson(verdict), null, 2)}\n` : describeReport(verdict, manifest),
  };
}
