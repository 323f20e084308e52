/** @typedef {import('./gateway-process.mjs').ReadyMessage} ReadyMessage */
/** @typedef {import('./progress.mjs').Paint} Paint */

/**
 * Facts about a start that the gateway's ready message does not contain.
 *
 * @typedef {object} StartFacts
 * @property {string} [adminOptions] options that make `npm run admin` use the same data and configuration
 * @property {{given: string[], missing: string[]}} [networks] slugs of networks with and without an operator's upstream
 */

const widthMax = 88;

/**
 * Returns the last lines that a start prints: the console's address, a command to paste, and which networks are
 * simulated.
 *
 * @param {ReadyMessage} ready
 * @param {Paint} paint
 * @param {StartFacts} [facts]
 * @returns {string}
 */
export function welcome(ready, paint, { adminOptions = '', networks } = {}) {
  const lines = ['', `${paint.bold('Turnpike')} is ready, ${ready.profile} profile.`, ''];
  lines.push(`${paint.dim('Console')}    ${paint.cyan(ready.url)}`, '');
  if (ready.demoKey && ready.exampleNetwork) {
    lines.push(
      paint.dim('API key of the demo account, for the examples in the README:'),
      '',
      `export TURNPIKE_API_KEY=${ready.demoKey}`,
      '',
    );
    lines.push(paint.dim('A metered call, ready to paste:'), '', exampleCall(ready), '');
  } else if (ready.profile === 'live') {
    lines.push(
      `An API key:  npm run admin -- accounts create --label NAME --usd 5 --keys${adminOptions && ` ${adminOptions}`}`,
      '',
    );
    if (networks) lines.push(...liveNetworks(networks, paint), '');
  }
  if (ready.standIns?.length) {
    const many = `${ready.standIns.length} networks are stand-ins: local chains on this machine, without any value.`;
    lines.push(paint.yellow(many), ...wrap(ready.standIns, 2, widthMax).map(paint.dim), '');
  }
  lines.push(paint.dim('Ctrl-C stops it and everything it started.'), '');
  return lines.join('\n');
}

/** @param {{given: string[], missing: string[]}} networks @param {Paint} paint */
function liveNetworks({ given, missing }, paint) {
  const head = given.length ? `With an upstream (${given.length}):` : 'No network has an upstream yet.';
  const lines = [head, ...wrap(given, 2, widthMax)];
  const [example] = missing;
  if (!example) return lines;
  const variable = `RPC_${example.toUpperCase().replaceAll('-', '_')}`;
  return [
    ...lines,
    paint.yellow(
      `${missing.length} networks have no upstream and answer 500 until configured, for example with ${variable}=https://…`,
    ),
  ];
}

/**
 * Returns a curl command that requests the newest block of a network.
 *
 * @param {Pick<ReadyMessage, 'url' | 'demoKey' | 'exampleNetwork'>} ready
 */
export function exampleCall({ url, demoKey, exampleNetwork }) {
  const body = '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}';
  return [
    `curl -i ${url}/api/v1/crypto/rpc/${exampleNetwork}`,
    `-H "Authorization: Bearer ${demoKey}"`,
    '-H "Content-Type: application/json"',
    `-d '${body}'`,
  ].join(' ');
}

/**
 * Wraps comma-separated words into lines.
 *
 * @param {string[]} words
 * @param {number} indent spaces before each line
 * @param {number} width maximum characters per line
 * @returns {string[]}
 */
function wrap(words, indent, width) {
  const margin = ' '.repeat(indent);
  /** @type {string[]} */
  const lines = [];
  words.forEach((word, index) => {
    const text = index < words.length - 1 ? `${word},` : word;
    const last = lines.at(-1);
    if (last !== undefined && last.length + text.length + 1 <= width) lines[lines.length - 1] = `${last} ${text}`;
    else lines.push(margin + text);
  });
  return lines;
}
