import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { parseAddress } from '../evm/address';
import type { Chains } from '../evm/chains';
import { fundEverywhere } from '../evm/faucet';
import type { SandboxLog } from '../log';
import { forward } from './forward';
import { readBody } from './read-body';
import { Refusal, sendJson, sendRefusal } from './refusal';

const FAUCET_BODY_BYTES_MAX = 16 * 1024;

type Handler = (request: IncomingMessage, response: ServerResponse, slug: string) => Promise<void> | void;

/**
 * The sandbox's HTTP, for the gateway on the same machine:
 *
 * - `POST /evm/{network}`: JSON-RPC, passed to that network's chain and back as it is.
 * - `GET /status`: the chains, which of them run, and what stands on them.
 * - `POST /faucet {"address"}`: 100 native units on the sandbox's chain and on every chain that runs.
 *
 * Errors are `{"error": sentence, "code"}` with a status that fits. The server does not listen yet.
 */
export function createSandboxServer(chains: Chains, log: SandboxLog): Server {
  const routes: readonly { pattern: RegExp; method: string; handle: Handler }[] = [
    { pattern: /^\/evm\/(?<slug>[^/]+)$/, method: 'POST', handle: (request, response, slug) => callChain(chains, slug, request, response) },
    { pattern: /^\/status$/, method: 'GET', handle: (_request, response) => sendJson(response, 200, statusOf(chains)) },
    { pattern: /^\/faucet$/, method: 'POST', handle: (request, response) => giveFunds(chains, request, response) },
  ];
  const route = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    refuseForeignHost(request);
    const path = request.url?.split('?', 1)[0] ?? '/';
    for (const { pattern, method, handle } of routes) {
      const match = pattern.exec(path);
      if (match === null) continue;
      if (request.method !== method) throw new Refusal(405, 'METHOD_NOT_ALLOWED', `This path answers ${method} only.`, { allow: method });
      return handle(request, response, match.groups?.['slug'] ?? '');
    }
    throw new Refusal(404, 'NOT_FOUND', 'There is nothing at this path. The sandbox has POST /evm/{network}, GET /status and POST /faucet.');
  };
  // Idle connections are kept longer than clients keep them, so that none is closed under a request.
  return createServer({ keepAliveTimeout: 75_000, requestTimeout: 60_000 }, (request, response) => {
    route(request, response).catch((error: unknown) => sendRefusal(response, refusalOf(error, request, log)));
  });
}

function refusalOf(error: unknown, request: IncomingMessage, log: SandboxLog): Refusal {
  if (error instanceof Refusal) return error;
  log.warn(`${request.method} ${request.url?.slice(0, 200)} failed: ${(error as Error).stack ?? String(error)}`);
  return new Refusal(500, 'INTERNAL', 'The sandbox failed to answer; its log says why.');
}

/** A page may have its own name resolve to this machine, and would then be of this server's origin. */
function refuseForeignHost(request: IncomingMessage): void {
  const name = request.headers.host?.replace(/:\d+$/, '');
  if (name !== '127.0.0.1' && name !== 'localhost') throw new Refusal(421, 'WRONG_HOST', 'The sandbox answers as 127.0.0.1 and localhost only.');
}

async function callChain(chains: Chains, slug: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chain = chains.get(slug);
  if (chain === undefined) throw new Refusal(404, 'UNKNOWN_NETWORK', 'There is no stand-in chain of this name. GET /status lists them.');
  const body = await readBody(request);
  const { pool } = await chain.ready().catch((error: Error) => {
    throw new Refusal(502, 'CHAIN_UNAVAILABLE', `The stand-in chain ${slug} could not start: ${error.message}`);
  });
  await forward(pool, body, response);
}

async function giveFunds(chains: Chains, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const address = readAddress(await readBody(request, FAUCET_BODY_BYTES_MAX));
  const receipt = await fundEverywhere(chains, address).catch((error: Error) => {
    throw new Refusal(502, 'FAUCET_FAILED', `The faucet could not fund the address: ${error.message}`);
  });
  sendJson(response, 200, receipt);
}

function readAddress(body: Buffer) {
  let request: unknown;
  try {
    request = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new Refusal(400, 'INVALID_JSON', 'The body is not valid JSON.');
  }
  if (typeof request !== 'object' || request === null || Array.isArray(request)) {
    throw new Refusal(400, 'INVALID_REQUEST', 'The body must be an object: {"address": "0x…"}.');
  }
  try {
    return parseAddress((request as { address?: unknown }).address);
  } catch (error) {
    throw new Refusal(400, 'INVALID_ADDRESS', (error as Error).message);
  }
}

/** Contracts and the Solana stand-in are null until there are some. */
function statusOf(chains: Chains) {
  const contracts = { usdc: null, stakeToken: null, staking: null, creditToken: null, creditStaking: null };
  const evm = [...chains.values()].map(({ network, started }) => ({ network: network.slug, chainId: network.chainId, started, contracts }));
  return { evm, solana: null };
}
