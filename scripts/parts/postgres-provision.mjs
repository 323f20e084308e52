import fs from 'node:fs';
import path from 'node:path';

import { runToEnd } from './process-groups.mjs';

/**
 * Postgres for the tests: folder of its programs and its origin. @typedef {{folder: string, origin: string}} Postgres
 */

const debianFolder = '/usr/lib/postgresql';
/** File that decides whether Debian's packages create and start a cluster when they are installed. */
const clusterSettings = '/etc/postgresql-common/createcluster.conf';

/**
 * Provides the Postgres programs: an installed version, or else Debian's package if this user can install it. Does not
 * start a server, because the tests start and stop their own servers.
 *
 * @param {(line: string) => void} onLine called with progress lines
 * @returns {Promise<Postgres | undefined>} undefined if both ways fail
 */
export async function providePostgres(onLine) {
  return installed() ?? (await fromDebian(onLine));
}

/** @returns {Postgres | undefined} */
function installed() {
  const folders = [
    ...(process.env.PATH ?? '').split(path.delimiter).filter(Boolean),
    ...versions().map((version) => path.join(debianFolder, version, 'bin')),
  ];
  const folder = folders.find((each) => ['initdb', 'postgres'].every((name) => fs.existsSync(path.join(each, name))));
  return folder ? { folder, origin: `installed, ${folder}` } : undefined;
}

/** Debian's versions of Postgres on this machine, newest first. */
function versions() {
  if (!fs.existsSync(debianFolder)) return [];
  return fs.readdirSync(debianFolder).sort((a, b) => Number(b) - Number(a));
}

/** @param {(line: string) => void} onLine @returns {Promise<Postgres | undefined>} */
async function fromDebian(onLine) {
  if (process.getuid?.() !== 0 || !fs.existsSync('/etc/debian_version')) return undefined;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  /** @param {string} name */
  const install = (name) => runToEnd('apt-get', ['install', '-y', '--no-install-recommends', name], { env, onLine });
  try {
    const first = await install('postgresql-common');
    if (first.code !== 0) {
      // In a new container, apt has no package lists.
      await runToEnd('apt-get', ['update'], { env, onLine });
      await install('postgresql-common');
    }
    if (fs.existsSync(clusterSettings)) fs.appendFileSync(clusterSettings, '\ncreate_main_cluster = false\n');
    await install('postgresql');
    // Only the tests of partitions need this package, and they are skipped without it.
    await install(`postgresql-${versions()[0]}-plproxy`);
  } catch {
    return undefined;
  }
  const postgres = installed();
  return postgres && { folder: postgres.folder, origin: "Debian's package postgresql" };
}
