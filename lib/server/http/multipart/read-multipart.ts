import { apiError, type ApiError } from '@/lib/protocol/errors';
import type { Call } from '../call';
import { fieldError } from '../validation-error';
import { MultipartParts } from './multipart-parts';
import type { UploadedFile } from './uploaded-file';

const FORM_TYPE = /^multipart\/form-data\s*;/i;
/** Boundary of RFC 2046, section 5.1.1: at most 70 characters. */
const BOUNDARY = /;\s*boundary=(?:"([^"\r\n]{1,70})"|([^\s;"]{1,70}))\s*(?:;|$)/i;
const FIELDS_MAX = 32;
const FIELD_BYTES_MAX = 65_536;
/** Maximum bytes of a body apart from its file: all fields, headers and boundaries. */
const OTHER_BYTES_MAX = 262_144;

interface MultipartOptions {
  name: string;
  bytesMax: number;
  file: UploadedFile;
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads a multipart/form-data body (RFC 7578) with one file and some fields. Writes the file as it arrives.
 * @returns the values of each field, in order
 * @throws ApiError INVALID_MULTIPART, BODY_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, or INVALID_REQUEST without a file
 */
export async function readMultipart(
  call: Pick<Call, 'header' | 'streamBody'>,
  { name: fileField, bytesMax, file }: MultipartOptions,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const parts = new MultipartParts(call.streamBody(bytesMax + OTHER_BYTES_MAX), boundaryOf(call));
  const fields = new Map<string, string[]>();
  let count = 0;
  let hasFile = false;
  try {
    for (let part = await parts.next(); part !== null; part = await parts.next()) {
      const { name, isFile } = part;
      if (isFile || name === fileField) {
        if (name !== fileField || hasFile) throw tooMuch(`more files than the one in "${fileField}"`);
        hasFile = true;
        for await (const bytes of parts.content()) {
          if (file.length + bytes.byteLength > bytesMax)
            throw apiError('BODY_TOO_LARGE', { message: `The file is larger than ${bytesMax} bytes.` });
          await file.append(bytes);
        }
        await file.finish();
      } else {
        if (++count > FIELDS_MAX) throw tooMuch(`more than ${FIELDS_MAX} fields`);
        const value = await textOf(parts.content());
        if (name !== null) fields.set(name, [...(fields.get(name) ?? []), value]);
      }
    }
  } finally {
    await parts.leave();
  }
  if (!hasFile) throw fieldError(fileField, 'Is missing: send the audio as a file');
  return fields;
}

function boundaryOf(call: Pick<Call, 'header'>): string {
  const type = call.header('content-type') ?? '';
  const encoding = call.header('content-encoding');
  if (!FORM_TYPE.test(type) || (encoding !== null && encoding.toLowerCase() !== 'identity'))
    throw apiError('UNSUPPORTED_MEDIA_TYPE', {
      message: 'The request body must be multipart/form-data with a boundary, without Content-Encoding.',
      hint: 'Send the fields and the file as multipart/form-data, as the OpenAI SDKs do.',
    });
  const [, quoted, plain] = BOUNDARY.exec(type) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw apiError('INVALID_MULTIPART');
  return boundary;
}

async function textOf(content: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of content) {
    length += piece.byteLength;
    if (length > FIELD_BYTES_MAX) throw tooMuch(`a field of more than ${FIELD_BYTES_MAX} bytes`);
    pieces.push(piece);
  }
  try {
    return decoder.decode(Buffer.concat(pieces));
  } catch {
    throw tooMuch('a field that is not UTF-8');
  }
}

function tooMuch(what: string): ApiError {
  return apiError('INVALID_MULTIPART', { message: `The multipart body has ${what}.` });
}
