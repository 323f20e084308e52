import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

import { renderClientErrors } from './client-errors.mjs';
import { inRepository } from './repository.mjs';

test(
  'what client libraries show of an error is what the documentation says, and tells what to do',
  { timeout: 60_000 },
  async () => {
    const made = await renderClientErrors();
    expect(made, 'run npm run client-errors').toBe(readFileSync(inRepository('docs', 'client-errors.md'), 'utf8'));
    const rows = made.split('\n').filter((line) => /^\| (?!client|-|curl)/.test(line));
    const unhelpful = rows.filter(
      (line) =>
        !/not valid|Check the key|[Pp]repay|api\/v1\/models|Send a smaller body|X-RateLimit-Reset|Try again|Ask for a shorter answer/.test(
          line,
        ),
    );
    expect(unhelpful).toEqual([]);
  },
);
