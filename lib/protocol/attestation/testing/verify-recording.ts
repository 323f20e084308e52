import { DEFAULT_ENCLAVE_POLICY, type EnclavePolicy } from '../policy';
import { sortRecordedAnswers } from '../recording/recorded-answers';
import type { RecordedResponse, RecordingManifest } from '../recording/recording';
import { type ReportVerdict, verifyReport } from '../verify-report';

export interface Recording {
  name: string;
  manifest: RecordingManifest;
  responses: readonly RecordedResponse[];
}

export interface OtherRequest {
  nonce?: string;
  model?: string;
  atMs?: number;
  policy?: Partial<EnclavePolicy>;
}

export function verifyRecording(
  { manifest, responses }: Pick<Recording, 'manifest' | 'responses'>,
  {
    nonce = manifest.nonce ?? undefined,
    model = manifest.model ?? undefined,
    atMs = manifest.capturedAtMs,
    policy = {},
  }: OtherRequest = {},
): Promise<ReportVerdict> {
  const { answers, endorsements } = sortRecordedAnswers(responses);
  return verifyReport({
    answers,
    endorsements,
    expected: { nonce: nonce ?? null, model: model ?? null },
    policy: { ...DEFAULT_ENCLAVE_POLICY, ...policy },
    nowMs: atMs,
  });
}
