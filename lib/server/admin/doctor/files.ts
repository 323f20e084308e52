import { constants } from 'node:fs';
import { access, readFile, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fault, type Finding, ok, warning } from './finding';

const GIB = 1024 ** 3;
const MIB = 1024 ** 2;
const ROOM_LOW_BYTES = 2 * GIB;
const ROOM_FAULT_BYTES = 256 * MIB;
const OTHERS = 0o077;
const SECRET_FILES = ['secret', 'turnpike.db', 'turnpike.db-wal'];

/** Checks that the data folder is writable, private to this user, and on a disk with free space. Never throws. */
export async function lookAtDataFolder(dataDir: string): Promise<Finding[]> {
  const folder = await stat(dataDir).catch(() => null);
  if (!folder) return [await lookAtMissing(dataDir), ...(await lookAtRoom(await nearestFolder(dataDir)))];
  if (!folder.isDirectory()) return [fault('dataDir', `${dataDir} is not a folder.`, 'Set dataDir to a folder.')];
  const writable = await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  if (!writable)
    return [
      fault(
        'dataDir',
        `${dataDir} cannot be written by this user.`,
        `Make the user of the gateway its owner: \`chown\`.`,
      ),
    ];
  const secrets = await Promise.all(
    SECRET_FILES.map(async (name) => ({ name, mode: (await stat(join(dataDir, name)).catch(() => null))?.mode })),
  );
  const open = secrets.filter(
    ({ mode }) => mode !== undefined && (mode & OTHERS) !== 0 && (folder.mode & OTHERS) !== 0,
  );
  const findings =
    open.length > 0
      ? [
          fault(
            'dataDir',
            `Other users of this machine can read ${open.map(({ name }) => name).join(', ')} in ${dataDir}.`,
            `chmod 700 ${dataDir}`,
          ),
        ]
      : (folder.mode & OTHERS) !== 0
        ? [warning('dataDir', `Other users of this machine can list ${dataDir}.`, `chmod 700 ${dataDir}`)]
        : [ok('dataDir', `Only this user can access ${dataDir}.`)];
  return [...findings, ...(await lookAtRoom(dataDir))];
}

/** Checks that other users cannot read a configuration file with secrets. Never throws. */
export async function lookAtConfigFile(file: string | null): Promise<Finding[]> {
  if (file === null) return [];
  const [facts, text] = await Promise.all([stat(file).catch(() => null), readFile(file, 'utf8').catch(() => '')]);
  if (!facts || (facts.mode & OTHERS) === 0 || !holdsSecret(text)) return [ok('configuration', `${file} was read.`)];
  return [
    warning(
      'configuration',
      `${file} contains unencrypted secrets, and other users of this machine can read it.`,
      `Run chmod 600 ${file}, or take the secrets from variables as \${NAME}.`,
    ),
  ];
}

function holdsSecret(text: string): boolean {
  return (
    /"(key|secret|privateKey|secretAccessKey|authorization)"\s*:\s*"(?![^"]*\$\{)[^"]+"/i.test(text) ||
    /"https?:\/\/[^"@/]+:[^"@/$]+@/.test(text)
  );
}

async function lookAtMissing(dataDir: string): Promise<Finding> {
  const parent = await nearestFolder(dataDir);
  const writable = await access(parent, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  if (writable) return ok('dataDir', `${dataDir} is created at the first start.`);
  return fault(
    'dataDir',
    `${dataDir} does not exist and cannot be created, because this user cannot write to ${parent}.`,
    'Create the folder, and make the user of the gateway its owner.',
  );
}

async function nearestFolder(path: string): Promise<string> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if ((await stat(folder).catch(() => null)) || folder === dirname(folder)) return folder;
  }
}

async function lookAtRoom(folder: string): Promise<Finding[]> {
  const disk = await statfs(folder).catch(() => null);
  if (!disk) return [];
  const bytes = disk.bavail * disk.bsize;
  const sentence = `${(bytes / GIB).toFixed(1)} GiB are free on the disk of ${folder}.`;
  const remedy = 'Free some space: the gateway refuses paid calls when the disk is full.';
  if (bytes < ROOM_FAULT_BYTES) return [fault('disk', sentence, remedy)];
  return [bytes < ROOM_LOW_BYTES ? warning('disk', sentence, remedy) : ok('disk', sentence)];
}
