import fs from 'node:fs/promises';
import { pathToFileURL } from 'node:url';

import { build } from 'esbuild';

import { inRepository, repositoryRoot } from './parts/repository.mjs';

// Writes public/turnpike.config.schema.json from the schema that checks the configuration.
const outfile = inRepository('node_modules', '.cache', 'config-schema.mjs');
await build({
  absWorkingDir: repositoryRoot,
  entryPoints: ['lib/server/config/json-schema.ts'],
  outfile,
  bundle: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node22',
  tsconfig: 'tsconfig.json',
  logLevel: 'warning',
});
const { configJsonSchema } = await import(pathToFileURL(outfile).href);
await fs.writeFile(inRepository('public', 'turnpike.config.schema.json'), configJsonSchema());
await fs.rm(outfile);
