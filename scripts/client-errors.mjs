import './parts/node-version.mjs';
import fs from 'node:fs';
import { renderClientErrors } from './parts/client-errors.mjs';
import { inRepository } from './parts/repository.mjs';

// Writes docs/client-errors.md.
fs.writeFileSync(inRepository('docs', 'client-errors.md'), await renderClientErrors());
process.exit(0);
