import { createHmac, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import { NETWORKS, SANDBOX_TESTNET } from '@/lib/protocol/networks';
import { SANDBOX_CONTRACT_NETWORKS, SANDBOX_CONTRACTS } from '@/lib/protocol/sandbox-contracts';
import { SPEECH_MODEL_IDS } from '@/lib/protocol/speech/speech-models';
import { STAND_IN_EMBEDDING_MODEL } from '@/lib/sandbox/embeddings/embeddings-server';
import { STAND_IN_IMAGE_MODEL } from '@/lib/sandbox/images/images-server';
import { sandboxModels } from '@/lib/sandbox/inference/sandbox-models';
import { launchSandbox } from '@/lib/sandbox/launch';
import { type DeriveKey, prepareSandboxRail, sandboxRails, sandboxWithdrawals } from '@/lib/sandbox/payment-rails';
import { auditReload } from './lib/server/admin/audit';
import { embeddingsConfig, embeddingsSchema } from '@/lib/server/config/embeddings';
import { Faults } from '@/lib/server/config/faults';
import { imagesConfig, imagesSchema } from '@/lib/server/config/images';
import { inferenceConfig, inferenceSchema } from '@/lib/server/config/inference';
import { type Config, readConfig } from '@/lib/server/config/load';
import { paymentsConfig, paymentsSchema } from '@/lib/server/config/payments';
import { Secret } from '@/lib/server/config/secret';
import { speechConfig, speechSchema } from '@/lib/server/config/speech';
import { stakingSchema } from '@/lib/server/config/staking';
import { videoConfig, videoSchema } from '@/lib/server/config/video';
import type { StandIns } from '@/lib/server/api/capabilities/sandbox';
import { createGateway, type Gateway } from '@/lib/server/create-gateway';
import { narrowDataFolder } from '@/lib/server/db/sqlite/private-file';
import { setServedApi } from '@/lib/server/http/served-api';
import { MetricsServer } from '@/lib/server/telemetry/metrics-server';
import { createLog } from '@/lib/server/telemetry/log';
import { listenForReloads } from './reloading';

const PORT_MAX = 65_535;

/**
 * Starts the gateway: database, background jobs and, in the sandbox, the simulators.
 * @param port port that the gateway listens on; by default, the port in the environment
 * @throws ConfigError, DataFolderInUse, DatabaseOfOtherProfile, or the simulators' start error
 */
export async function boot(port?: number): Promise<Gateway> {
  const { config: loaded, source } = readConfig(process.env, process.cwd());
  const config: Config = port === undefined ? loaded : { ...loaded, port };
  const log = createLog(config.log.level);
  for (const warning of config.warnings) log.warn({ warning }, 'configuration warning');
  for (const file of narrowDataFolder(config.dataDir))
    log.warn(
      { file, dataDir: config.dataDir },
      'a file in the data folder was readable by other users; its mode is 600 now',
    );
  // Disposal stops the listener for reload commands, then the metrics server, the gateway and the simulators.
  const opened = new AsyncDisposableStack();
  try {
    const { standIns, complete } =
      config.profile === 'sandbox' ? await openStandIns(config, log, opened) : WITHOUT_STAND_INS;
    const gateway = await createGateway(await complete(config), standIns, log, { opened });
    await serveMetrics(gateway, opened);
    const reloads = await listenForReloads({
      log,
      dataDir: config.dataDir,
      source,
      takeOver: async (next, changed) => gateway.reload(await complete({ ...next, port: config.port }), changed),
      audit: (said) => auditReload(gateway.db, said),
      status: () => gateway.figures(),
    });
    opened.defer(() => reloads.close());
    setServedApi(gateway);
    return gateway;
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

async function serveMetrics({ config, metrics, log }: Gateway, opened: AsyncDisposableStack): Promise<void> {
  if (config.adminListener === null) return;
  const server = new MetricsServer(
    metrics,
    { ...config.adminListener, names: config.publicUrls.map((url) => new URL(url).hostname) },
    (error) => log.error({ err: error }, 'collecting metrics failed'),
  );
  const port = await server.listen();
  opened.defer(() => server.close());
  log.info({ host: config.adminListener.host, port }, 'metrics listener started');
}

interface Completing {
  standIns: StandIns | null;
  complete(config: Config): Promise<Config>;
}

const WITHOUT_STAND_INS: Completing = { standIns: null, complete: (config) => Promise.resolve(config) };

async function openStandIns(config: Config, log: Logger, opened: AsyncDisposableStack): Promise<Completing> {
  const sandbox = await openSandbox(config, log);
  opened.defer(() => sandbox.close());
  const secret = config.secret ?? installationSecret(config.dataDir);
  const { standIns: networks } = withStandIns(config, sandbox.url);
  const derive: DeriveKey = (label) => createHmac('sha256', secret.reveal()).update(`turnpike ${label}`).digest();
  const complete = async (read: Config): Promise<Config> => {
    const now = withStandIns(read, sandbox.url);
    if (!isDeepStrictEqual(now.standIns, networks))
      throw new Error(
        'Upstreams were added to or removed from networks with stand-ins. In the sandbox this change needs a restart.',
      );
    const signIn = { ...read.signIn, chainIds: [...read.signIn.chainIds, Number(SANDBOX_TESTNET.chainId)] };
    return {
      ...read,
      secret,
      networks: now.networks,
      signIn,
      staking: withContracts(read.staking, networks),
      payments: withRails(read.payments, networks, derive),
      inference: await withModels(read.inference, sandbox.url),
      video: withVideo(read.video, sandbox.url),
      speech: withSpeech(read.speech, sandbox.url),
      embeddings: withEmbeddings(read.embeddings, sandbox.url),
      images: withImages(read.images, sandbox.url),
    };
  };
  const standIns: StandIns = {
    url: sandbox.url,
    networks,
    demoSecret: secret.reveal(),
    prepareRail: ({ network, rpcNetwork }) =>
      networks.has(rpcNetwork) ? prepareSandboxRail(sandbox.url, network, derive) : Promise.resolve(),
  };
  return { standIns, complete };
}

/**
 * Starts the simulators as a child process. If SANDBOX_URL is set, uses the simulators that run there and never stops
 * them.
 */
async function openSandbox(config: Config, log: Logger): Promise<{ url: string; close(): Promise<void> }> {
  const running = process.env.SANDBOX_URL;
  if (running) return { url: running.replace(/\/$/, ''), close: () => Promise.resolve() };
  return launchSandbox({
    dataDir: join(config.dataDir, 'sandbox'),
    entryFile: join(/* turbopackIgnore: true */ process.cwd(), 'dist', 'sandbox.mjs'),
    // @solana/web3.js expects the WebSocket at the HTTP port plus 1.
    webSocketPort: config.port > 0 && config.port < PORT_MAX ? config.port + 1 : null,
    log,
  });
}

/** Adds a simulated chain to every EVM and Solana network that has no upstream. */
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

function withRails(
  payments: Config['payments'],
  standIns: StandIns['networks'],
  derive: DeriveKey,
): Config['payments'] {
  if (payments.rails.length > 0) return payments;
  const rails = sandboxRails(derive).filter(({ rpcNetwork }) => standIns.has(rpcNetwork));
  const standIn = paymentsConfig(paymentsSchema.parse({ rails, withdrawals: sandboxWithdrawals(derive) }));
  return { ...payments, rails: standIn.rails, withdrawals: payments.withdrawals ?? standIn.withdrawals };
}

/**
 * Adds the sandbox's models and the root certificate of its simulated enclave, unless the operator configures model
 * servers.
 */
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

function withEmbeddings(embeddings: Config['embeddings'], url: string): Config['embeddings'] {
  if (embeddings.upstreams.length > 0) return embeddings;
  const { id, ...model } = STAND_IN_EMBEDDING_MODEL;
  const { upstreams, models } = embeddingsConfig(
    embeddingsSchema.parse({
      upstreams: [{ name: 'stand-in', url: `${url}/embeddings/v1` }],
      models: { [id]: { ...model, supportsDimensions: true } },
    }),
    {},
    new Faults(),
  );
  return { ...embeddings, upstreams, models };
}

function withImages(images: Config['images'], url: string): Config['images'] {
  if (images.upstreams.length > 0) return images;
  const { id, ...model } = STAND_IN_IMAGE_MODEL;
  const { upstreams, models } = imagesConfig(
    imagesSchema.parse({ upstreams: [{ name: 'stand-in', url: `${url}/images/v1` }], models: { [id]: model } }),
    {},
    new Faults(),
  );
  return { ...images, upstreams, models };
}

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

/**
 * Returns the secret of a sandbox that is configured without one. Creates the secret once, in a file that only its
 * owner can read.
 */
function installationSecret(dataDir: string): Secret {
  const file = join(/* turbopackIgnore: true */ dataDir, 'secret');
  if (!existsSync(file)) {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    writeFileSync(file, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' });
  }
  return new Secret(readFileSync(file, 'utf8').trim());
}
