import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { SANDBOX_CONTRACTS, SANDBOX_USDC_MINT } from '@/lib/protocol/sandbox-contracts';
import { meantFamily, type WalletFamily } from '@/lib/protocol/wallet-address';
import { fundEverywhere, parseAddress } from '../evm/faucet';
import type { Chains } from '@/lib/sandbox/evm/chain';
import { hasContracts } from '../evm/tokens';
import { enclaveStatus, rotateKey, sendHpkeKeys, setTampering } from '../inference/enclave-control';
import type { EmbeddingsServer } from '../embeddings/embeddings-server';
import { answerImages } from '../images/images-server';
import type { Inference } from '../inference/create-inference';
import type { StandInPlace } from '../inference/models';
import type { SandboxLog } from '../log';
import { parseSolanaAddress } from '../solana/address';
import { fundSolana } from '../solana/faucet';
import type { SolanaNetworks } from '@/lib/sandbox/solana/network';
import { answerRpc } from '../solana/rpc/answer';
import type { SolanaWebSocket } from '../solana/websocket/server';
import type { SpeechServer } from '../speech/speech-server';
import { answerVideo, setStudioFailure } from '../video/video-server';
import type { VideoStudio } from '../video/video-studio';
import { forward } from './forward';
import { isLocalHost } from './local-host';
import { readBody } from './read-body';
import { Refusal, sendJson, sendRefusal, sendText } from './refusal';

const FAUCET_BODY_BYTES_MAX = 16 * 1024;
const NO_CONTRACTS = Object.fromEntries(Object.keys(SANDBOX_CONTRACTS).map((contract) => [contract, null]));

export interface StandIns {
  chains: Chains;
  solana: SolanaNetworks;
  solanaWebSocket: SolanaWebSocket;
  inference: Inference;
  speech: SpeechServer;
  embeddings: EmbeddingsServer;
  video: VideoStudio;
}

type Handler = (request: IncomingMessage, response: ServerResponse, slug: string) => Promise<void> | void;

/**
 * Creates the sandbox's HTTP server, for the gateway on the same machine. The server does not listen yet.
 *
 * - `POST /evm/{network}`: JSON-RPC, passed unchanged to that network's chain.
 * - `POST /solana/{network}`: JSON-RPC of that network's simulated chain. As a WebSocket: its subscriptions.
 * - `/guide/v1/…`: OpenAI's chat API over the documentation.
 * - `/enclave/v1/…`: the same API in the simulated enclave, with attestation, signatures and encryption in the protocol
 *   of NEAR AI and Phala. `/near/v1/…` uses ed25519 keys; `/tinfoil/v1/…` uses Tinfoil's protocol.
 * - `/chutes/v1/…`: OpenAI's chat API in the simulated Chutes. Chutes' API for encrypted chats is at `/chutes/e2e/…`
 *   and `/chutes/chutes/…`.
 * - `GET /enclave`: the enclave's root and address. `PUT /enclave/tampering {"tampering"}`: falsifies its attestations.
 *   `PUT /enclave/rotation`: new keys. `GET /enclave/.well-known/hpke-keys`: the key for encrypting whole bodies.
 * - `/speech/v1/…`: OpenAI's speech API over eSpeak NG.
 * - `/embeddings/v1/…`: OpenAI's embeddings over hashed words.
 * - `/images/v1/…`: OpenAI's image generations, drawn like the simulated videos.
 * - `/video/v1/…`: videos, in the gateway's own protocol. `PUT /video/failure {"failure"}` makes them fail.
 * - `GET /status`: the chains, whether they run, and their contracts.
 * - `POST /faucet {"address"}`: funds an EVM address with 100 native units and the sandbox's tokens, or a Solana
 *   address with 100 SOL and 100 USDC.
 *
 * Most errors are `{"error": sentence, "code"}`.
 */
export function createSandboxServer(standIns: StandIns, log: SandboxLog): Server {
  const { chains, solana, solanaWebSocket } = standIns;
  const routes: readonly { pattern: RegExp; method: string; handle: Handler }[] = [
    {
      pattern: /^\/evm\/(?<slug>[^/]+)$/,
      method: 'POST',
      handle: (request, response, slug) => callChain(chains, slug, request, response),
    },
    {
      pattern: /^\/solana\/(?<slug>[^/]+)$/,
      method: 'POST',
      handle: (request, response, slug) => callSolana(solana, slug, request, response, log),
    },
    {
      pattern: /^\/enclave$/,
      method: 'GET',
      handle: (_request, response) => sendJson(response, 200, enclaveStatus(standIns.inference)),
    },
    {
      pattern: /^\/enclave\/\.well-known\/hpke-keys$/,
      method: 'GET',
      handle: (_request, response) => sendHpkeKeys(standIns.inference, response),
    },
    {
      pattern: /^\/enclave\/tampering$/,
      method: 'PUT',
      handle: (request, response) => setTampering(standIns.inference, request, response),
    },
    {
      pattern: /^\/enclave\/rotation$/,
      method: 'PUT',
      handle: (_request, response) => rotateKey(standIns.inference, response),
    },
    {
      pattern: /^\/video\/failure$/,
      method: 'PUT',
      handle: (request, response) => setStudioFailure(standIns.video, request, response),
    },
    {
      pattern: /^\/status$/,
      method: 'GET',
      handle: (_request, response) => sendJson(response, 200, statusOf(standIns)),
    },
    { pattern: /^\/faucet$/, method: 'POST', handle: (request, response) => giveFunds(standIns, request, response) },
  ];
  const places = Object.keys(standIns.inference.servers);
  const inferencePath = new RegExp(`^/(?<place>${places.join('|')})/v1(?<rest>/.+)$`);
  const route = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    refuseForeignHost(request);
    const path = request.url?.split('?', 1)[0] ?? '/';
    const inference = inferencePath.exec(path)?.groups;
    if (inference)
      return standIns.inference.servers[inference['place'] as StandInPlace].handle(
        request,
        response,
        inference['rest'] ?? '',
      );
    const control = /^\/chutes(?<rest>\/(?:e2e|chutes)\/.+)$/.exec(path)?.groups;
    if (control) return standIns.inference.chutes.handle(request, response, control['rest'] ?? '');
    const speech = /^\/speech\/v1(?<rest>\/.+)$/.exec(path)?.groups;
    if (speech) return standIns.speech.handle(request, response, speech['rest'] ?? '');
    const embeddings = /^\/embeddings\/v1(?<rest>\/.+)$/.exec(path)?.groups;
    if (embeddings) return standIns.embeddings.handle(request, response, embeddings['rest'] ?? '');
    const images = /^\/images\/v1(?<rest>\/.+)$/.exec(path)?.groups;
    if (images) return answerImages(request, response, images['rest'] ?? '');
    const video = /^\/video\/v1(?<rest>\/.+)$/.exec(path)?.groups;
    if (video) return answerVideo(standIns.video, request, response, video['rest'] ?? '');
    for (const { pattern, method, handle } of routes) {
      const match = pattern.exec(path);
      if (match === null) continue;
      if (request.method !== method)
        throw new Refusal(405, 'METHOD_NOT_ALLOWED', `This path supports only ${method}.`, { allow: method });
      return handle(request, response, match.groups?.['slug'] ?? '');
    }
    throw new Refusal(
      404,
      'NOT_FOUND',
      `There is nothing at this path. The sandbox has POST /evm/{network}, POST /solana/{network}, GET /status, POST /faucet, ${[...places, 'speech', 'embeddings', 'images'].map((place) => `/${place}/v1`).join(', ')} and /video/v1.`,
    );
  };
  // Keeps idle connections longer than clients do, so that no request arrives on a connection that the server is closing.
  const server = createServer({ keepAliveTimeout: 75_000, requestTimeout: 60_000 }, (request, response) => {
    route(request, response).catch((error: unknown) => sendRefusal(response, refusalOf(error, request, log)));
  });
  return server.on('upgrade', (request, socket, head) => solanaWebSocket.upgrade(request, socket, head));
}

function refusalOf(error: unknown, request: IncomingMessage, log: SandboxLog): Refusal {
  if (error instanceof Refusal) return error;
  log.warn(`${request.method} ${request.url?.slice(0, 200)} failed: ${(error as Error).stack ?? String(error)}`);
  return new Refusal(500, 'INTERNAL', 'The sandbox failed to answer; its log says why.');
}

function refuseForeignHost(request: IncomingMessage): void {
  if (!isLocalHost(request.headers.host))
    throw new Refusal(421, 'WRONG_HOST', 'The sandbox accepts only the host names 127.0.0.1 and localhost.');
}

async function callChain(
  chains: Chains,
  slug: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chain = chains.get(slug);
  if (chain === undefined)
    throw new Refusal(404, 'UNKNOWN_NETWORK', 'There is no stand-in chain with this name. GET /status lists them.');
  const body = await readBody(request);
  const running = await chain.ready().catch((error: Error) => {
    throw new Refusal(502, 'CHAIN_UNAVAILABLE', `The stand-in chain ${slug} could not start: ${error.message}`);
  });
  await forward(running, body, response);
}

async function callSolana(
  networks: SolanaNetworks,
  slug: string,
  request: IncomingMessage,
  response: ServerResponse,
  log: SandboxLog,
): Promise<void> {
  const network = networks.get(slug);
  if (network === undefined)
    throw new Refusal(404, 'UNKNOWN_NETWORK', 'There is no stand-in chain with this name. GET /status lists them.');
  const body = await readBody(request);
  const chain = await network.ready().catch((error: Error) => {
    throw new Refusal(502, 'CHAIN_UNAVAILABLE', `The stand-in chain ${slug} could not be opened: ${error.message}`);
  });
  sendText(response, 200, await answerRpc(chain, body, log));
}

/** Each function throws a Refusal for an invalid address. */
const FUND: Readonly<Record<WalletFamily, (standIns: StandIns, address: string) => Promise<object>>> = {
  evm: ({ chains }, address) => fundEverywhere(chains, parsed(parseAddress, address)),
  solana: ({ solana }, address) => fundSolana(solana, parsed(parseSolanaAddress, address)),
};

async function giveFunds(standIns: StandIns, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const address = readAddress(await readBody(request, FAUCET_BODY_BYTES_MAX));
  const receipt = await FUND[meantFamily(address)](standIns, address).catch((error: Error) => {
    throw new Refusal(502, 'FAUCET_FAILED', `The faucet could not fund the address: ${error.message}`);
  });
  sendJson(response, 200, receipt);
}

function readAddress(body: Buffer): string {
  let request: unknown;
  try {
    request = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new Refusal(400, 'INVALID_JSON', 'The body is not valid JSON.');
  }
  if (typeof request !== 'object' || request === null || Array.isArray(request)) {
    throw new Refusal(400, 'INVALID_REQUEST', 'The body must be an object: {"address": "0x…"}.');
  }
  const { address } = request as { address?: unknown };
  if (typeof address === 'string') return address;
  throw new Refusal(
    400,
    'INVALID_ADDRESS',
    'The address must be a string: 0x and 40 hexadecimal digits, or a Solana address in base58.',
  );
}

function parsed<Address>(parse: (text: string) => Address, text: string): Address {
  try {
    return parse(text);
  } catch (error) {
    throw new Refusal(400, 'INVALID_ADDRESS', (error as Error).message);
  }
}

function statusOf({ chains, solana }: StandIns) {
  const evm = [...chains.values()].map((chain) => {
    const { slug, chainId } = chain.network;
    return {
      network: slug,
      chainId,
      started: chain.started,
      contracts: hasContracts(chain) ? SANDBOX_CONTRACTS : NO_CONTRACTS,
    };
  });
  return {
    evm,
    solana: [...solana.values()].map(({ network, started }) => ({
      network: network.slug,
      started,
      usdcMint: SANDBOX_USDC_MINT,
    })),
  };
}
