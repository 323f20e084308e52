import { execFile } from 'node:child_process';

import { inRepository } from './repository.mjs';

/**
 * The networks that the operator gave an upstream, and the listed ones without, as `config check` of the bundled
 * command line tells it.
 *
 * @param {Record<string, string | undefined>} env settings on top of this process's environment
 * @returns {Promise<{given: string[], missing: string[]} | undefined>} slugs; undefined where the check could not tell
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
 * Divides the networks of a `config check --json`.
 *
 * @param {string} text its one document
 * @returns {{given: string[], missing: string[]}} slugs, sorted
 */
export function readCheck(text) {
  const { upstreams } = /** @type {{upstreams: Record<string, number>}} */ (JSON.parse(text));
  const slugs = Object.keys(upstreams).sort();
  return { given: slugs.filter((slug) => upstreams[slug]), missing: slugs.filter((slug) => !upstreams[slug]) };
}
