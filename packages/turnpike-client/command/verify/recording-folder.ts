import fs from 'node:fs';
import path from 'node:path';
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
import { UsageError } from '@/lib/command-line/usage-error';

interface RecordingFolder {
  manifest: RecordingManifest;
  responses: RecordedResponse[];
}

const HEAD_BYTES_MAX = 1_048_576;

/**
 * Reads a recording. Skips a body beyond its size limit, which the verdict reports.
 * @throws {UsageError} if the path is not a recording folder; {Malformed} if a file in it has the wrong form
 */
export function readRecordingFolder(folder: string): RecordingFolder {
  try {
    const manifest = readManifest(bounded(path.join(folder, MANIFEST)));
    const names = fs
      .readdirSync(path.join(folder, RESPONSES))
      .filter((name) => name.endsWith('.json'))
      .sort();
    if (names.length > RESPONSES_MAX) throw new UsageError(`${folder} holds more than ${RESPONSES_MAX} responses.`);
    return { manifest, responses: names.map((name) => readResponse(path.join(folder, RESPONSES, name))) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    throw new UsageError(`${folder} is no recording: ${(error as Error).message}`);
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
