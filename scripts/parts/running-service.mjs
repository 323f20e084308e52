import { setTimeout as sleep } from 'node:timers/promises';

/** @typedef {import('./gateway-process.mjs').ReadyMessage} ReadyMessage */

/**
 * Information that a gateway gives to any caller on this machine.
 *
 * @typedef {object} Service
 * @property {string} reached origin at which the gateway answered
 * @property {{demoKey: string, evm: {rpcUrl: string}[]}} [sandbox] body of GET /api/sandbox; undefined in the live
 * profile
 * @property {{networks: {network: string}[]}} health body of GET /api/network-health
 */

/**
 * Waits until a gateway answers on an address. Used for gateways that have no IPC channel to this process.
 *
 * @param {{host: string, port: number}} address
 * @returns {Promise<Service>}
 */
export async function waitForService({ host, port }) {
  const reached = originOf(host, port);
  for (;;) {
    // The development server answers 5xx while its routes compile, and 404 before the gateway has started. Once the
    // health is readable, a 404 for /api/sandbox means the live profile.
    const health = await answerOf(`${reached}/api/network-health`);
    const sandbox = health?.body && (await answerOf(`${reached}/api/sandbox`));
    if (sandbox) return { reached, sandbox: sandbox.body, health: health.body };
    await sleep(250);
  }
}

/** @param {string} url @returns {Promise<{body: any} | undefined>} body is undefined if it is unreadable */
async function answerOf(url) {
  try {
    const response = await fetch(url);
    if (response.status >= 500) return undefined;
    return { body: response.ok ? await response.json() : undefined };
  } catch {
    return undefined;
  }
}

/**
 * Builds the message that the gateway would have sent over an IPC channel.
 *
 * @param {Service} service
 * @param {readonly string[]} given slugs of the networks with an operator's upstream
 * @returns {ReadyMessage}
 */
export function readyMessage({ reached, sandbox, health }, given) {
  const served = health.networks.map(({ network }) => network).sort();
  if (!sandbox) return { type: 'ready', url: reached, profile: 'live' };
  // The URL of the RPC endpoint begins with the gateway's public origin.
  const url = sandbox.evm[0]?.rpcUrl.replace(/\/api\/sandbox\/rpc\/.*$/, '') ?? reached;
  const exampleNetwork = served.includes('ethereum-mainnet') ? 'ethereum-mainnet' : served[0];
  const standIns = served.filter((network) => !given.includes(network));
  return { type: 'ready', url, profile: 'sandbox', demoKey: sandbox.demoKey, exampleNetwork, standIns };
}

/**
 * Returns the origin at which this machine reaches a gateway that listens on `host`.
 * @param {string} host
 * @param {number} port
 */
export function originOf(host, port) {
  const local = ['127.0.0.1', '0.0.0.0', '::', '::1'].includes(host);
  const name = local ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}
