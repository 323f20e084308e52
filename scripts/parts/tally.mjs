import fs from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';

import { repositoryRoot } from './repository.mjs';

/**
 * Results of some tests. `failedNames` lists failed tests with reasons. `skippedNames` lists tests that did not run.
 * `flakyNames` lists tests that passed only at the second attempt.
 *
 * @typedef {{passed: number, failed: number, skipped: number, failedNames: string[], skippedNames: string[],
 * flakyNames: string[]}} Tally
 */

/** @param {Partial<Tally>} [counts] @returns {Tally} */
export function tally(counts = {}) {
  return { passed: 0, failed: 0, skipped: 0, failedNames: [], skippedNames: [], flakyNames: [], ...counts };
}

/** @param {Tally[]} tallies @returns {Tally} */
export function sum(tallies) {
  return tallies.reduce(
    (total, one) => ({
      passed: total.passed + one.passed,
      failed: total.failed + one.failed,
      skipped: total.skipped + one.skipped,
      failedNames: [...total.failedNames, ...one.failedNames],
      skippedNames: [...total.skippedNames, ...one.skippedNames],
      flakyNames: [...total.flakyNames, ...one.flakyNames],
    }),
    tally(),
  );
}

/**
 * Returns the last line of a test run. In CI, skipped tests count as failed, because every test must run there.
 *
 * @param {Tally} total
 * @param {{ci: boolean}} options
 * @returns {{line: string, ok: boolean}}
 */
export function verdict(total, { ci }) {
  const failed = total.failed + (ci ? total.skipped : 0);
  const skipped = ci ? 0 : total.skipped;
  const line = `${total.passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
  return { line, ok: failed === 0 };
}

/**
 * Counts a test runner's report. A run counts as one failure if it fails without a failed test, writes no report or
 * runs no test.
 *
 * @param {string} file the JSON report
 * @param {(report: any) => Tally} count
 * @param {number} exitCode exit code of the runner
 * @returns {Tally}
 */
export function countReport(file, count, exitCode) {
  let counted;
  try {
    counted = count(JSON.parse(fs.readFileSync(file, 'utf8')));
  } catch {
    return tally({ failed: 1 });
  }
  const ranNothing = counted.passed + counted.failed + counted.skipped === 0;
  const crashed = exitCode !== 0 && counted.failed === 0;
  return ranNothing || crashed ? { ...counted, failed: counted.failed + 1 } : counted;
}

/**
 * Counts a report of vitest's JSON reporter. A file that did not load counts as one failure. A test that passed only at
 * the second attempt counts as passed and is listed with its first failure.
 *
 * @param {{testResults: {name: string, status: string, message?: string, assertionResults: {status: string, fullName:
 * string, failureMessages?: string[]}[]}[]}} report
 * @returns {Tally}
 */
export function countVitest(report) {
  return sum(
    report.testResults.map((file) => {
      const tests = file.assertionResults;
      const failed = tests.filter(({ status }) => status === 'failed');
      const asWhole = failed.length === 0 && file.status === 'failed';
      const skipped = tests.filter(({ status }) => !['passed', 'failed'].includes(status));
      return tally({
        passed: tests.filter(({ status }) => status === 'passed').length,
        failed: asWhole ? 1 : failed.length,
        failedNames: asWhole
          ? [withReason(path.relative(repositoryRoot, file.name), [file.message ?? ''])]
          : failed.map(({ fullName, failureMessages }) => withReason(fullName, failureMessages)),
        skipped: skipped.length,
        skippedNames: skipped.map(({ fullName }) => fullName),
        flakyNames: tests
          .filter(({ status, failureMessages = [] }) => status === 'passed' && failureMessages.length > 0)
          .map(({ fullName, failureMessages }) => withReason(fullName, failureMessages)),
      });
    }),
  );
}

/** Returns a name with the first line of its message. @param {string} name @param {string[]} [messages] */
function withReason(name, [message = ''] = []) {
  const reason = message.trim().split('\n', 1)[0]?.slice(0, 200);
  return reason ? `${name} (${reason})` : name;
}

/**
 * Counts a report of Playwright's JSON reporter. A test that passed only at the second attempt counts as passed and is
 * listed with its first failure.
 *
 * @param {{stats: {expected: number, unexpected: number, flaky: number, skipped: number}, errors?: {message?:
 * string}[], suites?: PlaywrightSuite[]}} report
 * @returns {Tally}
 */
export function countPlaywright({ stats, errors = [], suites = [] }) {
  return tally({
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + errors.length,
    failedNames: [
      ...suites.flatMap((suite) => specsOf(suite, 'unexpected')),
      ...errors.map(({ message = '' }) => withReason('outside the tests', [message])),
    ],
    skipped: stats.skipped,
    skippedNames: suites.flatMap((suite) => specsOf(suite, 'skipped')),
    flakyNames: suites.flatMap((suite) => specsOf(suite, 'flaky')),
  });
}

/**
 * @typedef {object} PlaywrightSuite
 * @property {{title: string, tests: {status: string, results?: {errors?: {message?: string, location?: {line: number}}[]}[]}[]}[]} [specs]
 * @property {PlaywrightSuite[]} [suites]
 */

/**
 * Returns the titles of all tests that ended in this way, including those in nested suites, each with its first error.
 *
 * @param {PlaywrightSuite} suite
 * @param {string} ended
 * @returns {string[]}
 */
function specsOf({ specs = [], suites = [] }, ended) {
  const here = specs.flatMap(({ title, tests }) => {
    const test = tests.find(({ status }) => status === ended);
    const [error] = test?.results?.flatMap(({ errors = [] }) => errors) ?? [];
    return test ? [withReason(title, error && [inOneLine(error)])] : [];
  });
  return [...here, ...suites.flatMap((suite) => specsOf(suite, ended))];
}

/**
 * Formats a Playwright error, which has several lines and colors, as one plain line.
 *
 * @param {{message?: string, location?: {line: number}}} error
 */
function inOneLine({ message = '', location }) {
  return `${location ? `line ${location.line}: ` : ''}${stripVTControlCharacters(message)
    .trim()
    .replace(/\s*\n\s*/g, ' ')}`;
}

/**
 * Counts a report of `npm run attack`. A blocked attack is a passed test. An attack counts as skipped only if it
 * applies to none of the tested gateways.
 *
 * @param {{outcomes: {id: string, outcome: string}[]}} report
 * @returns {Tally}
 */
export function countAttacks({ outcomes }) {
  const tried = new Set(outcomes.filter(({ outcome }) => outcome !== 'not applicable').map(({ id }) => id));
  const notHeld = outcomes.filter(({ outcome }) => outcome === 'not held');
  const skipped = [...new Set(outcomes.map(({ id }) => id))].filter((id) => !tried.has(id));
  return tally({
    passed: outcomes.filter(({ outcome }) => outcome === 'held').length,
    failed: notHeld.length,
    failedNames: notHeld.map(({ id }) => `attack ${id}`),
    skipped: skipped.length,
    skippedNames: skipped.map((id) => `attack ${id}`),
  });
}
