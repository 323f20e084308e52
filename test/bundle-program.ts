import { execFile, execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

const ROOT = resolve(import.meta.dirname, '..');

/** Bundles a program into `dist/` from the current sources. @param name name in scripts/bundle.mjs */
export function bundleProgram(name: string): void {
  execFileSync(process.execPath, [
    '-e',
    `import('./scripts/bundle.mjs').then(({ bundle }) => bundle([${JSON.stringify(name)}]))`,
  ]);
}

/**
 * Bundles another program in the same way as `scripts/bundle.mjs`, into a file from which Node can resolve the
 * packages.
 *
 * @param source a file, or the text of a module that imports by `@/…`
 */
export async function bundleTo(source: { file: string } | { text: string }, outfile: string): Promise<void> {
  const bundling = `import('./scripts/bundle.mjs').then(({ bundleTo }) => bundleTo(${JSON.stringify(source)}, ${JSON.stringify(outfile)}))`;
  await promisify(execFile)(process.execPath, ['-e', bundling], { cwd: ROOT });
}
