import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { AUDIO_FORMAT_INFO, type AudioFormat } from '@/lib/protocol/speech/audio-format';
import { IMAGE_FORMATS, type ImageFormat } from '@/lib/protocol/images/image-requests';
import { TurnpikeError } from '../../src/turnpike-error';
import { jsonResult } from './tool-call';

/** Maximum size of media inside an answer. Larger media need a folder. */
const INLINE_BYTES_MAX = 4 * 1_024 * 1_024;

/** Paid audio, image or video. Its format determines the file name and the media type, whatever the gateway says. */
export interface Media {
  bytes: Uint8Array<ArrayBuffer>;
  format: AudioFormat | ImageFormat | 'mp4';
}

function namesOf(format: Media['format']): { name: 'speech' | 'image' | 'video'; ending: string; mimeType: string } {
  if (format === 'mp4') return { name: 'video', ending: '.mp4', mimeType: 'video/mp4' };
  if (isImage(format)) return { name: 'image', ending: `.${format}`, mimeType: `image/${format}` };
  if (!Object.hasOwn(AUDIO_FORMAT_INFO, format))
    throw new TurnpikeError('ANSWER_MALFORMED', { message: 'The format of the audio is unknown.' });
  const { extension, contentType } = AUDIO_FORMAT_INFO[format];
  return { name: 'speech', ending: extension, mimeType: contentType };
}

const isImage = (format: string): format is ImageFormat => IMAGE_FORMATS.some((each) => each === format);

/**
 * Writes media to a new file in the folder and returns the path. Without a writable folder, returns the media inside
 * the answer.
 * @param id end of the file's name; random if absent
 * @throws {TurnpikeError} MEDIA_TOO_LARGE for media too large for an answer
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
      remedy:
        'The call was charged. For the next one, start the server with --media FOLDER, a folder that the server may write to.',
    });
  const data = Buffer.from(bytes).toString('base64');
  if (name === 'speech') return { content: [{ type: 'audio', data, mimeType }] };
  if (name === 'image') return { content: [{ type: 'image', data, mimeType }] };
  return {
    content: [{ type: 'resource', resource: { uri: `turnpike://media/${name}${ending}`, mimeType, blob: data } }],
  };
}

/**
 * Reads a file directly in the folder, by its name or path. Follows no symbolic link.
 * @throws {TurnpikeError} OPTION_INVALID
 */
export async function handedIn(
  folder: string | null,
  name: string,
  bytesMax: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const refused = (why: string, cause?: unknown) =>
    new TurnpikeError('OPTION_INVALID', { message: `The file ${JSON.stringify(name)} ${why}.`, cause });
  if (folder === null) throw refused('cannot be read, because the server runs without --media FOLDER');
  const root = await realpath(folder);
  if (name !== path.basename(name) && path.dirname(path.resolve(name)) !== root)
    throw refused('is not in the --media folder');
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(path.join(root, path.basename(name)), flags).catch((cause: unknown) => {
    throw refused('cannot be read', cause);
  });
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw refused('is not a file');
    if (stats.size > bytesMax) throw refused(`has more than ${bytesMax / 1_048_576} MiB`);
    const { buffer, bytesRead } = await file.read(new Uint8Array(stats.size), 0, stats.size, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/**
 * Writes a new file directly in the folder. Does not follow a symbolic link at the file's path.
 *
 * @returns path without symbolic links
 */
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
