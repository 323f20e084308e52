/** @typedef {import('./gateway-process.mjs').ReadyMessage} ReadyMessage */
/** @typedef {import('./progress.mjs').Paint} Paint */

/**
 * The lines that a start ends with: where the console is, a command to paste,
 * and what is not the real thing.
 *
 * @param {ReadyMessage} ready
 * @param {Paint} paint
 * @returns {string}
 */
export function welcome(ready, paint) {
  const lines = ['', `${paint.bold('Turnpike')} is ready, ${ready.profile} profile.`, ''];
  lines.push(`${paint.dim('Console')}    ${paint.cyan(ready.url)}`, '');
  if (ready.demoKey && ready.exampleNetwork) {
    lines.push(paint.dim('A metered call, ready to paste:'), '', exampleCall(ready), '');
  } else if (ready.profile === 'live') {
    lines.push('An API key:  npm run admin -- accounts create --help', '');
  }
  const standIns = (ready.standIns ?? []).map((entry) =>
    typeof entry === 'string' ? entry : [entry.name, entry.detail].filter(Boolean).join(': '),
  );
  if (standIns.length > 0) {
    lines.push(paint.dim('Stand-ins, which run on this machine and hold nothing of value:'));
    lines.push(...standIns.map((text) => `  ${paint.yellow('·')} ${text}`), '');
  }
  lines.push(paint.dim('Ctrl-C stops it and everything it started.'), '');
  return lines.join('\n');
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
