import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Node version that takes over from an unsupported version. Must be the version in .nvmrc. */
export const pinnedNode = '24.21.0';

/**
 * Environment variable of a command that was handed over. Contains the id of the Node process that waits for the
 * command.
 */
export const LAUNCHER_VARIABLE = 'TURNPIKE_LAUNCHER';

const repositoryRoot = fileURLToPath(new URL('../..', import.meta.url));
const installTimeoutMs = 300_000;

/**
 * Runs this command on a Node from the npm registry, with the same arguments, terminal and signals. Installs that Node
 * into `node_modules/.cache` if missing. Exits with the child's exit code, or with 1 and a message if no such Node is
 * available.
 *
 * @param {string} [version]
 * @returns {Promise<never>}
 */
export async function handOver(version = pinnedNode) {
  if (!/^\d+\.\d+\.\d+$/.test(version)) {
    return giveUp(`TURNPIKE_NODE is ${JSON.stringify(version)}; it must be a version of Node such as ${pinnedNode}.`);
  }
  const folder = path.join(repositoryRoot, 'node_modules', '.cache', `node-${version}`);
  const binary = nodeIn(folder);
  console.error(
    `This is Node ${process.versions.node}. Continuing with Node ${version}${fs.existsSync(binary) ? '' : ', which is installed first'}.`,
  );
  if (!fs.existsSync(binary)) install(folder, version);
  return runOn(binary);
}

/**
 * Returns the npm package that contains Node's binary for a machine.
 *
 * @param {string} [platform]
 * @param {string} [arch]
 */
export function packageOfNode(platform = process.platform, arch = process.arch) {
  return `node-${platform === 'win32' ? 'win' : platform}-${arch}`;
}

/** @param {string} folder */
function nodeIn(folder) {
  return path.join(folder, 'node_modules', packageOfNode(), 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
}

/**
 * Installs into a temporary folder and renames it, so that an interrupted install never looks complete.
 *
 * @param {string} folder
 * @param {string} version
 */
function install(folder, version) {
  const beside = `${folder}.${process.pid}`;
  fs.mkdirSync(beside, { recursive: true });
  fs.writeFileSync(path.join(beside, 'package.json'), '{"private":true}\n');
  const npm = process.env.npm_execpath?.endsWith('npm-cli.js') ? [process.execPath, process.env.npm_execpath] : ['npm'];
  const args = [
    ...npm.slice(1),
    'install',
    `${packageOfNode()}@${version}`,
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  const { status, stderr, error } = spawnSync(String(npm[0]), args, {
    cwd: beside,
    encoding: 'utf8',
    timeout: installTimeoutMs,
  });
  if (status === 0 && fs.existsSync(nodeIn(beside))) {
    fs.rmSync(folder, { recursive: true, force: true });
    fs.renameSync(beside, folder);
    return;
  }
  fs.rmSync(beside, { recursive: true, force: true });
  const reason = (error?.message ?? stderr ?? '').trim().split('\n').slice(0, 3).join('\n');
  giveUp(
    `Node ${version} could not be installed from the npm registry. Install Node 24.15 or newer from https://nodejs.org and run the same command again.\n${reason}`,
  );
}

/** @param {string} binary @returns {Promise<never>} */
function runOn(binary) {
  const env = {
    ...process.env,
    [LAUNCHER_VARIABLE]: String(process.pid),
    PATH: `${path.dirname(binary)}${path.delimiter}${process.env.PATH ?? ''}`,
  };
  const child = spawn(binary, [...process.execArgv, ...process.argv.slice(1)], { stdio: 'inherit', env });
  // The terminal also sends Ctrl-C to the child, so this process passes on only other signals.
  process.on('SIGINT', () => {});
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGHUP'])) process.on(signal, () => child.kill(signal));
  return new Promise(() => {
    child.once('error', (error) => giveUp(`Node could not be started from ${binary}: ${error.message}`));
    child.once('exit', (code, signal) => process.exit(code ?? 128 + (signal ? os.constants.signals[signal] : 0)));
  });
}

/** @param {string} sentence @returns {never} */
function giveUp(sentence) {
  console.error(sentence);
  process.exit(1);
}
