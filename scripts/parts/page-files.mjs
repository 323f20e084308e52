import fs from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';

const compress = promisify(brotliCompress);

/**
 * Brotli quality, one below the maximum. The maximum takes more than twice as long and makes files only 1 % smaller.
 */
const QUALITY = 10;
/** A shorter file fits into one packet, so compressing it gains nothing. */
const BYTES_MIN = 1_024;
/** Makes Chrome compile a script while it loads, not in the task that hydrates the page. */
const COMPILE_HINT = Buffer.from('//# allFunctionsCalledOnLoad\n');
const COMPRESSED = /\.(?:js|css)$/;
/** Number of parallel compressions, because zlib has four threads. */
const AT_ONCE = 4;

/**
 * Compresses the scripts and styles of a build for `lib/server/http/page-files.ts`, into a folder named by the build
 * id. Removes the folders of other builds.
 *
 * @param {string} buildFolder `.next`
 * @param {string} buildId
 */
export async function compressPageFiles(buildFolder, buildId) {
  const target = path.join(buildFolder, 'compressed');
  await fs.rm(target, { recursive: true, force: true });
  const source = path.join(buildFolder, 'static');
  const manifest = await fs.readFile(path.join(buildFolder, 'build-manifest.json'), 'utf8');
  const ofEveryPage = new Set(
    /** @type {{ rootMainFiles: string[] }} */ (JSON.parse(manifest)).rootMainFiles.map((file) => path.normalize(file)),
  );
  const waiting = (await fs.readdir(source, { recursive: true })).filter((name) => COMPRESSED.test(name));
  const next = async () => {
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      const bytes = await fs.readFile(path.join(source, name));
      if (bytes.length < BYTES_MIN) continue;
      const plain = ofEveryPage.has(path.join('static', name)) ? Buffer.concat([COMPILE_HINT, bytes]) : bytes;
      const file = path.join(target, buildId, `${name}.br`);
      await fs.mkdir(path.dirname(file), { recursive: true });
      await fs.writeFile(
        file,
        await compress(plain, {
          params: {
            [constants.BROTLI_PARAM_QUALITY]: QUALITY,
            [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
            [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
          },
        }),
      );
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
}
