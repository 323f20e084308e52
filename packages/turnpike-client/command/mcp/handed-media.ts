import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { TurnpikeError } from '../../src/turnpike-error';
import { jsonResult } from './tool-call';

/** What a client is handed inside an answer; longer media need a folder. */
const INLINE_BYTES_MAX = 4 * 1_024 * 1_024;

/** Audio or a video that was paid for. */
export interface Media {
  bytes: Uint8Array;
  mimeType: string;
  /** Of the file, without its dot. */
  ending: string;
  /** What it is, as the file's name begins. */
  name: string;
}

/**
 * Hands media over: as a file of a name that nobody had before, where there is a folder for it, else inside the answer.
 * A folder that cannot be written to loses nothing that fits into an answer.
 * @throws {TurnpikeError} MEDIA_TOO_LARGE where it does not
 */
export async function handedOver(media: Media, folder: string | null): Promise<CallToolResult> {
  const { bytes, mimeType, ending, name } = media;
  let because = 'no folder is configured for it';
  if (folder !== null) {
    try {
      return jsonResult({ file: await written(media, folder), mimeType, bytes: bytes.length });
    } catch (error) {
      because = `it cannot be written: ${(error as Error).message}`;
    }
  }
  if (bytes.length > INLINE_BYTES_MAX) throw new TurnpikeError('MEDIA_TOO_LARGE', { message: `The ${name} has ${bytes.length} bytes, which is too much for an answer, and ${because}.`, remedy: 'It was charged. Start the server with --media FOLDER, a folder that it may write to, for the next one.' });
  const data = Buffer.from(bytes).toString('base64');
  if (mimeType.startsWith('audio/')) return { content: [{ type: 'audio', data, mimeType }] };
  return { content: [{ type: 'resource', resource: { uri: `turnpike://media/${name}.${ending}`, mimeType, blob: data } }] };
}

async function written({ bytes, ending, name }: Media, folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const file = path.resolve(folder, `${name}-${randomBytes(6).toString('hex')}.${ending}`);
  await writeFile(file, bytes, { flag: 'wx' });
  return file;
}
