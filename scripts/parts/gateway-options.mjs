import path from 'node:path';

import { UsageError } from './command-line.mjs';
import { listenAddress } from './listen-address.mjs';
import { inRepository } from './repository.mjs';

/** The options that `npm start` and `npm run dev` share, as `util.parseArgs` takes them. */
export const gatewayOptions = /** @type {const} */ ({
  profile: { type: 'string' },
  port: { type: 'string', short: 'p' },
  host: { type: 'string' },
  config: { type: 'string', short: 'c' },
  data: { type: 'string' },
});

/** Their part of a help text. */
export const gatewayOptionsHelp = `
  --profile NAME   sandbox (local stand-ins, the default) or live (only what is
                   configured)                            TURNPIKE_PROFILE
  -p, --port N     port, 3000 unless given                PORT
  --host ADDRESS   address to listen on, 127.0.0.1 unless given; 0.0.0.0 serves
                   other machines too                     HOST
  -c, --config F   configuration file, turnpike.config.json where there is one
                                                          TURNPIKE_CONFIG
  --data DIR       folder of the database and the stand-ins' state, data unless
                   given                                  TURNPIKE_DATA_DIR
  -h, --help       this text

The variable behind an option does the same; the option wins.`;

/**
 * Turns the options into the environment that the gateway reads.
 *
 * @param {Partial<Record<keyof typeof gatewayOptions, string | boolean | undefined>>} values
 * @returns {{address: {port: number, host: string}, env: Record<string, string>}} paths are absolute
 * @throws {UsageError} for a profile or port that does not exist
 */
export function gatewayEnvironment(values) {
  const { profile, port, host, config, data } = /** @type {Record<string, string | undefined>} */ (values);
  if (profile !== undefined && profile !== 'sandbox' && profile !== 'live') {
    throw new UsageError(`"${profile}" is no profile: it is sandbox or live.`);
  }
  const address = listenAddress({ port, host });
  // npm changes to the repository; people name files from where they typed.
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
 * The options that make `npm run admin` work on the data and the configuration
 * of a gateway, typed in any shell and folder.
 *
 * @param {Record<string, string | undefined>} env of the gateway
 * @returns {string} empty where the usual ones are in use
 */
export function adminOptionsFor({ TURNPIKE_DATA_DIR: data, TURNPIKE_CONFIG: config }) {
  // A relative path in the environment starts from where the gateway runs.
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
