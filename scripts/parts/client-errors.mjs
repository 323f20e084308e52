import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { pathToFileURL } from 'node:url';

import { createSolanaRpc } from '@solana/kit';
import { Connection } from '@solana/web3.js';
import { build } from 'esbuild';
import { FetchRequest, JsonRpcProvider, Network } from 'ethers';
import OpenAI from 'openai';
import { createPublicClient, http } from 'viem';
import { mainnet } from 'viem/chains';

import { inRepository, repositoryRoot } from './repository.mjs';

/** One error code for each status that clients must distinguish. */
const CODES = [
  'INVALID_REQUEST',
  'INVALID_API_KEY',
  'INSUFFICIENT_BALANCE',
  'MODEL_NOT_FOUND',
  'BODY_TOO_LARGE',
  'MINUTE_CAP',
  'UPSTREAM_FAILED',
  'MODEL_BUSY',
  'MODEL_TIMEOUT',
];

const CURL_TIMEOUT_MS = 10_000;
const SHOWN_CHARACTERS_MAX = 340;
const run = promisify(execFile);

/**
 * Calls of client libraries. Their errors are printed as a developer would see them.
 *
 * @type {Record<string, (url: string) => Promise<unknown>>}
 */
const CLIENTS = {
  openai: (url) =>
    new OpenAI({ baseURL: url, apiKey: 'sk', maxRetries: 0 }).chat.completions.create({ model: 'guide', messages: [] }),
  viem: (url) => createPublicClient({ chain: mainnet, transport: http(url, { retryCount: 0 }) }).getBlockNumber(),
  'ethers 6': async (url) => {
    const request = new FetchRequest(url);
    request.retryFunc = async () => false;
    request.setThrottleParams({ maxAttempts: 1 });
    const provider = new JsonRpcProvider(request, Network.from(1), { staticNetwork: true, batchMaxCount: 1 });
    return provider.send('eth_blockNumber', []).finally(() => provider.destroy());
  },
  '@solana/kit': (url) => createSolanaRpc(url).getSlot().send(),
  '@solana/web3.js': (url) => new Connection(url, { disableRetryOnRateLimit: true }).getSlot(),
  'curl -f': (url) =>
    run('curl', ['-fsS', url], { timeout: CURL_TIMEOUT_MS }).catch(({ stderr }) => Promise.reject(new Error(stderr))),
};

/**
 * Calls a server that answers with the gateway's errors, through each client.
 *
 * @returns {Promise<string>} text of `docs/client-errors.md`
 */
export async function renderClientErrors() {
  const { startErrorGateway, ERRORS } = await errorGateway();
  const gateway = await startErrorGateway();
  try {
    const parts = [];
    for (const code of CODES) {
      const rows = [];
      for (const [client, call] of Object.entries(CLIENTS))
        rows.push(`| ${client} | ${cell(await shownBy(() => call(`${gateway.url}/${code}`)), gateway.url)} |`);
      parts.push(
        `## ${ERRORS[code].status} \`${code}\`\n\n| client | what its error says |\n|---|---|\n${rows.join('\n')}\n`,
      );
    }
    return `${HEAD}\n${parts.join('\n')}`;
  } finally {
    gateway.close();
  }
}

const HEAD = `# What client libraries show of an error

\`npm run client-errors\` writes this page: each library calls a server that answers with the gateway's own errors. An answer says what to do in \`error\`, beside \`code\`, \`hint\` and \`docs\`, and more briefly in HTTP/1.1's reason phrase. Most libraries show one of these; the rest is in \`error.error\` of openai, \`error.cause\` of viem, \`error.info\` of ethers.
`;

async function errorGateway() {
  const outfile = inRepository('node_modules', '.cache', 'error-gateway.mjs');
  await build({
    absWorkingDir: repositoryRoot,
    stdin: {
      contents: `export { startErrorGateway } from '@/test/error-gateway'; export { ERRORS } from '@/lib/protocol/errors';`,
      resolveDir: repositoryRoot,
      loader: 'ts',
    },
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node22',
    tsconfig: 'tsconfig.json',
    logLevel: 'warning',
  });
  return import(`${pathToFileURL(outfile).href}?${Date.now()}`);
}

/** @param {() => Promise<unknown>} call */
async function shownBy(call) {
  try {
    await call();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  throw new Error('A client took an error for an answer.');
}

/**
 * @param {string} text
 * @param {string} url URL of the server; its port differs in each run
 */
function cell(text, url) {
  const line = text
    .replaceAll(url, 'https://gateway.example')
    .replace(/\s+/g, ' ')
    .replaceAll(/(request-?id"?: ?"?)[\w-]+/gi, '$1…')
    .replaceAll(/"date": ?"[^"]*"/g, '"date": "…"')
    .trim();
  const shown = line.length > SHOWN_CHARACTERS_MAX ? `${line.slice(0, SHOWN_CHARACTERS_MAX)}…` : line;
  return `\`\` ${shown.replaceAll('|', '\\|').replaceAll('``', '`')} \`\``;
}
