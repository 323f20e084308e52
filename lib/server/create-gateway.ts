import type { Logger } from 'pino';
import { type GatewayFigures, gatewayFiguresSchema } from '@/lib/protocol/gateway-figures';
import type { OperatorFigures } from '@/lib/protocol/operator-figures';
import { parseUsd } from '@/lib/protocol/parse-usd';
import { askGateways } from './admin/control-socket';
import { routes } from './api';
import { pageBrandOf } from './api/brand-images';
import { soldResources } from './api/discovery/bazaar';
import type { Readiness } from './api/probes';
import { SandboxAccess } from './api/sandbox/sandbox-access';
import { gatewayFigures } from './api/gateway-figures';
import { RequestLog } from './api/request-log';
import { RequestMetrics } from './api/request-metrics';
import { measureQueues } from './api/queue-metrics';
import { RequestTraces } from './api/request-traces';
import { RequestWatch } from './api/request-watch';
import { Auth } from './auth/auth';
import { ContractChecks } from './auth/contract-checks';
import type { Mint } from './auth/minting/mint-key';
import { MintTokens } from './auth/minting/mint-tokens';
import { Operators } from './auth/operators';
import { PaymentChallenge } from './auth/payment-challenge';
import { signInRules } from './auth/sign-in-rules';
import { SignInVerifier } from './auth/sign-in-verifier';
import { PersonalSignatures } from './auth/verify-signature';
import { DailyAllocations } from './billing/allocation/daily-allocations';
import type { StakeReader } from './billing/allocation/stake-reader';
import { startForgetting } from './billing/forget-expired';
import { KeyAlerts } from './billing/key-alerts/key-alerts';
import { WebhookSender } from './billing/key-alerts/webhook';
import { ChargeTally, measureBilling } from './billing/billing-metrics';
import { type MeteredStore, meterLimits, openMeteredStore } from './billing/open-metered-store';
import { readBalance } from './billing/usage/read-balance';
import { OpenCalls } from './billing/open-calls';
import { OperatorBooks } from './billing/operator-books';
import { measureStore } from './billing/store-metrics';
import { PaidCalls } from './billing/paid-calls';
import { ReceiptKeys } from './billing/receipts/receipt-keys';
import { ReceiptNotes } from './billing/receipts/receipt-notes';
import { measureHistory } from './billing/requests/history-metrics';
import { RequestHistory } from './billing/requests/request-history';
import { startArchiving } from './billing/retention/ledger-archiver';
import { Chat } from './chat/chat';
import { measureChats } from './chat/chat-times';
import type { Config } from './config/load';
import { askStore } from './db/ask-store';
import { provideDemoAccount } from './db/demo-account';
import { StoreProbe } from './db/store-probe';
import { Embeddings } from './embeddings/embeddings';
import { Drain } from './http/drain';
import { AddressLimiter } from './http/rate-limit/address-limiter';
import { CallerLimiter } from './http/rate-limit/caller-limiter';
import { endpointsOf, type Parts } from './endpoints';
import { HeldMemory } from './http/held-memory/held-memory';
import { Router } from './http/router';
import type { ServedApi } from './http/served-api';
import { Images } from './images/images';
import { PaymentsForCalls } from './payments/call-payments';
import { createPayments, createWithdrawals } from './payments/create-payments';
import { measurePayments } from './payments/payment-metrics';
import type { RailTerms } from './payments/rail-terms';
import { measureNetworks } from './rpc/network-metrics';
import { unreadyNetworks } from './rpc/network-readiness';
import { Speech } from './speech/speech';
import { chainStakeReader } from './staking/chain-stake-reader';
import { PoolTotal } from './staking/pool-total';
import { accountNames } from './telemetry/account-name';
import { Metrics } from './telemetry/metrics';
import { openOtlpTracing } from './telemetry/otlp-tracing';
import { Transcriptions } from './transcriptions/transcriptions';
import { chainRequest } from './upstreams/nodes/network-client';
import { RpcNetworks } from './upstreams/nodes/networks';
import { Video } from './video/video';

/** Timeout of each request that checks a contract wallet's signature on a chain. */
const SIGNATURE_TIMEOUT_MS = 5_000;

/** Simulators of a gateway. */
export interface StandIns {
  url: string;
  /** Slugs of the simulated networks. */
  networks: ReadonlySet<string>;
  /** Secret from which the demo key is derived. */
  demoSecret: string;
  /** Prepares the simulated chain of a rail for a payment. */
  prepareRail?: (rail: RailTerms) => Promise<void>;
}

/** Running gateway, for entries and tests. Functions take single parts, never the whole gateway. */
export interface Gateway extends ServedApi, Parts {
  config: Config;
  /** Public origin of the gateway, for links in answers. */
  origin: string;
  metrics: Metrics;
  history: RequestHistory;
  figures(): GatewayFigures;
  /**
   * Applies changed upstreams, prices and limits of chat and RPC. Running calls end under the old configuration.
   * Changes nothing if it throws.
   * @param changed paths of the changed fields
   * @returns the gateway's members that may change, with their new values
   */
  takeOver(
    config: Config,
    changed: readonly string[],
  ): Promise<Pick<Gateway, 'config' | 'chat' | 'endpoints' | 'router'>>;
  close(): Promise<void>;
}

export interface Substitutes {
  now?: () => number;
  stake?: StakeReader;
  /** False runs SQLite without its checkpoint thread, whose start takes longer than most tests. */
  checkpointThread?: boolean;
}

/**
 * Opens the database, creates the parts, and builds every endpoint from the parts it needs.
 * @throws ConfigError, DataFolderInUse, DatabaseUnreachable or DatabaseOfOtherProfile; nothing stays open then
 */
export async function createGateway(
  config: Config,
  standIns: StandIns | null,
  log: Logger,
  substitutes: Substitutes = {},
): Promise<Gateway> {
  const store = await openMeteredStore(config, log, substitutes.checkpointThread);
  try {
    return await assemble(store, config, standIns, log, substitutes);
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function assemble(
  { db, meter, status: storeStatus, pools, close }: MeteredStore,
  config: Config,
  standIns: StandIns | null,
  log: Logger,
  { now = Date.now, ...substitutes }: Substitutes,
): Promise<Gateway> {
  const origin = originOf(config);
  const metrics = new Metrics();
  const rules = signInRules(
    {
      publicUrls: config.publicUrls,
      port: config.port,
      chainIds: [...config.signIn.chainIds, ...config.payments.rails.map(({ network }) => network)],
      statement: config.brand.signInStatement,
    },
    origin,
  );
  const memory = new HeldMemory(config.memory);
  const networks = new RpcNetworks(config, standIns?.networks, log, memory);
  const demoKey = standIns && (await provideDemoAccount(db, standIns.demoSecret, config.previousSecret?.reveal()));
  const hasAccount = async (wallet: string): Promise<boolean> => (await meter.findWallet(wallet)) !== null;
  const contractChecks = new ContractChecks({
    perMinute: config.limits.contractSignaturesPerMinutePerIp,
    hasAccount,
    now,
  });
  const signatures = new PersonalSignatures(
    (chainId) => chainRequest(networks, chainId, { timeoutMs: SIGNATURE_TIMEOUT_MS }),
    contractChecks,
  );
  const stopForgetting = startForgetting(db, log, { receiptDays: config.retention.receipts.days });
  const stopArchiving = startArchiving({
    db,
    ledgerDays: config.retention.ledgerDays,
    folder: config.retention.archiveDir,
    now,
    log,
  });
  const webhooks = new WebhookSender(config.secret, config.webhooks, config.previousSecret, config.brand.name);
  const keyAlerts = new KeyAlerts({ db, webhooks, now, log });
  keyAlerts.start();
  const prepare = standIns?.prepareRail;
  const payments = createPayments(config.payments, {
    rpc: networks,
    db,
    log,
    contractChecks,
    exclusive: config.databaseUrl === null,
    ...(prepare ? { prepare } : {}),
  });
  await payments.start();
  const withdrawals = createWithdrawals(config.payments, {
    rpc: networks,
    terms: payments.rails.terms,
    db,
    meter,
    signatures,
    log,
    now,
    exclusive: config.databaseUrl === null,
  });
  await withdrawals.start();
  const video = await Video.open(config, { db, log, now });
  let chat = new Chat(config.inference, log, measureChats(metrics), memory);
  const retired = new Set<Chat>();
  const speech = new Speech(config.speech, log, memory);
  const embeddings = new Embeddings(config.embeddings, log, memory);
  const images = new Images(config.images, log, memory);
  const transcriptions = new Transcriptions(config.transcriptions, config.dataDir, log, memory);
  const stake = substitutes.stake ?? chainStakeReader(networks, config.staking.deployments);
  const allocations = new DailyAllocations({
    meter,
    db,
    stake,
    dailyPoolNanoUsd: parseUsd(config.staking.dailyPoolUsd),
    now,
    log,
  });
  const perCallMinimumNanoUsd = payments.rails.all.length === 0 ? null : perCallMinimum(config);
  const callPayments =
    perCallMinimumNanoUsd === null
      ? null
      : new PaymentsForCalls({
          payments,
          minimumNanoUsd: perCallMinimumNanoUsd,
          refusals: new AddressLimiter(config.limits.publicRequestsPerMinutePerIp),
        });
  const callerLimiter = new CallerLimiter(config.limits.requestsPerMinute);
  const strangerLimiter = new AddressLimiter(config.limits.strangerRequestsPerMinutePerIp);
  const challenge = new PaymentChallenge({
    rules,
    offer: payments.rails,
    perCallMinimumNanoUsd,
    soldAt: soldResources(routes, config.brand.name),
    now,
  });
  const signIn = new SignInVerifier(rules, signatures, now);
  const auth = new Auth({ callers: meter, signIn, challenge, callerLimiter, strangerLimiter, now });
  const openCalls = new OpenCalls();
  const { days, perAccountMax } = config.retention.receipts;
  const charges = new ChargeTally();
  const paidCalls = new PaidCalls({
    auth,
    meter,
    openCalls,
    charges,
    allocations,
    challenge,
    callPayments,
    memory,
    receipts: days === 0 ? null : new ReceiptNotes({ db, origin, perAccountMax, now, log }),
    keptAnswerBytesMax: config.idempotency.answerBytesMax,
    balanceOf: (accountId) => askStore(() => readBalance(db, accountId, now())),
    now,
    log,
  });
  const sandbox = standIns && demoKey ? new SandboxAccess(standIns.url, demoKey) : null;
  const drain = new Drain();
  const storeProbe = new StoreProbe(async () => {
    if ((await storeStatus.check()) === 'away') throw new Error('The database does not answer.');
  }, config.readiness.storeTimeoutMs);
  const readiness: Readiness = {
    drain: () => (drain.isDraining ? ['The gateway is stopping.'] : []),
    store: async () =>
      [
        (await storeProbe.reason()) ?? [],
        storeStatus.trouble === 'full' ? 'The database is full, so nothing can be written.' : [],
      ].flat(),
    networks: () => unreadyNetworks(networks, config.readiness.networks),
  };
  measureBilling(metrics, { charges, openCalls });
  measureNetworks(metrics, networks);
  measurePayments(metrics, db, now);
  measureStore(metrics, { db, pools, now });
  measureQueues(
    metrics,
    {
      answers: () => memory.figures.waiting,
      speech: () => speech.turns.waiting,
      encoders: () => speech.encoders.load.waiting,
    },
    memory,
  );
  const parts: Parts = {
    db,
    meter,
    storeStatus,
    auth,
    allocations,
    paidCalls,
    receiptKeys: await ReceiptKeys.open(db, config.secret),
    openCalls,
    mintTokens: new MintTokens(config.secret, config.previousSecret, config.brand.slug),
    networks,
    chat,
    speech,
    embeddings,
    images,
    transcriptions,
    video,
    payments,
    withdrawals,
    sandbox,
  };
  const poolTotal = new PoolTotal(stake, now);
  const figures = (): GatewayFigures => gatewayFigures({ startedAt, drain, openCalls, requests, networks });
  const operator = {
    operators: new Operators(config.operators, signIn),
    books: new OperatorBooks({ db, now }),
    gateways: () => allFigures(config.dataDir, figures),
  };
  const served = (config: Config, chat: Chat): Pick<Gateway, 'config' | 'chat' | 'endpoints' | 'router'> => {
    const endpoints = endpointsOf({
      ...parts,
      chat,
      minting: mintOf(parts, { signatures, stake, config }),
      poolTotal,
      operator,
      perCallMinimumNanoUsd,
      readiness,
      webhooks,
      rules,
      config,
      log,
      now,
    });
    return { config, chat, endpoints, router: new Router(endpoints) };
  };
  const first = served(config, chat);
  const watched = { endpoints: first.endpoints, accountName: accountNames(config.secret) };
  const tracing =
    config.otlp &&
    (await openOtlpTracing({
      ...config.otlp,
      onFailure: (reason) => log.warn({ reason }, 'sending traces failed'),
    }));
  const traces = config.otlp && tracing && new RequestTraces({ ...watched, tracing, share: config.otlp.share });
  const requests = new RequestMetrics(metrics, first.endpoints);
  const startedAt = now();
  const history = new RequestHistory({
    db,
    config: config.retention.requests,
    isFull: () => storeStatus.trouble === 'full',
    now,
    log,
  });
  history.start();
  measureHistory(metrics, history);
  const observer = new RequestWatch(
    requests,
    new RequestLog({ ...watched, log, config: config.log.requests }),
    traces,
    history,
  );
  return {
    ...parts,
    ...first,
    origin,
    log,
    metrics,
    history,
    figures,
    observer,
    memory,
    drain,
    profileHeader: standIns ? 'sandbox' : null,
    brand: pageBrandOf(config.brand),
    trustProxyHops: config.trustProxyHops,
    hasWalletConnect: config.walletConnectProjectId !== undefined,
    takeOver: async (next, changed) => {
      const before = chat;
      const replaced = changed.some((path) => path.startsWith('inference'))
        ? new Chat(next.inference, log, before.times, memory)
        : before;
      // Loads the model lists first, so that callers neither wait for them nor miss a model.
      await replaced.models.list();
      networks.take(next, standIns?.networks);
      chat = replaced;
      meter.takeLimits(meterLimits(next));
      callerLimiter.limit = next.limits.requestsPerMinute;
      strangerLimiter.limit = next.limits.strangerRequestsPerMinutePerIp;
      contractChecks.takeLimit(next.limits.contractSignaturesPerMinutePerIp);
      if (before !== chat) {
        retired.add(before);
        void before.retire().finally(() => retired.delete(before));
      }
      return served(next, chat);
    },
    close: async () => {
      stopForgetting();
      await stopArchiving();
      await keyAlerts.stop();
      await webhooks.close();
      await payments.close();
      await withdrawals.close();
      await networks.close();
      await Promise.all([chat, ...retired].map((each) => each.close()));
      await video.close();
      await speech.close();
      await embeddings.close();
      await images.close();
      await transcriptions.close();
      await allocations.close();
      await history.stop();
      await close();
      await tracing?.close();
      memory.close();
      log.flush();
    },
  };
}

/**
 * Returns the figures of all gateways that use the data folder. Reads this process's directly, because it may have no
 * control socket.
 */
async function allFigures(dataDir: string, own: () => GatewayFigures): Promise<OperatorFigures['gateways']> {
  const asked = await askGateways(dataDir, 'status', gatewayFiguresSchema);
  const others = asked.filter(({ pid }) => pid !== process.pid).map(({ pid, answer }) => ({ pid, figures: answer }));
  return [{ pid: process.pid, figures: own() }, ...others];
}

/** Returns the dependencies of key minting. Contract wallets are verified on the chains with a staking deployment. */
function mintOf(
  { db, mintTokens, networks }: Parts,
  { signatures, stake, config: { staking } }: { signatures: PersonalSignatures; stake: StakeReader; config: Config },
): Mint {
  const chainIds = staking.deployments.flatMap(({ network }) => networks.find(network)?.network.chainId ?? []);
  return {
    db,
    stake,
    tokens: mintTokens,
    stakeSymbol: staking.tokenSymbols.stake,
    canStake: staking.deployments.length > 0,
    verifySignature: async (claim, caller) => (await signatures.judge({ ...claim, chainIds }, caller)).verdict,
  };
}

/** Returns the minimum payment with a call in nano-USD; null if calls are paid only from a balance. */
function perCallMinimum({ payments: { perCall } }: Config): number | null {
  return perCall.minimumUsd === null ? null : Math.round(perCall.minimumUsd * 1e9);
}

const LOCAL_HOSTS = ['127.0.0.1', '0.0.0.0', '::', '::1'];

/** Returns the gateway's origin: as configured, else from host and port. */
function originOf({ publicUrls, host, port }: Config): string {
  const [publicUrl] = publicUrls;
  if (publicUrl) return publicUrl.replace(/\/$/, '');
  if (LOCAL_HOSTS.includes(host)) return `http://localhost:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
