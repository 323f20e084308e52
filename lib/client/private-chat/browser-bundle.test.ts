import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

it('the client of private chats has nothing of Node in it, so that it runs in browsers as it is', async () => {
  const { outputFiles, metafile } = await build({
    stdin: { contents: "export * from './lib/client/private-chat';", resolveDir: ROOT, loader: 'ts' },
    bundle: true,
    minify: true,
    platform: 'browser',
    format: 'esm',
    target: 'es2022',
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  expect(outputFiles[0]?.text).toContain('TEE attestation verification failed');
  const ours = Object.keys(metafile.inputs).filter((file) => file.startsWith('lib/'));
  expect(ours.filter((file) => !/^lib\/(client|protocol)\//.test(file))).toEqual([]);
  expect(Object.keys(metafile.inputs).filter((file) => /node_modules\/(react|viem|zod)\//.test(file))).toEqual([]);
});
