import fs from 'node:fs';
import path from 'node:path';
import { DEFAULT_ENCLAVE_POLICY, type EnclavePolicy } from '../policy';
import { sortRecordedAnswers } from '../recording/recorded-answers';
import { readManifest, readResponseHead, type RecordedResponse, type RecordingManifest } from '../recording/recording';
import { type ReportVerdict, verifyReport } from '../verify-report';

/** A recording of real answers. */
export interface Recording {
  name: string;
  manifest: RecordingManifest;
  responses: readonly RecordedResponse[];
}

/** The recordings in the folder that ATTESTATION_SAMPLES names, by the names of their folders; none, with one notice, where it names none. */
export function recordings(): ReadonlyMap<string, Recording> {
  const folder = process.env['ATTESTATION_SAMPLES'];
  if (!folder) {
    console.log('ATTESTATION_SAMPLES names no folder: nothing is tested against recorded attestations.');
    return new Map();
  }
  const root = path.join(folder, 'recordings');
  return new Map(fs.readdirSync(root).map((name) => [name, readRecording(path.join(root, name), name)]));
}

function readRecording(folder: string, name: string): Recording {
  const text = (file: string) => fs.readFileSync(file, 'utf8');
  const at = path.join(folder, 'responses');
  const heads = fs.readdirSync(at).filter((file) => file.endsWith('.json')).sort();
  const responses = heads.map((file) => ({ ...readResponseHead(text(path.join(at, file)), file), body: new Uint8Array(fs.readFileSync(path.join(at, file.replace(/\.json$/, '.body')))) }));
  return { name, manifest: readManifest(text(path.join(folder, 'manifest.json'))), responses };
}

/** What is asked otherwise than the recording says. */
export interface OtherQuestion {
  nonce?: string;
  model?: string;
  atMs?: number;
  policy?: Partial<EnclavePolicy>;
}

/** Verifies a recording for the time at which it was made. */
export function verifyRecording({ manifest, responses }: Pick<Recording, 'manifest' | 'responses'>, { nonce = manifest.nonce ?? undefined, model = manifest.model ?? undefined, atMs = manifest.capturedAtMs, policy = {} }: OtherQuestion = {}): Promise<ReportVerdict> {
  const { answers, endorsements } = sortRecordedAnswers(responses);
  return verifyReport({ answers, endorsements, expected: { nonce: nonce ?? null, model: model ?? null }, policy: { ...DEFAULT_ENCLAVE_POLICY, ...policy }, nowMs: atMs });
}
