import fs from 'node:fs';
import path from 'node:path';
import { readManifest, readResponseHead } from '../recording/recording';
import type { Recording } from './verify-recording';

/**
 * Reads the recordings in the folder that `ATTESTATION_SAMPLES` names. Each key of the map is the name of a recording's
 * folder. The map is empty if the variable is unset.
 */
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
  const heads = fs
    .readdirSync(at)
    .filter((file) => file.endsWith('.json'))
    .sort();
  const responses = heads.map((file) => ({
    ...readResponseHead(text(path.join(at, file)), file),
    body: new Uint8Array(fs.readFileSync(path.join(at, file.replace(/\.json$/, '.body')))),
  }));
  return { name, manifest: readManifest(text(path.join(folder, 'manifest.json'))), responses };
}
