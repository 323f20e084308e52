import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { base58 } from '@scure/base';
import { privateKeyToAccount } from 'viem/accounts';
import { sandboxModels } from '@/lib/sandbox/inference/sandbox-models';
import { type DeriveKey, prepareSandboxRail, sandboxRails } from '@/lib/sandbox/payment-rails';
import { ClientBench } from '../lying/client-bench';
import type { Generation } from '../lying/call-outcome';
import { LyingUpstreams } from '../lying-upstreams/lying-upstreams';
import { BASE, callRpc, standInChains, SOLANA, TESTNET } from '../chains/chains';
import type { Target } from '../target';
import { Facilitator, solanaPublicKey } from './facilitator';
import { type Started, startGateway, startStandIns } from './gateway-process';
import { Recorder } from './recorder';

/**
 * Parts that this program can start: the client with a lying gateway, a gateway with lying upstreams, and gateways in
 * several set-ups.
 */
export const STAGES = ['client', 'upstreams', 'sandbox', 'live', 'live-remote'] as const;
export type StageName = (typeof STAGES)[number];
type GatewayStage = Exclude<StageName, 'client' | 'upstreams'>;

/** All started targets, and a function that stops them. */
export interface Stage {
  targets: Target[];
  stop(): Promise<void>;
}

const NAMES: Record<GatewayStage, string> = {
  sandbox: 'sandbox profile',
  live: 'live profile, settling in its own process',
  'live-remote': 'live profile, settled by a remote facilitator',
};
/** The client's verifier needs no gateway. */
const VERIFIER: Target = {
  name: "the client's own verifier, against a gateway that lies",
  url: '',
  profile: 'verifier',
  key: null,
  chains: null,
  own: null,
};
/** Interval at which blocks are mined, because contract calls see the time of the last block. */
const BLOCK_MS = 15_000;
/** Maximum time that a payer waits. No attack that leaves a payment open needs more. */
const ANSWER_WITHIN_MS = 6_000;
/** Trusts this program as the proxy in front of the gateway, so that each attack can have its own address. */
const BEHIND_PROXY = { trustProxyHops: 1 };

/**
 * Starts simulated chains and models, and built gateways that use them. Each gateway sends its requests through its own
 * recorder. Data folders are temporary.
 */
export async function openStage(
  names: readonly StageName[],
  generation: Generation,
  progress: (text: string) => void,
): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-attack-'));
  const running: { stop(): Promise<void> }[] = [];
  const stop = async (): Promise<void> => {
    for (const each of running.reverse()) await each.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  const track = <Part extends { stop(): Promise<void> }>(part: Part): Part => {
    running.push(part);
    return part;
  };
  try {
    const targets: Target[] = [VERIFIER];
    if (names.includes('client'))
      targets.push({
        ...VERIFIER,
        name: 'the client, against a gateway that lies',
        profile: 'client',
        client: { bench: track(new ClientBench()), generation },
      });
    if (names.includes('upstreams')) {
      progress('starting a gateway whose upstreams lie');
      targets.push(await openLiedTo(join(folder, 'upstreams'), generation, track));
    }
    const gateways = names.filter((name) => name !== 'client' && name !== 'upstreams');
    if (gateways.length === 0) return { targets, stop };
    progress('starting stand-in chains and models');
    const standIns = track(await startStandIns(folder));
    track(keepTime(standIns.url));
    for (const name of gateways) {
      progress(`starting a gateway: ${NAMES[name]}`);
      targets.push(await openTarget(name, standIns, join(folder, name), track));
    }
    return { targets, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function openTarget(
  name: GatewayStage,
  standIns: Started,
  folder: string,
  track: <Part extends { stop(): Promise<void> }>(part: Part) => Part,
): Promise<Target> {
  const recorder = track(await Recorder.start(standIns.url));
  const chains = standInChains(standIns.url);
  const secret = `the attacked ${name} has nothing to hide`;
  const derive: DeriveKey = (label) => createHmac('sha256', secret).update(`turnpike ${label}`).digest();
  const evmKey = privateKeyToAccount(`0x${Buffer.from(derive('payments evm facilitator')).toString('hex')}`);
  const solanaSeed = Uint8Array.from(derive('payments solana facilitator'));
  for (const { caip2 } of [BASE, TESTNET, SOLANA]) await prepareSandboxRail(standIns.url, caip2, derive);
  const facilitator =
    name === 'live-remote'
      ? track(
          await Facilitator.start(
            chains,
            privateKeyToAccount(`0x${Buffer.from(derive('somebody else, evm')).toString('hex')}`),
            Uint8Array.from(derive('somebody else, solana')),
          ),
        )
      : null;
  const config = name === 'sandbox' ? sandboxConfig(recorder.url) : await liveConfig(recorder.url, derive, facilitator);
  const env: Record<string, string> = {
    TURNPIKE_SECRET: secret,
    ...(name === 'sandbox' && { SANDBOX_URL: recorder.url }),
  };
  const gateway = track(
    await startGateway({
      folder,
      profile: name === 'sandbox' ? 'sandbox' : 'live',
      config: { ...BEHIND_PROXY, ...config },
      env,
    }),
  );
  return {
    name: NAMES[name],
    url: gateway.url,
    profile: name === 'sandbox' ? 'sandbox' : 'live',
    key: gateway.keys[0] ?? null,
    chains,
    own: {
      restart: () => gateway.restart(),
      grant: (wallet) => gateway.grant(wallet),
      dataDir: gateway.dataDir,
      recorder,
      facilitator,
      settlers: facilitator ? null : { evm: evmKey.address, solana: base58.encode(solanaPublicKey(solanaSeed)) },
    },
  };
}

/** Starts a gateway with a 1 GB heap and short timeouts. This program simulates all its upstreams. */
async function openLiedTo(
  folder: string,
  generation: Generation,
  track: <Part extends { stop(): Promise<void> }>(part: Part) => Part,
): Promise<Target> {
  const upstreams = track(await new LyingUpstreams().start());
  const { url } = upstreams;
  const patience = {
    connectTimeoutMs: 1_000,
    firstByteTimeoutMs: 1_200,
    failoverTimeoutMs: 1_200,
    idleTimeoutMs: 1_000,
  };
  const config = {
    ...BEHIND_PROXY,
    limits: {
      rpcRequestsPerMinute: { staff: null },
      rpcCreditsPerDay: { staff: null },
      requestsPerMinute: 1_000_000,
      attestationsAtATime: 64,
    },
    networks: { 'ethereum-mainnet': { upstreams: [`${url}/node`], chainIdentity: false } },
    rpc: { timeoutMs: 1_200, attemptTimeoutMs: 1_200 },
    inference: {
      ...patience,
      chatUpstreams: [{ name: 'liar', url: `${url}/v1` }],
      enclaveUpstreams: [{ name: 'enclave', url: `${url}/enclave/v1` }],
    },
    speech: {
      ...patience,
      concurrency: 64,
      upstreams: [{ name: 'voice', url: `${url}/speech/v1`, models: ['tts-kokoro'] }],
      models: { 'tts-kokoro': { usdPerMillionCharacters: '15' } },
    },
  };
  const gateway = track(
    await startGateway({
      folder,
      profile: 'live',
      config,
      env: {
        TURNPIKE_SECRET: 'the gateway that is lied to has nothing to hide',
        NODE_OPTIONS: '--max-old-space-size=1024',
      },
    }),
  );
  return {
    name: 'a gateway, against nodes and model servers that lie',
    url: gateway.url,
    profile: 'lied-to',
    key: gateway.keys[0] ?? null,
    chains: null,
    own: null,
    liedTo: { upstreams, generation, pid: () => gateway.pid },
  };
}

/** In both profiles, the recorder simulates the Ethereum node. */
function scriptedNode(url: string): object {
  return { 'ethereum-mainnet': { upstreams: [`${url}/scripted`], chainIdentity: false } };
}

function sandboxConfig(recorderUrl: string): object {
  return { networks: scriptedNode(recorderUrl), payments: { answerWithinMs: ANSWER_WITHIN_MS } };
}

async function liveConfig(recorderUrl: string, derive: DeriveKey, facilitator: Facilitator | null): Promise<object> {
  const networks = Object.fromEntries([
    [BASE.slug, { upstreams: [`${recorderUrl}/evm/${BASE.slug}`] }],
    [TESTNET.slug, { upstreams: [`${recorderUrl}/evm/${TESTNET.slug}`] }],
    // A simulated chain has its own genesis, so its identity is not checked.
    [SOLANA.slug, { upstreams: [`${recorderUrl}/solana/${SOLANA.slug}`], chainIdentity: false }],
  ]);
  const rails = sandboxRails(derive).map((rail) => ({
    ...rail,
    // The sandbox's own chain uses the default number of confirmations of live chains, which one attack tests.
    ...(rail.network === TESTNET.caip2 && { confirmations: undefined }),
    ...(facilitator && { facilitator: { url: facilitator.url } }),
  }));
  return {
    networks: { ...networks, ...scriptedNode(recorderUrl) },
    payments: { rails, resumeIntervalMs: 500, answerWithinMs: ANSWER_WITHIN_MS },
    inference: await sandboxModels(recorderUrl),
  };
}

function keepTime(standInsUrl: string): { stop(): Promise<void> } {
  const timer = setInterval(() => {
    for (const { slug } of [BASE, TESTNET])
      void callRpc(`${standInsUrl}/evm/${slug}`, 'evm_mine').catch(() => undefined);
  }, BLOCK_MS);
  return { stop: () => Promise.resolve(clearInterval(timer)) };
}
