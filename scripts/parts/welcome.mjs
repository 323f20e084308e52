/** @typedef {import('./gateway-process.mjs').ReadyMessage} ReadyMessage */
/** @typedef {import('./progress.mjs').Paint} Paint */

/**
 * What a start knows besides what the gateway says of itself.
 *
 * @typedef {object} StartFacts
 * @property {string} [adminOptions] options that make `npm run admin` use the same data and configuration
 * @property {{given: string[], missing: string[]}} [networks] slugs with an upstream of the operator's, and without
 */

const widthMax = 88;

/**
 * The lines that a start ends with: where the console is, a command to paste,
 * and what is not the real thing.
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
      paint.dim('The key of the demo account, for the samples in the README:'),
      '',
      `export TURNPIKE_KEY=${ready.demoKey}`,
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
    const many = `${ready.standIns.length} networks are stand-ins: local chains of this machine, with nothing of value on them.`;
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
      `${missing.length} networks have none and answer 500 until configured, for example by ${variable}=https://…`,
    ),
  ];
}

/**
 * A curl line that asks a network for its newest block.
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
 * Sets words with commas between into lines.
 *
 * @param {string[]} words
 * @param {number} indent blanks before each line
 * @param {number} width characters of a line at most
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
