import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPageFiles } from './page-files';

const folder = mkdtempSync(join(tmpdir(), 'turnpike-page-files-'));
const SCRIPT = 'console.log("what a page runs");\n'.repeat(100);
let server: Server;

interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

function ask(
  path: string,
  headers: Record<string, string> = { 'accept-encoding': 'gzip, deflate, br, zstd' },
  method = 'GET',
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request({ port: (server.address() as AddressInfo).port, path, headers, method }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) }),
      );
    })
      .on('error', reject)
      .end();
  });
}

function write(path: string, content: string | Buffer): void {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), content);
}

beforeAll(async () => {
  write('BUILD_ID', 'build-of-now\n');
  write('static/chunks/a.js', SCRIPT);
  write('static/chunks/b.css', 'b{}');
  write('static/chunks/small.js', '1');
  write('compressed/build-of-now/chunks/a.js.br', brotliCompressSync(SCRIPT));
  write('compressed/build-of-now/chunks/b.css.br', brotliCompressSync('b{}'));
  write('compressed/build-of-now/chunks/gone.js.br', brotliCompressSync('of no file'));
  write('compressed/build-of-now/secret.txt', 'not asked for by pages');
  write('compressed/build-before/chunks/old.js.br', brotliCompressSync('of another build'));
  const pageFiles = createPageFiles(folder);
  server = createServer((incoming, response) => {
    if (!pageFiles(incoming, response)) response.writeHead(418).end('for Next');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true });
});

describe('a file of the pages', () => {
  it('comes as the build compressed it, with all that a browser keeps it by', async () => {
    const { status, headers, body } = await ask('/_next/static/chunks/a.js');
    expect(status).toBe(200);
    expect(brotliDecompressSync(body).toString()).toBe(SCRIPT);
    expect(headers).toMatchObject({
      'content-encoding': 'br',
      'content-length': String(body.length),
      'content-type': 'application/javascript; charset=UTF-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
    });
    expect(headers.etag).toMatch(new RegExp(`^W/"${SCRIPT.length.toString(16)}-[0-9a-f]+"$`));
    expect((await ask('/_next/static/chunks/b.css')).headers['content-type']).toBe('text/css; charset=UTF-8');
  });

  it.each<[string, string, Record<string, string>?, string?]>([
    ['to who takes no Brotli', '/_next/static/chunks/a.js', { 'accept-encoding': 'gzip' }],
    ['to who refuses it', '/_next/static/chunks/a.js', { 'accept-encoding': 'gzip, br;q=0' }],
    ['to who says nothing of it', '/_next/static/chunks/a.js', {}],
    ['to who asks for a part', '/_next/static/chunks/a.js', { 'accept-encoding': 'br', range: 'bytes=0-9' }],
    ['to who has it', '/_next/static/chunks/a.js', { 'accept-encoding': 'br', 'if-none-match': 'W/"1"' }],
    ['to who asks for its head', '/_next/static/chunks/a.js', { 'accept-encoding': 'br' }, 'HEAD'],
    ['to who posts to it', '/_next/static/chunks/a.js', { 'accept-encoding': 'br' }, 'POST'],
    ['that was not compressed', '/_next/static/chunks/small.js'],
    ['that is not there', '/_next/static/chunks/gone.js'],
    ['of another build', '/_next/static/chunks/old.js'],
    ['by a way around', '/_next/static/chunks/../../compressed/build-of-now/chunks/a.js'],
    ['of another kind', '/_next/static/secret.txt'],
    ['by its compressed name', '/_next/static/chunks/a.js.br'],
    ['with a query', '/_next/static/chunks/a.js?x=1'],
    ['that is a page', '/rpc'],
  ])('is left to Next %s', async (_what, path, headers, method) =>
    expect((await ask(path, headers, method)).status).toBe(418),
  );

  it('is left to Next where the build compressed nothing', () => {
    const pageFiles = createPageFiles(join(folder, 'nowhere'));
    expect(
      pageFiles(
        { method: 'GET', url: '/_next/static/chunks/a.js', headers: { 'accept-encoding': 'br' } } as IncomingMessage,
        {} as never,
      ),
    ).toBe(false);
  });
});
