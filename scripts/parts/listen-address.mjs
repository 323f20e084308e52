import net from 'node:net';

import { UsageError } from './command-line.mjs';

/**
 * Returns the address to listen on: from the options, else PORT and HOST, else port 3000 on loopback.
 *
 * @param {{port?: string, host?: string}} options
 * @param {Record<string, string | undefined>} [env]
 * @returns {{port: number, host: string}}
 * @throws {UsageError} if the port is invalid
 */
export function listenAddress(options, env = process.env) {
  const text = options.port ?? (env.PORT || '3000');
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) throw new UsageError(`"${text}" is not a port: give a number from 0 to 65535.`);
  return { port, host: options.host ?? (env.HOST || '127.0.0.1') };
}

/**
 * Checks before a long build that the address is free.
 *
 * @param {{port: number, host: string}} address
 * @throws {UsageError} that says what to do
 */
export async function requireFreeAddress({ port, host }) {
  const code = await tryListening(port, host);
  if (code === undefined) return;
  const where = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  if (code === 'EADDRINUSE') {
    throw new UsageError(
      `Port ${port} is in use on ${host}. Stop the program that uses it, or choose another port, as in PORT=${port === 65_535 ? 3000 : port + 1} npm start.`,
    );
  }
  if (code === 'EACCES')
    throw new UsageError(`This user is not allowed to listen on ${where}. Choose a port from 1024 on.`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    throw new UsageError(
      `"${host}" is not an address of this machine. Set HOST to one of its addresses, or to 0.0.0.0 for all.`,
    );
  }
  throw new UsageError(`Cannot listen on ${where} (${code}).`);
}

/** @param {{port: number, host: string}} address */
export async function isFree({ port, host }) {
  return (await tryListening(port, host)) === undefined;
}

/** Returns a free loopback port. @returns {Promise<number>} */
export function freePort() {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = address && typeof address === 'object' ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}

/**
 * @param {number} port
 * @param {string} host
 * @returns {Promise<string | undefined>} the error code, if listening failed
 */
function tryListening(port, host) {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', (/** @type {NodeJS.ErrnoException} */ error) => resolve(error.code ?? error.message));
    server.listen(port, host, () => server.close(() => resolve(undefined)));
  });
}
