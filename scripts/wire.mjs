import './parts/node-version.mjs';
import fs from 'node:fs';
import path from 'node:path';
import { UsageError, runCommand } from './parts/command-line.mjs';
import { compareRecordings } from './parts/wire-recordings.mjs';

const help = `
npm run wire -- compare BEFORE AFTER

Compares two recordings of the contract tests' requests and answers. To make a recording:

  WIRE_RECORDING=FOLDER npm test -- --only contract

Prints each request whose answer differs, and the number of equal answers. The exit code is 1 if any answer differs.
`;

await runCommand(async () => {
  const [verb, before, after] = process.argv.slice(2);
  if (verb === '--help' || verb === '-h') {
    console.log(help.trim());
    return 0;
  }
  if (verb !== 'compare' || !before || !after)
    throw new UsageError('A folder is missing: npm run wire -- compare BEFORE AFTER. See --help.');
  const { same, differences } = compareRecordings(readRecording(before), readRecording(after));
  for (const difference of differences) console.log(`${difference}\n`);
  console.log(`${same} answers are the same, ${differences.length} differ.`);
  return differences.length > 0 ? 1 : 0;
});

/** @param {string} folder @returns {Map<string, string[]>} the lines of each file */
function readRecording(folder) {
  if (!fs.existsSync(folder)) throw new UsageError(`There is no folder ${folder}.`);
  const files = fs.readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  return new Map(
    files.map((name) => [
      name.replace('.jsonl', ''),
      fs.readFileSync(path.join(folder, name), 'utf8').trim().split('\n'),
    ]),
  );
}
