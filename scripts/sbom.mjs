import './parts/node-version.mjs';
import fs from 'node:fs';
import { readOptions, runCommand } from './parts/command-line.mjs';
import { inRepository } from './parts/repository.mjs';
import { softwareBill } from './parts/software-bill.mjs';

const help = `
npm run -s sbom -- [options]

Prints a bill of materials (CycloneDX 1.6, JSON): every package in
package-lock.json that ships, with version, licence and checksum.

  --dev        include the packages for building and testing
  -h, --help   this text
`;

/** `npm run sbom`. @returns {Promise<number>} exit code */
function sbom() {
  const { dev } = readOptions(help, { dev: { type: 'boolean' } });
  const lock = JSON.parse(fs.readFileSync(inRepository('package-lock.json'), 'utf8'));
  process.stdout.write(`${JSON.stringify(softwareBill(lock, { withDevelopment: dev === true }), undefined, 2)}\n`);
  return Promise.resolve(0);
}

await runCommand(sbom);
