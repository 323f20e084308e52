import { createHmac, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import { NETWORKS, SANDBOX_TESTNET } from '@/lib/protocol/networks';
import { SANDBOX_CONTRACT_NETWORKS, SANDBOX_CONTRACTS } from '@/lib/protocol/sandbox-contracts';
import { SPEECH_MODEL_IDS } from '@/lib/protocol/speech/speech-models';
import { sandboxModels } from '@/lib/sandbox/inference/sandbox-models';
import { launchSandbox } from '@/lib/sandbox/launch';
import { type DeriveKey, prepareSandboxRail, sandboxRails } from '@/lib/sandbox/payment-rails';
import { auditReload } from '@/lib/server/admin/audited';
import { Faults } from '@/lib/server/config/faults';
import { inferenceConfig, inferenceSchema } from '@/lib/server/config/inference';
import { type Config, readConfig } from '@/lib/server/config/load';
import { paymentsConfig, paymentsSchema } from '@/lib/server/config/payments';
import { Secret } from '@/lib/server/config/secret';
import { speechConfig, speechSchema } from '@/lib/server/config/speech';
import { stakingSchema } from '@/lib/server/config/staking';
import { videoConfig, videoSchema } from '@/lib/server/config/video';
import { createGateway, type Gateway, type StandIns } from '@/lib/server/create-gateway';
import { narrowDataFolder } from '@/lib/server/db/sqlite/private-file';
import { setServedApi } from '@/lib/server/http/served-api';
import { MetricsServer } from '@/lib/server/telemetry/metrics-server';
import { createLog } from '@/lib/server/telemetry/log';
import { bootOnce } from './booted';
import { listenForReloads } from './reloading';

const PORT_MAX = 65_535;

/**
 * Starts the gateway once in this process, whichever entry comes first: store, background jobs and, in the sandbox,
 * the stand-ins. The profile is looked at here and nowhere else; what comes out is a set of upstreams.
 * @param port the port in use, where the entry knows better than the environment.
 * @throws ConfigError, DataFolderInUse, DatabaseOfOtherProfile, or what kept the stand-ins from starting.
 */
export function boot(port?: number): Promise<Gateway> {
  return bootOnce(() => start(port));
}

async function start(port: number | undefined): Promise<Gateway> {
  const { config: loaded, source } = readConfig(process.env, process.cwd());
  const config: Config = port === undefined ? loaded : { ...loaded, port };
  const log = createLog(config.log.level);
  for (const warning of config.warnings) log.warn(`doubtful in the configuration: ${warning}`);
  for (const file of narrowDataFolder(config.dataDir))
    log.warn({ file, dataDir: config.dataDir }, 'file of the data folder was readable by others, mode set to 600');
  const { gateway: bare, complete } =
    config.profile === 'sandbox'
      ? await startSandboxed(config, log)
      : { gateway: await createGateway(config, null, log), complete: (next: Config) => Promise.resolve(next) };
  const gateway = await withMetrics(bare);
  const takeOver = async (next: Config, changed: readonly string[]): Promise<void> => {
    // Whoever serves looks into this one object with every call.
    Object.assign(gateway, await gateway.takeOver(await complete({ ...next, port: config.port }), changed));
  };
  const reloads = await listenForReloads({
    log,
    dataDir: config.dataDir,
    source,
    takeOver,
    audit: (said) => auditReload(gateway.db, said),
    status: () => gateway.figures(),
  });
  const { close } = gateway;
  gateway.close = async () => {
    await reloads.close();
    await close();
  };
  setServedApi(gateway);
  return gateway;
}

/** Serves metrics where the operator wants them, until the gateway is closed. */
async function withMetrics(gateway: Gateway): Promise<Gateway> {
  const { config, metrics, log } = gateway;
  if (config.adminListener === null) return gateway;
  const server = new MetricsServer(
    metrics,
    { ...config.adminListener, names: config.publicUrls.map((url) => new URL(url).hostname) },
    (error) => log.error({ err: error }, 'metrics could not be read'),
  );
  try {
    const port = await server.listen();
    log.info(`metrics are served on port ${port} of ${config.adminListener.host}`);
  } catch (error) {
    await gateway.close();
    throw error;
  }
  return {
    ...gateway,
    close: async () => {
      await gateway.close();
      await server.close();
    },
  };
}

/** A gateway that runs, and what makes the configuration that it uses of one that was read. */
interface Started {
  gateway: Gateway;
  complete(config: Config): Promise<Config>;
}

async function startSandboxed(config: Config, log: Logger): Promise<Started> {
  const sandbox = await openSandbox(config, log);
  const secret = config.secret ?? installationSecret(config.dataDir);
  const { standIns } = withStandIns(config, sandbox.url);
  const derive: DeriveKey = (label) => createHmac('sha256', secret.reveal()).update(`turnpike ${label}`).digest();
  const complete = async (read: Config): Promise<Config> => {
    const { networks, standIns: now } = withStandIns(read, sandbox.url);
    if (!isDeepStrictEqual(now, standIns))
      throw new Error(
        'Networks that stand-ins serve were given upstreams, or lost them: in the sandbox that needs a restart.',
      );
    const signIn = { ...read.signIn, chainIds: [...read.signIn.chainIds, Number(SANDBOX_TESTNET.chainId)] };
    const payments = withRails(read.payments, standIns, derive);
    const inference = await withModels(read.inference, sandbox.url);
    return {
      ...read,
      secret,
      networks,
      signIn,
      staking: withContracts(read.staking, standIns),
      payments,
      inference,
      video: withVideo(read.video, sandbox.url),
      speech: withSpeech(read.speech, sandbox.url),
    };
  };
  try {
    const gateway = await createGateway(
      await complete(config),
      {
        url: sandbox.url,
        networks: standIns,
        demoSecret: secret.reveal(),
        prepareRail: ({ network, rpcNetwork }) =>
          standIns.has(rpcNetwork) ? prepareSandboxRail(sandbox.url, network, derive) : Promise.resolve(),
      },
      log,
    );
    const { close } = gateway;
    gateway.close = async () => {
      await close();
      await sandbox.close();
    };
    return { gateway, complete };
  } catch (error) {
    await sandbox.close();
    throw error;
  }
}

/** The stand-ins' process: our own child, or one that runs already and outlives us (SANDBOX_URL). */
async function openSandbox(config: Config, log: Logger): Promise<{ url: string; close(): Promise<void> }> {
  const running = process.env.SANDBOX_URL;
  if (running) return { url: running.replace(/\/$/, ''), close: () => Promise.resolve() };
  return launchSandbox({
    dataDir: join(config.dataDir, 'sandbox'),
    entryFile: join(/* turbopackIgnore: true */ process.cwd(), 'dist', 'sandbox.mjs'),
    // Where @solana/web3.js looks for the WebSocket of an address that has our port.
    webSocketPort: config.port > 0 && config.port < PORT_MAX ? config.port + 1 : null,
    log,
  });
}

/** Every EVM and Solana network without an upstream of its own gets a stand-in chain. */
function withStandIns(config: Config, url: string): { networks: Config['networks']; standIns: StandIns['networks'] } {
  const networks = { ...config.networks };
  const standIns = new Set<string>();
  for (const { slug, kind } of [...NETWORKS, SANDBOX_TESTNET]) {
    if (kind === 'starknet' || (networks[slug]?.upstreams.length ?? 0) > 0) continue;
    networks[slug] = { ...networks[slug], upstreams: [{ url: new Secret(`${url}/${kind}/${slug}`), headers: {} }] };
    standIns.add(slug);
  }
  return { networks, standIns };
}

/** The sandbox's own contracts, where the operator names no others, on those of their networks that have a stand-in. */
function withContracts(staking: Config['staking'], standIns: StandIns['networks']): Config['staking'] {
  if (staking.deployments.length > 0) return staking;
  const { stakeToken, staking: stakePool, dailyCreditToken, dailyCreditPool } = SANDBOX_CONTRACTS;
  const networks = SANDBOX_CONTRACT_NETWORKS.filter((slug) => standIns.has(slug));
  const deployments = networks.map((network, index) => ({
    network,
    primary: index === 0,
    stakeToken,
    staking: stakePool,
    dailyCreditToken,
    dailyCreditPool,
  }));
  return stakingSchema.parse({ ...staking, deployments });
}

/** The sandbox's own rails, where the operator names no others, on those chains that have a stand-in. */
function withRails(
  payments: Config['payments'],
  standIns: StandIns['networks'],
  derive: DeriveKey,
): Config['payments'] {
  if (payments.rails.length > 0) return payments;
  const rails = sandboxRails(derive).filter(({ rpcNetwork }) => standIns.has(rpcNetwork));
  return { ...payments, rails: paymentsConfig(paymentsSchema.parse({ rails })).rails };
}

/** The sandbox's own models, where the operator names no upstream of others, with the root of its simulated enclave. */
async function withModels(inference: Config['inference'], url: string): Promise<Config['inference']> {
  if (inference.upstreams.length > 0) return inference;
  const { upstreams, models, attestation } = inferenceConfig(
    inferenceSchema.parse(await sandboxModels(url)),
    {},
    new Faults(),
  );
  const roots = [...inference.attestation.roots, ...attestation.roots.filter(({ isSimulated }) => isSimulated)];
  return {
    ...inference,
    upstreams,
    models: new Map([...models, ...inference.models]),
    attestation: { ...inference.attestation, roots },
  };
}

/** The sandbox's embedded voice for all models, where the operator names no upstream for speech. */
function withSpeech(speech: Config['speech'], url: string): Config['speech'] {
  if (speech.upstreams.length > 0) return speech;
  const standIn = {
    name: 'embedded',
    url: `${url}/speech/v1`,
    engine: 'eSpeak NG (stand-in)',
    formats: ['wav'],
    models: [...SPEECH_MODEL_IDS],
  };
  return {
    ...speech,
    upstreams: speechConfig(speechSchema.parse({ upstreams: [standIn] }), {}, new Faults()).upstreams,
  };
}

/** The sandbox's own renderer, where the operator names no upstream for video. */
function withVideo(video: Config['video'], url: string): Config['video'] {
  if (video.upstreams.length > 0) return video;
  return {
    ...video,
    upstreams: videoConfig(
      videoSchema.parse({ upstreams: [{ name: 'stand-in', url: `${url}/video/v1` }] }),
      {},
      new Faults(),
    ).upstreams,
  };
}

/** The secret of a sandbox whose operator gave none: made at first start, readable by its owner only. */
function installationSecret(dataDir: string): Secret {
  const file = join(/* turbopackIgnore: true */ dataDir, 'secret');
  if (!existsSync(file)) {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    writeFileSync(file, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' });
  }
  return new Secret(readFileSync(file, 'utf8').trim());
}
