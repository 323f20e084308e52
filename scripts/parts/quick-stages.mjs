import fs from 'node:fs';
import path from 'node:path';

import { inRepository } from './repository.mjs';
import { tally } from './tally.mjs';
import { bin, check, formatCheck, lint, typeCheck, vitest } from './test-stages.mjs';

const isCode = /\.(ts|tsx|mjs)$/;

/**
 * Lists the stages of `npm run test:quick` for a change.
 *
 * @param {{since: string, files: string[]}} change
 * @returns {Pick<import('./test-stages.mjs').Stage, 'label' | 'run'>[]}
 */
export function quickStages({ since, files }) {
  const toLint = files.filter((file) => isCode.test(file) && fs.existsSync(inRepository(file)));
  return [
    { label: 'Type check', run: (context) => check(context, [...typegen(), [...typeCheck]]) },
    {
      label: 'Lint of what changed',
      run: (context) =>
        toLint.length > 0
          ? check(context, [
              [...formatCheck, ...toLint],
              [...lint, ...toLint],
            ])
          : Promise.resolve({ counts: tally(), output: '' }),
    },
    { label: 'Unit tests of what changed', run: (context) => runUnit(context, since, files) },
  ];
}

/** A new clone does not have the route types, which Next generates. */
function typegen() {
  return fs.existsSync(inRepository(path.join('.next', 'types'))) ? [] : [[bin.next, 'typegen']];
}

/** @param {Parameters<typeof vitest>[0]} context @param {string} since @param {string[]} files */
function runUnit(context, since, files) {
  if (!files.some((file) => isCode.test(file))) return Promise.resolve({ counts: tally(), output: '' });
  return vitest(context, 'unit', {}, [`--changed=${since}`, '--passWithNoTests']);
}
