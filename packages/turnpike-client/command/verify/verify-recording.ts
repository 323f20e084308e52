import { attestationPolicy } from '@/lib/client/private-chat';
import { UsageError } from '@/lib/command-line/usage-error';
import type { EnclaveVerdict } from '@/lib/protocol/attestation/enclave';
import type { Hop } from '@/lib/protocol/attestation/hop';
import { hopsOf } from '@/lib/protocol/attestation/hops';
import { pinsFor } from '@/lib/protocol/attestation/pins';
import { DEFAULT_ENCLAVE_POLICY } from '@/lib/protocol/attestation/policy';
import { sortRecordedAnswers } from '@/lib/protocol/attestation/recording/recorded-answers';
import {
  BODY_BYTES_MAX,
  MANIFEST,
  readManifest,
  readResponseHead,
  type RecordedResponse,
  type RecordingManifest,
  RESPONSES,
  RESPONSES_MAX,
} from '@/lib/protocol/attestation/recording/recording';
import type { ExpectedReport } from '@/lib/protocol/attestation/verify-enclave';
import { type ReportVerdict, verifyReport } from '@/lib/protocol/attestation/verify-report';
import type { Check } from '@/lib/protocol/tee/check-list';
import fs from 'node:fs';
import path from 'node:path';
import { describeCheck, describeEnclave, describeFacts, describeHops, describeVerdict } from '../described-attestation';
import { jsonText } from '../printable';
import type { OfflineVerdict, VerifyOptions } from './offline-verdict';

interface RecordingFolder {
  manifest: RecordingManifest;
  responses: RecordedResponse[];
}

const HEAD_BYTES_MAX = 1_048_576;

/**
 * Reads a recording. Skips bodies over the size limit; the verdict then reports them as missing.
 * @throws {UsageError} if the path is not a recording folder; {Malformed} if a file in it has the wrong form
 */
function readRecordingFolder(folder: string): RecordingFolder {
  try {
    const manifest = readManifest(bounded(path.join(folder, MANIFEST)));
    const names = fs
      .readdirSync(path.join(folder, RESPONSES))
      .filter((name) => name.endsWith('.json'))
      .sort();
    if (names.length > RESPONSES_MAX) throw new UsageError(`${folder} contains more than ${RESPONSES_MAX} responses.`);
    return { manifest, responses: names.map((name) => readResponse(path.join(folder, RESPONSES, name))) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    throw new UsageError(`${folder} is not a recording: ${(error as Error).message}`);
  }
}

function readResponse(file: string): RecordedResponse {
  const body = file.replace(/\.json$/, '.body');
  return {
    ...readResponseHead(bounded(file), path.basename(file)),
    body: fs.statSync(body).size > BODY_BYTES_MAX ? null : new Uint8Array(fs.readFileSync(body)),
  };
}

function bounded(file: string): string {
  if (fs.statSync(file).size > HEAD_BYTES_MAX) throw new UsageError(`${file} is too long.`);
  return fs.readFileSync(file, 'utf8');
}

const DETAIL_CHARACTERS_MAX = 2_000;

/**
 * Converts a report's verdict to JSON: `{verdict, family, reason?, checks, enclaves: [{role, hardware, verdict, checks:
 * [{id, outcome, detail}], …}], hops}`.
 */
function reportAsJson(report: ReportVerdict) {
  const { verdict, reason, family, checks, enclaves, checkedAtMs } = report;
  return {
    verdict,
    family,
    ...(reason !== null && { reason }),
    checkedAt: new Date(checkedAtMs).toISOString(),
    checks: checks.map(checkAsJson),
    enclaves: enclaves.map(enclaveAsJson),
    hops: hopsOfReport(report),
  };
}

function hopsOfReport({ family, enclaves }: ReportVerdict): readonly Hop[] {
  const model = enclaves.find(({ role, isUsed }) => role === 'model' && isUsed) ?? enclaves[0];
  const encryption = model?.keys.find(({ purpose }) => purpose === 'encryption')?.algorithm ?? null;
  return hopsOf({ client: 'program', gateway: null, provider: null, isAttested: true, encryption, family, enclaves });
}

function enclaveAsJson({
  role,
  name,
  hardware,
  verdict,
  reason,
  isUsed,
  unusable,
  workload,
  keys,
  measurements,
  checks,
}: EnclaveVerdict) {
  return {
    role,
    name,
    hardware,
    verdict,
    ...(reason !== null && { reason }),
    used: isUsed,
    unusable,
    workload,
    keys,
    measurements,
    checks: checks.map(checkAsJson),
  };
}

function checkAsJson({ id, outcome, reason, evidence }: Check<string>) {
  return { id, outcome, detail: reason ?? described(evidence) };
}

function described(evidence: Check['evidence']): string {
  const parts = Object.entries(evidence).map(
    ([name, value]) => `${name}: ${Array.isArray(value) ? value.join(', ') : String(value)}`,
  );
  return parts.join('; ').slice(0, DETAIL_CHARACTERS_MAX);
}

function describeReport(report: ReportVerdict, { nonce, model }: ExpectedReport): string {
  const { verdict, reason, family, checks, enclaves, checkedAtMs } = report;
  return [
    ...checks.filter(({ outcome }) => outcome !== 'passed').flatMap(describeCheck),
    ...enclaves.flatMap(describeEnclave),
    ...describeFacts([
      ['Family', family],
      ['Model', model],
      ['Nonce', nonce],
      ['Checked for', new Date(checkedAtMs).toISOString()],
    ]),
    '',
    ...describeHops(hopsOfReport(report)),
    describeVerdict({ model, verdict: { conclusion: verdict, reason } }),
    '',
  ].join('\n');
}

/** Verifies a recording as of `atMs`, or as of its creation if `atMs` is null. @throws {UsageError | Malformed} */
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
