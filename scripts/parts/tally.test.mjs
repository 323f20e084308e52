import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';

import { inRepository } from './repository.mjs';
import { countAttacks, countPlaywright, countReport, countVitest, sum, tally, verdict } from './tally.mjs';

describe('the last line of a test run', () => {
  test('has exactly the numbers of passed and failed tests', () => {
    expect(verdict(tally({ passed: 12 }), { ci: false })).toEqual({ line: '12 passed, 0 failed', ok: true });
    expect(verdict(tally({ passed: 12, failed: 1 }), { ci: false })).toEqual({
      line: '12 passed, 1 failed',
      ok: false,
    });
  });

  test("names skipped tests on a person's machine, which are no failure there", () => {
    expect(verdict(tally({ passed: 3, skipped: 2 }), { ci: false })).toEqual({
      line: '3 passed, 0 failed, 2 skipped',
      ok: true,
    });
  });

  test('counts a skipped test as failed in CI', () => {
    expect(verdict(tally({ passed: 3, failed: 1, skipped: 2 }), { ci: true })).toEqual({
      line: '3 passed, 3 failed',
      ok: false,
    });
  });
});

describe('reports of vitest', () => {
  /** @param {string} status @param {string} [fullName] */
  const result = (status, fullName = 'a test') => ({ status, fullName });

  test('count passed, failed and skipped tests over all files', () => {
    const report = {
      testResults: [
        { name: 'a', status: 'failed', assertionResults: [result('passed'), result('failed'), result('failed')] },
        {
          name: 'b',
          status: 'passed',
          assertionResults: [result('passed'), result('pending', 'later'), result('todo', 'some day')],
        },
      ],
    };
    expect(countVitest(report)).toEqual(
      tally({
        passed: 2,
        failed: 2,
        failedNames: ['a test', 'a test'],
        skipped: 2,
        skippedNames: ['later', 'some day'],
      }),
    );
  });

  test('count a test that passed at the second attempt as passed, and name it with what the first met', () => {
    const report = {
      testResults: [
        {
          name: 'a',
          status: 'passed',
          assertionResults: [
            result('passed'),
            {
              ...result('passed', 'needed two'),
              failureMessages: ['expected 659 to be less than 400\n  at a.test.ts'],
            },
          ],
        },
      ],
    };
    expect(countVitest(report)).toEqual(
      tally({ passed: 2, flakyNames: ['needed two (expected 659 to be less than 400)'] }),
    );
  });

  test('count a file that could not be loaded as one failure', () => {
    expect(
      countVitest({
        testResults: [
          {
            name: inRepository('lib/a.test.ts'),
            status: 'failed',
            message: 'No such module\n  at a',
            assertionResults: [],
          },
        ],
      }),
    ).toEqual(tally({ failed: 1, failedNames: ['lib/a.test.ts (No such module)'] }));
  });

  test('name what failed, with the first line of why', () => {
    const report = {
      testResults: [
        {
          name: 'a',
          status: 'failed',
          assertionResults: [{ ...result('failed', 'broke'), failureMessages: ['expected 1 to be 2\n  at a.test.ts'] }],
        },
      ],
    };
    expect(countVitest(report).failedNames).toEqual(['broke (expected 1 to be 2)']);
  });
});

describe('reports of attacks', () => {
  test('count what was held and what was not, and skip only what no gateway could be tried with', () => {
    const outcomes = [
      { id: 'a', outcome: 'held' },
      { id: 'b', outcome: 'not applicable' },
      { id: 'b', outcome: 'not held' },
      { id: 'c', outcome: 'not applicable' },
      { id: 'c', outcome: 'not applicable' },
    ];
    expect(countAttacks({ outcomes })).toEqual(
      tally({ passed: 1, failed: 1, failedNames: ['attack b'], skipped: 1, skippedNames: ['attack c'] }),
    );
  });
});

describe('reports of Playwright', () => {
  test('count a test that passed at the second attempt as passed, and name it however deep it stands', () => {
    const suites = [
      {
        suites: [{ specs: [{ title: 'needed two', tests: [{ status: 'flaky' }] }] }],
        specs: [{ title: 'needed one', tests: [{ status: 'expected' }] }],
      },
    ];
    expect(countPlaywright({ stats: { expected: 4, unexpected: 1, flaky: 1, skipped: 0 }, suites })).toEqual(
      tally({ passed: 5, failed: 1, flakyNames: ['needed two'] }),
    );
  });

  test('say in one line where and how the first attempt failed', () => {
    const results = [
      {
        errors: [
          { message: '\u001b[31mError: 390 px\u001b[39m\n\n  Expected: < 0.1', location: { line: 83 } },
          { message: 'and more' },
        ],
      },
      { errors: [] },
    ];
    expect(
      countPlaywright({
        stats: { expected: 0, unexpected: 0, flaky: 1, skipped: 0 },
        suites: [{ specs: [{ title: 'moved', tests: [{ status: 'flaky', results }] }] }],
      }).flakyNames,
    ).toEqual(['moved (line 83: Error: 390 px Expected: < 0.1)']);
  });

  test('count a test that failed at every attempt as failed', () => {
    const suites = [{ specs: [{ title: 'broken', tests: [{ status: 'unexpected' }] }] }];
    expect(countPlaywright({ stats: { expected: 0, unexpected: 1, flaky: 0, skipped: 0 }, suites })).toEqual(
      tally({ failed: 1, failedNames: ['broken'] }),
    );
  });

  test('count an error outside the tests as failed', () => {
    expect(
      countPlaywright({
        stats: { expected: 4, unexpected: 0, flaky: 0, skipped: 0 },
        errors: [{ message: 'No tests found' }],
      }),
    ).toEqual(tally({ passed: 4, failed: 1, failedNames: ['outside the tests (No tests found)'] }));
  });

  test('name skipped tests however deep they stand', () => {
    const suites = [
      {
        suites: [{ specs: [{ title: 'deep', tests: [{ status: 'skipped' }] }] }],
        specs: [{ title: 'ran', tests: [{ status: 'expected' }] }],
      },
    ];
    expect(
      countPlaywright({ stats: { expected: 1, unexpected: 0, flaky: 0, skipped: 1 }, suites }).skippedNames,
    ).toEqual(['deep']);
  });
});

describe('a runner', () => {
  const file = path.join(os.tmpdir(), `tally-${process.pid}.json`);
  afterEach(() => fs.rmSync(file, { force: true }));
  /** @param {unknown} content */
  const write = (content) => fs.writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  /** @param {import('./tally.mjs').Tally} report */
  const asIs = (report) => report;

  test('that wrote no report counts as failed', () => {
    expect(countReport(file, asIs, 0)).toEqual(tally({ failed: 1 }));
  });

  test('whose report is cut off counts as failed', () => {
    write('{"testResults": [');
    expect(countReport(file, countVitest, 0)).toEqual(tally({ failed: 1 }));
  });

  test('that ran no test counts as failed', () => {
    write(tally());
    expect(countReport(file, asIs, 0).failed).toBe(1);
  });

  test('that crashed although its tests passed counts as failed', () => {
    write(tally({ passed: 5 }));
    expect(countReport(file, asIs, 1)).toEqual(tally({ passed: 5, failed: 1 }));
  });

  test('with failed tests counts them once', () => {
    write(tally({ passed: 5, failed: 2 }));
    expect(countReport(file, asIs, 1)).toEqual(tally({ passed: 5, failed: 2 }));
  });

  test('adds up with others', () => {
    expect(
      sum([
        tally({ passed: 1, flakyNames: ['y'] }),
        tally({ failed: 2, failedNames: ['z'], skipped: 1, skippedNames: ['x'] }),
      ]),
    ).toEqual({ passed: 1, failed: 2, skipped: 1, failedNames: ['z'], skippedNames: ['x'], flakyNames: ['y'] });
  });
});
