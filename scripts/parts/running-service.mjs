import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits until a gateway answers on an address and asks it what a start tells
 * about itself. For gateways that have no IPC channel to this process.
 *
 * @param {{host: string, port: number}} address
 * @returns {Promise<import('./gateway-process.mjs').ReadyMessage>}
 */
export async function waitForService({ host, port }) {
  const url = originOf(host, port);
  for (;;) {
    const answer = await fetch(`${url}/api/sandbox`).catch(() => undefined);
    // Until its routes are compiled the development server answers 5xx.
    if (answer && answer.status < 500) return describe(url, answer);
    await sleep(250);
  }
}

/** @param {string} url @param {Response} answer @returns {Promise<import('./gateway-process.mjs').ReadyMessage>} */
async function describe(url, answer) {
  // The live profile has no sandbox to describe.
  if (answer.status !== 200) return { type: 'ready', url, profile: 'live' };
  const { demoKey, evm } = /** @type {{demoKey: string, evm: {network: string}[]}} */ (await answer.json());
  const networks = evm.map(({ network }) => network);
  const exampleNetwork = networks.includes('sandbox-testnet') ? 'sandbox-testnet' : networks[0];
  return { type: 'ready', url, profile: 'sandbox', demoKey, exampleNetwork, standIns: networks };
}

/**
 * The origin under which this machine reaches a gateway that listens on `host`.
 * @param {string} host
 * @param {number} port
 */
export function originOf(host, port) {
  const anyAddress = host === '0.0.0.0' || host === '::';
  const name = anyAddress ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}
