import path from 'node:path';

import { UsageError } from './command-line.mjs';
import { listenAddress } from './listen-address.mjs';
import { inRepository } from './repository.mjs';

/** Options of both `npm start` and `npm run dev`, in the form of `util.parseArgs`. */
export const gatewayOptions = /** @type {const} */ ({
  profile: { type: 'string' },
  port: { type: 'string', short: 'p' },
  host: { type: 'string' },
  config: { type: 'string', short: 'c' },
  data: { type: 'string' },
});

export const gatewayOptionsHelp = `
  --profile NAME   sandbox (local stand-ins, the default) or live (only what is
                   configured)                            TURNPIKE_PROFILE
  -p, --port N     port, 3000 by default                  PORT
  --host ADDRESS   address to listen on, 127.0.0.1 by default; 0.0.0.0 serves
                   other machines too                     HOST
  -c, --config F   configuration file, by default turnpike.config.json if it exists
                                                          TURNPIKE_CONFIG
  --data DIR       folder of the database and the stand-ins' state, by default
                   data                                   TURNPIKE_DATA_DIR
  -h, --help       this text

The variable next to an option has the same effect. The option takes precedence.`;

/**
 * Converts the options to the environment variables that the gateway reads.
 *
 * @param {Partial<Record<keyof typeof gatewayOptions, string | boolean | undefined>>} values
 * @returns {{address: {port: number, host: string}, env: Record<string, string>}} paths are absolute
 * @throws {UsageError} for an unknown profile or an invalid port
 */
export function gatewayEnvironment(values) {
  const { profile, port, host, config, data } = /** @type {Record<string, string | undefined>} */ (values);
  if (profile !== undefined && profile !== 'sandbox' && profile !== 'live') {
    throw new UsageError(`"${profile}" is not a profile. Use sandbox or live.`);
  }
  const address = listenAddress({ port, host });
  // npm runs scripts in the repository's folder, but an operator's paths are relative to the folder in which npm was
  // called.
  const typedIn = process.env.INIT_CWD ?? process.cwd();
  return {
    address,
    env: {
      PORT: String(address.port),
      HOST: address.host,
      ...(profile && { TURNPIKE_PROFILE: profile }),
      ...(config && { TURNPIKE_CONFIG: path.resolve(typedIn, config) }),
      ...(data && { TURNPIKE_DATA_DIR: path.resolve(typedIn, data) }),
    },
  };
}

/**
 * Returns options with which `npm run admin` uses a gateway's data and configuration from any shell and folder.
 *
 * @param {Record<string, string | undefined>} env the gateway's environment
 * @returns {string} empty if the gateway uses the defaults
 */
export function adminOptionsFor({ TURNPIKE_DATA_DIR: data, TURNPIKE_CONFIG: config }) {
  // A relative path in the environment is relative to the gateway's folder.
  const from = inRepository();
  return [
    data && `--data ${quoted(path.resolve(from, data))}`,
    config && `--config ${quoted(path.resolve(from, config))}`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** @param {string} word for a POSIX shell */
function quoted(word) {
  return /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
