import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { apiError, isApiError } from '@/lib/protocol/errors';
import { readMultipart } from './read-multipart';
import { UploadedFile } from './uploaded-file';

const FOLDER = mkdtempSync(join(tmpdir(), 'uploads-'));
const BYTES_MAX = 100_000;
const TYPE = 'multipart/form-data; boundary=xx';

interface Outcome {
  code: string | null;
  bytes: string;
  fields: Record<string, readonly string[]>;
}

/** Reads a body that arrives in parts of this length. */
async function read(
  body: Uint8Array | string,
  { type = TYPE as string | null, partBytes = 1_000, encoding = null as string | null } = {},
): Promise<Outcome> {
  const bytes = Buffer.from(body as Uint8Array);
  const parts = Array.from({ length: Math.ceil(bytes.length / partBytes) }, (_none, index) =>
    bytes.subarray(index * partBytes, (index + 1) * partBytes),
  );
  const file = await UploadedFile.create(FOLDER);
  const call = {
    header: (name: string) => ({ 'content-type': type, 'content-encoding': encoding })[name] ?? null,
    streamBody: () => Readable.from(parts),
  };
  try {
    const fields = await readMultipart(call, { name: 'file', bytesMax: BYTES_MAX, file });
    return {
      code: null,
      bytes: Buffer.from(await file.read(0, BYTES_MAX)).toString('latin1'),
      fields: Object.fromEntries(fields),
    };
  } catch (error) {
    if (!isApiError(error)) throw error;
    return { code: error.code, bytes: '', fields: {} };
  } finally {
    await file.close();
  }
}

const field = (name: string, value: string) =>
  `--xx\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const upload = (content: string, name = 'file') =>
  `--xx\r\nContent-Disposition: form-data; name="${name}"; filename="../../a.wav"\r\nContent-Type: audio/wav\r\n\r\n${content}\r\n`;
const END = '--xx--\r\n';

describe('a form', () => {
  it.each([1, 7, 1_000, 1_000_000])(
    'is read whole from parts of %i bytes, with fields on both sides of the file',
    async (partBytes) => {
      const content = 'a\r\n--x\r\n'.repeat(partBytes > 100 ? 5_000 : 500);
      expect(
        await read(field('model', 'm') + upload(content) + field('g[]', 'word') + field('g[]', 'segment') + END, {
          partBytes,
        }),
      ).toEqual({
        code: null,
        bytes: content,
        fields: { model: ['m'], 'g[]': ['word', 'segment'] },
      });
    },
  );

  it('is read as by the platform, whatever the content', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 300 }),
        fc.string({ unit: 'grapheme', maxLength: 50 }),
        fc.integer({ min: 1, max: 100 }),
        async (content, value, partBytes) => {
          const form = new FormData();
          form.set('prompt', value);
          form.set('file', new Blob([content]), 'a"\r\n;name=x.wav');
          const sent = new Response(form);
          const type = sent.headers.get('content-type');
          const got = await read(new Uint8Array(await sent.arrayBuffer()), { type, partBytes });
          expect([got.code, got.bytes]).toEqual([null, Buffer.from(content).toString('latin1')]);
          // The platform writes every line end as CRLF.
          expect(got.fields['prompt']).toEqual([value.replace(/\r\n?|\n/g, '\r\n')]);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('leaves no file behind', async () => {
    await read(upload('abc') + END);
    await read(upload('abc'));
    expect(readdirSync(FOLDER)).toEqual([]);
  });

  it('is read to the end of its body, which receipts hash', async () => {
    let isOver = false;
    async function* body() {
      for (const byte of upload('abc') + '--xx--\r\nan epilogue\r\n') yield Buffer.from(byte);
      isOver = true;
    }
    const file = await UploadedFile.create(FOLDER);
    await readMultipart(
      { header: (name) => (name === 'content-type' ? TYPE : null), streamBody: body },
      { name: 'file', bytesMax: BYTES_MAX, file },
    );
    await file.close();
    expect(isOver).toBe(true);
  });

  it('with an epilogue beyond the bound of bytes is refused', async () => {
    async function* body() {
      yield Buffer.from(upload('abc') + END);
      throw apiError('BODY_TOO_LARGE');
    }
    const file = await UploadedFile.create(FOLDER);
    const reading = readMultipart(
      { header: (name) => (name === 'content-type' ? TYPE : null), streamBody: body },
      { name: 'file', bytesMax: BYTES_MAX, file },
    );
    await expect(reading).rejects.toMatchObject({ code: 'BODY_TOO_LARGE' });
    await file.close();
  });

  it('of fields without names is read without them', async () => {
    const unnamed = '--xx\r\nContent-Disposition: form-data\r\n\r\nvalue\r\n--xx\r\nX: y\r\n\r\nvalue\r\n';
    expect(await read(unnamed + upload('abc') + END)).toMatchObject({ code: null, bytes: 'abc', fields: {} });
  });
});

describe('refused', () => {
  it.each<[string, string, string]>([
    ['nothing', '', 'INVALID_MULTIPART'],
    ['no file', field('model', 'm') + END, 'INVALID_REQUEST'],
    ['another file', upload('abc', 'audio') + END, 'INVALID_MULTIPART'],
    ['two files', upload('abc') + upload('abc') + END, 'INVALID_MULTIPART'],
    [
      'headers without an end',
      '--xx\r\nContent-Disposition: form-data; name="file"\r\n--xx--\r\n',
      'INVALID_MULTIPART',
    ],
    ['headers that are too long', `--xx\r\nX: ${'a'.repeat(5_000)}\r\n\r\n${END}`, 'INVALID_MULTIPART'],
    ['three files', upload('abc') + upload('abc') + upload('abc') + END, 'INVALID_MULTIPART'],
    ['a file that does not end', upload('abc').slice(0, -2), 'INVALID_MULTIPART'],
    ['no last boundary', upload('abc'), 'INVALID_MULTIPART'],
    [
      'headers that do not end',
      '--xx\r\nContent-Disposition: form-data; name="file"; filename="a"',
      'INVALID_MULTIPART',
    ],
    ['another boundary', (upload('abc') + END).replaceAll('--xx', '--yy'), 'INVALID_MULTIPART'],
    ['a file that is too large', upload('a'.repeat(BYTES_MAX + 1)) + END, 'BODY_TOO_LARGE'],
    ['a field that is too large', field('prompt', 'a'.repeat(70_000)) + upload('abc') + END, 'INVALID_MULTIPART'],
    ['many fields', field('a', 'b').repeat(40) + upload('abc') + END, 'INVALID_MULTIPART'],
    ['text instead of a form', 'hello', 'INVALID_MULTIPART'],
  ])('%s', async (_name, body, code) => expect((await read(body)).code).toBe(code));

  it.each<[string, string | null, string]>([
    ['no type', null, 'UNSUPPORTED_MEDIA_TYPE'],
    ['JSON', 'application/json', 'UNSUPPORTED_MEDIA_TYPE'],
    ['no boundary', 'multipart/form-data', 'UNSUPPORTED_MEDIA_TYPE'],
    ['an empty boundary', 'multipart/form-data; boundary=', 'INVALID_MULTIPART'],
    ['a parameter that is no boundary', 'multipart/form-data; charset=utf-8', 'INVALID_MULTIPART'],
    ['a boundary that is too long', `multipart/form-data; boundary=${'x'.repeat(71)}`, 'INVALID_MULTIPART'],
    ['a form of another kind', 'application/x-www-form-urlencoded', 'UNSUPPORTED_MEDIA_TYPE'],
  ])('%s', async (_name, type, code) => expect((await read(upload('abc') + END, { type })).code).toBe(code));

  it('a compressed body', async () =>
    expect((await read(upload('abc') + END, { encoding: 'gzip' })).code).toBe('UNSUPPORTED_MEDIA_TYPE'));

  it('any bytes, cut or changed, with an error of the table or as a form', async () => {
    const whole = Buffer.from(field('model', 'm') + upload('abc') + END);
    await fc.assert(
      fc.asyncProperty(
        fc.nat(whole.length),
        fc.uint8Array({ maxLength: 40 }),
        fc.nat(20),
        fc.integer({ min: 1, max: 50 }),
        async (at, inserted, removed, partBytes) => {
          const body = Buffer.concat([whole.subarray(0, at), inserted, whole.subarray(at + removed)]);
          expect((await read(body, { partBytes })).code).toSatisfy((code) => code === null || typeof code === 'string');
        },
      ),
      { numRuns: 300 },
    );
  });
});
