import { execFile } from 'node:child_process';

import { inRepository } from './repository.mjs';

/**
 * Runs `config check` of the bundled command line. Returns the networks for which the operator has configured an
 * upstream, and the listed networks without one.
 *
 * @param {Record<string, string | undefined>} env settings added to this process's environment
 * @returns {Promise<{given: string[], missing: string[]} | undefined>} slugs; undefined if the check failed
 */
export function configuredNetworks(env) {
  return new Promise((resolve) => {
    const args = [inRepository('dist/admin.mjs'), 'config', 'check', '--json'];
    execFile(process.execPath, args, { cwd: inRepository(), env: { ...process.env, ...env } }, (error, stdout) => {
      resolve(error ? undefined : readCheck(stdout));
    });
  });
}

/**
 * Parses the output of `config check --json`.
 *
 * @param {string} text one JSON document
 * @returns {{given: string[], missing: string[]}} slugs, sorted
 */
export function readCheck(text) {
  const { upstreams } = /** @type {{upstreams: Record<string, number>}} */ (JSON.parse(text));
  const slugs = Object.keys(upstreams).sort();
  return { given: slugs.filter((slug) => upstreams[slug]), missing: slugs.filter((slug) => !upstreams[slug]) };
}
