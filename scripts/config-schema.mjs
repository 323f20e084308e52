import fs from 'node:fs/promises';
import { pathToFileURL } from 'node:url';

import { build } from 'esbuild';

import { renderConfigDocument } from './parts/config-document.mjs';
import { inRepository, repositoryRoot } from './parts/repository.mjs';

// Writes public/turnpike.config.schema.json and docs/operating/configuration.md from the schema with which the gateway
// checks its configuration.
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
await fs.writeFile(
  inRepository('docs', 'operating', 'configuration.md'),
  renderConfigDocument(JSON.parse(configJsonSchema())),
);
await fs.rm(outfile);
