import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { AUDIO_FORMAT_INFO, type AudioFormat } from '@/lib/protocol/speech/audio-format';
import { TurnpikeError } from '../../src/turnpike-error';
import { jsonResult } from './tool-call';

/** What a client is handed inside an answer; longer media need a folder. */
const INLINE_BYTES_MAX = 4 * 1_024 * 1_024;

/** Audio or a video that was paid for. What it is decides the file's name and the media type; nothing of a gateway's does. */
export interface Media {
  bytes: Uint8Array<ArrayBuffer>;
  format: AudioFormat | 'mp4';
}

/** How a file begins, its ending, and its media type. @throws {TurnpikeError} for a format that there is not, whatever the types say */
function namesOf(format: Media['format']): { name: 'speech' | 'video'; ending: string; mimeType: string } {
  if (format === 'mp4') return { name: 'video', ending: '.mp4', mimeType: 'video/mp4' };
  if (!Object.hasOwn(AUDIO_FORMAT_INFO, format))
    throw new TurnpikeError('ANSWER_MALFORMED', { message: 'The audio is of no known format.' });
  const { extension, contentType } = AUDIO_FORMAT_INFO[format];
  return { name: 'speech', ending: extension, mimeType: contentType };
}

/**
 * Hands media over: as a file of a name that nobody had before, where there is a folder for it, else inside the answer.
 * A folder that cannot be written to loses nothing that fits into an answer.
 * @param id what the file's name ends with; drawn where none is given
 * @throws {TurnpikeError} MEDIA_TOO_LARGE where it does not
 */
export async function handedOver(
  media: Media,
  folder: string | null,
  id = randomBytes(6).toString('hex'),
): Promise<CallToolResult> {
  const { bytes, format } = media;
  const { name, ending, mimeType } = namesOf(format);
  let because = 'no folder is configured for it';
  if (folder !== null) {
    try {
      return jsonResult({
        file: await written(bytes, folder, `${name}-${id}${ending}`),
        mimeType,
        bytes: bytes.length,
      });
    } catch (error) {
      because = `it cannot be written: ${error instanceof Error ? error.message : String(error)}`;
    }
  }
  if (bytes.length > INLINE_BYTES_MAX)
    throw new TurnpikeError('MEDIA_TOO_LARGE', {
      message: `The ${name} has ${bytes.length} bytes, which is too much for an answer, and ${because}.`,
      remedy: 'It was charged. Start the server with --media FOLDER, a folder that it may write to, for the next one.',
    });
  const data = Buffer.from(bytes).toString('base64');
  if (mimeType.startsWith('audio/')) return { content: [{ type: 'audio', data, mimeType }] };
  return {
    content: [{ type: 'resource', resource: { uri: `turnpike://media/${name}${ending}`, mimeType, blob: data } }],
  };
}

/** Writes a file that is not there yet, in the folder itself: a link that stands where it would be is not followed. @returns its path, without links */
async function written(bytes: Uint8Array, folder: string, name: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const file = path.join(await realpath(folder), name);
  const opened = await open(file, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW);
  try {
    await opened.writeFile(bytes);
  } finally {
    await opened.close();
  }
  return file;
}
