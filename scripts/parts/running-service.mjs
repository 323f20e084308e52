import { setTimeout as sleep } from 'node:timers/promises';

/** @typedef {import('./gateway-process.mjs').ReadyMessage} ReadyMessage */

/**
 * What a gateway tells anybody on this machine.
 *
 * @typedef {object} Service
 * @property {string} reached origin by which it was asked
 * @property {{demoKey: string, evm: {rpcUrl: string}[]}} [sandbox] of GET /api/sandbox; none in live
 * @property {{networks: {network: string}[]}} health of GET /api/network-health
 */

/**
 * Waits until a gateway answers on an address. For gateways that have no IPC
 * channel to this process.
 *
 * @param {{host: string, port: number}} address
 * @returns {Promise<Service>}
 */
export async function waitForService({ host, port }) {
  const reached = originOf(host, port);
  for (;;) {
    const sandbox = await answerOf(`${reached}/api/sandbox`);
    const health = await answerOf(`${reached}/api/network-health`);
    // Until its routes are compiled the development server answers 5xx. The live profile has no sandbox.
    if (sandbox && health?.body) return { reached, sandbox: sandbox.body, health: health.body };
    await sleep(250);
  }
}

/** @param {string} url @returns {Promise<{body: any} | undefined>} body is undefined where there is none to read */
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
 * What the gateway would say of itself through an IPC channel.
 *
 * @param {Service} service
 * @param {readonly string[]} given slugs of the networks that the operator gave an upstream
 * @returns {ReadyMessage}
 */
export function readyMessage({ reached, sandbox, health }, given) {
  const served = health.networks.map(({ network }) => network).sort();
  if (!sandbox) return { type: 'ready', url: reached, profile: 'live' };
  // The gateway knows by which name people reach it.
  const url = sandbox.evm[0]?.rpcUrl.replace(/\/api\/sandbox\/rpc\/.*$/, '') ?? reached;
  const exampleNetwork = served.includes('ethereum-mainnet') ? 'ethereum-mainnet' : served[0];
  const standIns = served.filter((network) => !given.includes(network));
  return { type: 'ready', url, profile: 'sandbox', demoKey: sandbox.demoKey, exampleNetwork, standIns };
}

/**
 * The origin under which this machine reaches a gateway that listens on `host`.
 * @param {string} host
 * @param {number} port
 */
export function originOf(host, port) {
  const local = ['127.0.0.1', '0.0.0.0', '::', '::1'].includes(host);
  const name = local ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}
