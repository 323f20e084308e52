import { apiError, type ApiError } from '@/lib/protocol/errors';
import type { Call } from '../call';
import { fieldError } from '../validation-error';
import type { UploadedFile } from './uploaded-file';

const FORM_TYPE = /^multipart\/form-data\s*;/i;
/** Matches the boundary, which has at most 70 characters (RFC 2046, section 5.1.1). */
const BOUNDARY = /;\s*boundary=(?:"([^"\r\n]{1,70})"|([^\s;"]{1,70}))\s*(?:;|$)/i;
const FIELDS_MAX = 32;
const FIELD_BYTES_MAX = 65_536;
const OTHER_BYTES_MAX = 262_144;

interface MultipartOptions {
  name: string;
  bytesMax: number;
  file: UploadedFile;
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads a multipart/form-data body (RFC 7578) with one file and some fields. Writes the file as it arrives.
 * @returns values of each field, in order
 * @throws ApiError INVALID_MULTIPART, BODY_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, or INVALID_REQUEST if there is no file
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

const HEADERS_BYTES_MAX = 4_096;
const CRLF = '\r\n';
/** Matches a parameter of Content-Disposition. Its value is a token, or a quoted text with backslash escapes. */
const PARAMETER = /\s*;\s*([^\s=;"]+)=(?:"((?:\\.|[^"\\])*)"|([^\s;"]*))/gy;

interface PartHead {
  name: string | null;
  isFile: boolean;
}

/**
 * Reads the parts of a multipart body (RFC 2046, section 5.1) in order, as they arrive. Holds at most one chunk and one
 * head. Replaces @fastify/busboy 3.2, which hangs if the head of a part does not end.
 */
class MultipartParts {
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #delimiter: Buffer;
  // Begins with a line end, so that `#delimiter`, which contains one, also matches the first boundary.
  #held = Buffer.from(CRLF);
  #isWithin = true;

  constructor(body: AsyncIterable<Uint8Array>, boundary: string) {
    this.#chunks = body[Symbol.asyncIterator]();
    this.#delimiter = Buffer.from(`${CRLF}--${boundary}`);
  }

  /**
   * Skips the rest of the current part.
   * @returns head of the next part; null at the end
   * @throws ApiError INVALID_MULTIPART
   */
  async next(): Promise<PartHead | null> {
    for await (const _skipped of this.content());
    this.#isWithin = true;
    const mark = (await this.#take(2)).toString('latin1');
    if (mark === '--') {
      await this.#readEpilogue();
      return null;
    }
    if (mark !== CRLF) throw apiError('INVALID_MULTIPART');
    return headOf(await this.#takeHead());
  }

  async *content(): AsyncGenerator<Uint8Array> {
    while (this.#isWithin) {
      const at = this.#held.indexOf(this.#delimiter);
      const certain = at >= 0 ? at : this.#held.length - this.#delimiter.length + 1;
      const piece = this.#held.subarray(0, Math.max(0, certain));
      this.#held = this.#held.subarray(at >= 0 ? at + this.#delimiter.length : piece.length);
      if (at >= 0) this.#isWithin = false;
      if (piece.length > 0) yield piece;
      if (at < 0) await this.#more();
    }
  }

  async leave(): Promise<void> {
    await this.#chunks.return?.();
  }

  /** Reads the bytes after the last boundary, because receipts contain the hash of the whole body. */
  async #readEpilogue(): Promise<void> {
    while ((await this.#chunks.next()).done !== true);
  }

  async #takeHead(): Promise<string> {
    const end = CRLF + CRLF;
    // Prepends a line end, so that even an empty head ends with two line ends.
    this.#held = Buffer.concat([Buffer.from(CRLF), this.#held]);
    for (;;) {
      const at = this.#held.indexOf(end);
      if (at > HEADERS_BYTES_MAX || (at < 0 && this.#held.length > HEADERS_BYTES_MAX))
        throw apiError('INVALID_MULTIPART', { message: 'The multipart body has a part with too many headers.' });
      if (at >= 0) return (await this.#take(at + end.length)).toString('utf8');
      await this.#more();
    }
  }

  async #take(length: number): Promise<Buffer> {
    while (this.#held.length < length) await this.#more();
    const taken = this.#held.subarray(0, length);
    this.#held = this.#held.subarray(length);
    return taken;
  }

  async #more(): Promise<void> {
    const { done, value } = await this.#chunks.next();
    if (done) throw apiError('INVALID_MULTIPART');
    this.#held = this.#held.length === 0 ? Buffer.from(value) : Buffer.concat([this.#held, value]);
  }
}

function headOf(head: string): PartHead {
  const line = head.split(CRLF).find((each) => /^content-disposition\s*:/i.test(each));
  const parameters = line?.slice(line.indexOf(':') + 1) ?? '';
  const start = parameters.indexOf(';');
  let name: string | null = null;
  let isFile = false;
  if (start >= 0)
    for (const [, key = '', quoted, plain] of parameters.slice(start).matchAll(PARAMETER)) {
      if (key.toLowerCase() === 'name') name = quoted?.replace(/\\(.)/g, '$1') ?? plain ?? '';
      else if (/^filename\*?$/i.test(key)) isFile = true;
    }
  return { name, isFile };
}
