import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, sep } from 'node:path';
import { takesCoding } from './compression/content-coding';

const PREFIX = '/_next/static/';
const FOLDER = 'static';
const COMPRESSED_FOLDER = 'compressed';
const SUFFIX = '.br';

const TYPES: ReadonlyMap<string, string> = new Map([
  ['.js', 'application/javascript; charset=UTF-8'],
  ['.css', 'text/css; charset=UTF-8'],
]);

interface PageFile {
  headers: Readonly<Record<string, string | number>>;
  body: Promise<Buffer> | null;
  path: string;
}

/** Answers a request for a page file. @returns false if Next must answer */
type PageFiles = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * Serves the console's scripts and styles, precompressed with Brotli at a level that would be too slow per request. The
 * files are a seventh smaller than Next's and have the same headers (docs/decisions/console.md, 250). Next answers
 * requests that do not accept Brotli, range requests and conditional requests.
 * @param buildFolder path of `.next`; if the folder is missing, Next answers all requests
 */
export function createPageFiles(buildFolder: string): PageFiles {
  const files = compressedFiles(buildFolder);
  return (request, response) => {
    const { method, url = '', headers } = request;
    if (
      method !== 'GET' ||
      !url.startsWith(PREFIX) ||
      headers.range !== undefined ||
      headers['if-none-match'] !== undefined ||
      headers['if-modified-since'] !== undefined
    )
      return false;
    const file = files.get(url.slice(PREFIX.length));
    if (file === undefined || !takesCoding(String(headers['accept-encoding'] ?? ''), 'br')) return false;
    file.body ??= readFile(file.path);
    file.body.then(
      (body) => response.writeHead(200, { ...file.headers, 'content-length': body.length }).end(body),
      () => response.destroy(),
    );
    return true;
  };
}

function compressedFiles(buildFolder: string): Map<string, PageFile> {
  const folder = join(buildFolder, COMPRESSED_FOLDER, buildIdOf(buildFolder));
  const files = new Map<string, PageFile>();
  if (!existsSync(folder)) return files;
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const plain = name.slice(0, -SUFFIX.length);
    const type = TYPES.get(extname(plain));
    const original = join(buildFolder, FOLDER, plain);
    if (!name.endsWith(SUFFIX) || type === undefined || !existsSync(original)) continue;
    const { size, mtime } = statSync(original);
    files.set(plain.split(sep).join('/'), {
      path: join(folder, name),
      body: null,
      headers: {
        'cache-control': 'public, max-age=31536000, immutable',
        'accept-ranges': 'bytes',
        'last-modified': mtime.toUTCString(),
        etag: `W/"${size.toString(16)}-${mtime.getTime().toString(16)}"`,
        'content-type': type,
        vary: 'Accept-Encoding',
        'content-encoding': 'br',
      },
    });
  }
  return files;
}

function buildIdOf(buildFolder: string): string {
  const file = join(buildFolder, 'BUILD_ID');
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
}
