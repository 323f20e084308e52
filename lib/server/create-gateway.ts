import type { Logger } from 'pino';
import { type GatewayFigures, gatewayFiguresSchema } from '@/lib/protocol/gateway-figures';
import type { OperatorFigures } from '@/lib/protocol/operator-figures';
import { formatUsd, parseUsd } from '@/lib/protocol/pricing';
import { askGateways } from './admin/control-socket';
import { routes } from './api';
import { generateWeb3Key } from './api/api_keys/generate-web3-key';
import { apiKeys } from './api/api_keys/keys';
import { audioSpeech } from './api/audio/speech';
import { billingBalance } from './api/billing/balance';
import { billingUsage } from './api/billing/usage';
import { chatCompletions } from './api/chat/completions';
import { countMessageTokens } from './api/chat/count-tokens';
import { chatMessages } from './api/chat/messages';
import { chatResponses } from './api/chat/responses';
import { networkHealth } from './api/crypto/rpc/health';
import { rpcNetworks } from './api/crypto/rpc/networks';
import { rpcProxy } from './api/crypto/rpc/proxy';
import { soldResources } from './api/discovery/bazaar';
import { discovery } from './api/discovery/discovery';
import { elsewhere } from './api/elsewhere';
import { health } from './api/health';
import { model } from './api/model';
import { models } from './api/models';
import { notOffered } from './api/not-offered';
import { openapi } from './api/openapi';
import { apiDescription } from './api/openapi/described';
import { type OperatorFigureParts, operatorFigures } from './api/operator/figures';
import { paymentChain } from './api/payment-chain';
import { livez, type Readiness, readyz } from './api/probes';
import { sandboxDescription } from './api/sandbox/describe';
import { sandboxFaucet } from './api/sandbox/faucet';
import { SandboxAccess } from './api/sandbox/sandbox-access';
import { sandboxWalletRpc } from './api/sandbox/wallet-rpc';
import { gatewayFigures } from './api/gateway-figures';
import { RequestLog } from './api/request-log';
import { RequestMetrics } from './api/request-metrics';
import { measureQueues } from './api/queue-metrics';
import { RequestTraces } from './api/request-traces';
import { RequestWatch } from './api/request-watch';
import { settings } from './api/settings';
import { stakingPool } from './api/staking-pool';
import { AttestationAccess } from './api/tee/attestation-access';
import { teeAttestation } from './api/tee/attestation';
import { teeSignature } from './api/tee/signature';
import { videoComplete } from './api/video/complete';
import { videoQueue } from './api/video/queue';
import { videoRetrieve } from './api/video/retrieve';
import { walletBalance } from './api/x402/balance';
import { topUp } from './api/x402/top-up';
import { walletTransactions } from './api/x402/transactions';
import { Endorsements } from './attestation/endorsements';
import { SeenReports } from './attestation/seen-reports';
import { Auth } from './auth/auth';
import { ContractChecks } from './auth/contract-checks';
import type { Mint } from './auth/minting/mint-key';
import { MintTokens } from './auth/minting/mint-tokens';
import { Operators } from './auth/operators';
import { PaymentChallenge } from './auth/payment-challenge';
import { type GatewayRules, signInRules } from './auth/sign-in-rules';
import { SignInVerifier } from './auth/sign-in-verifier';
import { PersonalSignatures } from './auth/verify-signature';
import { DailyAllocations } from './billing/allocation/daily-allocations';
import type { StakeReader } from './billing/allocation/stake-reader';
import { startForgetting } from './billing/forget-expired';
import { KeyAlerts } from './billing/key-alerts/key-alerts';
import { WebhookSender } from './billing/key-alerts/webhook';
import type { Meter } from './billing/meter';
import { ChargeTally, measureBilling } from './billing/billing-metrics';
import { type MeteredStore, meterLimits, openMeteredStore } from './billing/open-metered-store';
import { readBalance } from './billing/usage/read-balance';
import { OpenCalls } from './billing/open-calls';
import { OperatorBooks } from './billing/operator-books';
import { measureStore } from './billing/store-metrics';
import { PaidCalls } from './billing/paid-calls';
import { startArchiving } from './billing/retention/ledger-archiver';
import { Chat } from './chat/chat';
import { measureChats } from './chat/chat-times';
import type { Config } from './config/load';
import { askStore } from './db/ask-store';
import { provideDemoAccount } from './db/demo-account';
import { StoreProbe } from './db/store-probe';
import type { Database } from './db/schema';
import { Drain } from './http/drain';
import type { StoreStatus } from './db/store-status';
import type { Endpoint } from './http/endpoint';
import { AddressLimiter } from './http/rate-limit/address-limiter';
import { CallerLimiter } from './http/rate-limit/caller-limiter';
import { HeldMemory } from './http/held-memory/held-memory';
import { Router } from './http/router';
import type { ServedApi } from './http/served-api';
import { PaymentsForCalls } from './payments/call-payments';
import { createPayments } from './payments/create-payments';
import { measurePayments } from './payments/payment-metrics';
import type { Payments } from './payments/payments';
import type { RailTerms } from './payments/rail-terms';
import { measureNetworks } from './rpc/network-metrics';
import { unreadyNetworks } from './rpc/network-readiness';
import { Speech } from './speech/speech';
import { chainStakeReader } from './staking/chain-stake-reader';
import { PoolTotal } from './staking/pool-total';
import { accountNames } from './telemetry/account-name';
import { Metrics } from './telemetry/metrics';
import { openOtlpTracing } from './telemetry/otlp-tracing';
import { chainRequest } from './upstreams/nodes/network-client';
import { RpcNetworks } from './upstreams/nodes/networks';
import { Video } from './video/video';

/** For each question to a chain whether its contract wallet signed. */
const SIGNATURE_TIMEOUT_MS = 5_000;

/** The stand-ins of a gateway that has any. */
export interface StandIns {
  url: string;
  /** Slugs of the networks that they serve. */
  networks: ReadonlySet<string>;
  /** Secret from which the demo key is derived. */
  demoSecret: string;
  /** Makes the stand-in of a rail's chain ready for a payment. */
  prepareRail?: (rail: RailTerms) => Promise<void>;
}

/** A gateway that runs: what its entries serve, and the parts that whoever runs or tests it looks at. No function of the product takes all of it. */
export interface Gateway extends ServedApi, Parts {
  config: Config;
  /** Where people reach the gateway, for links in answers. */
  origin: string;
  metrics: Metrics;
  /** How it does now, for its operator. */
  figures(): GatewayFigures;
  /**
   * Takes over upstreams, prices and limits of chat and RPC from a configuration that differs in nothing else. Calls in
   * flight end as they began. Nothing is changed where it throws.
   * @param changed paths of what differs.
   * @returns what is served from now on, in the place of the same members.
   */
  takeOver(
    config: Config,
    changed: readonly string[],
  ): Promise<Pick<Gateway, 'config' | 'chat' | 'endpoints' | 'router'>>;
  close(): Promise<void>;
}

/** What endpoints are made of. */
interface Parts {
  db: Database;
  meter: Meter;
  /** How the store is, for probes. */
  storeStatus: StoreStatus;
  auth: Auth;
  allocations: DailyAllocations;
  paidCalls: PaidCalls;
  openCalls: OpenCalls;
  mintTokens: MintTokens;
  networks: RpcNetworks;
  chat: Chat;
  speech: Speech;
  video: Video;
  payments: Payments;
  /** The way to the stand-ins, where there are any: their endpoints do not exist otherwise. */
  sandbox: SandboxAccess | null;
}

/** What a test brings of its own. */
export interface Substitutes {
  now?: () => number;
  stake?: StakeReader;
  /** False spares its SQLite the thread for checkpoints, which takes longer to start than most tests. */
  checkpointThread?: boolean;
}

/**
 * Opens the store, puts the parts together, and makes every endpoint from what it needs: the one place that knows all.
 * @throws ConfigError, DataFolderInUse, DatabaseUnreachable or DatabaseOfOtherProfile; nothing is left open then.
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
  const stopForgetting = startForgetting(db, log);
  const stopArchiving = startArchiving({
    db,
    ledgerDays: config.retention.ledgerDays,
    folder: config.retention.archiveDir,
    now,
    log,
  });
  const webhooks = new WebhookSender(config.secret, config.webhooks, config.previousSecret);
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
  const video = await Video.open(config, { db, log, now });
  let chat = new Chat(config.inference, log, measureChats(metrics), memory);
  const retired = new Set<Chat>();
  const speech = new Speech(config.speech, log, memory);
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
    soldAt: soldResources(routes),
    now,
  });
  const signIn = new SignInVerifier(rules, signatures, now);
  const auth = new Auth({ callers: meter, signIn, challenge, callerLimiter, strangerLimiter, now });
  const openCalls = new OpenCalls();
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
    keptAnswerBytesMax: config.idempotency.answerBytesMax,
    balanceOf: (accountId) => askStore(() => readBalance(db, accountId, now())),
    now,
    log,
  });
  const sandbox = standIns && demoKey ? new SandboxAccess(standIns.url, demoKey) : null;
  const drain = new Drain();
  const storeProbe = new StoreProbe(async () => {
    if ((await storeStatus.check()) === 'away') throw new Error('The store does not answer.');
  }, config.readiness.storeTimeoutMs);
  const readiness: Readiness = {
    drain: () => (drain.isDraining ? ['The gateway is about to end.'] : []),
    store: async () =>
      [
        (await storeProbe.reason()) ?? [],
        storeStatus.trouble === 'full' ? 'The store has no room left: nothing can be written.' : [],
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
    openCalls,
    mintTokens: new MintTokens(config.secret, config.previousSecret),
    networks,
    chat,
    speech,
    video,
    payments,
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
      onFailure: (reason) => log.warn({ reason }, 'traces could not be sent'),
    }));
  const traces = config.otlp && tracing && new RequestTraces({ ...watched, tracing, share: config.otlp.share });
  const requests = new RequestMetrics(metrics, first.endpoints);
  const startedAt = now();
  const observer = new RequestWatch(requests, new RequestLog({ ...watched, log, config: config.log.requests }), traces);
  return {
    ...parts,
    ...first,
    origin,
    log,
    metrics,
    figures,
    observer,
    memory,
    drain,
    profileHeader: standIns ? 'sandbox' : null,
    trustProxyHops: config.trustProxyHops,
    hasWalletConnect: config.walletConnectProjectId !== undefined,
    takeOver: async (next, changed) => {
      const before = chat;
      const replaced = changed.some((path) => path.startsWith('inference'))
        ? new Chat(next.inference, log, before.times, memory)
        : before;
      // Nobody is to wait for its models, or not to find them.
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
      await networks.close();
      await Promise.all([chat, ...retired].map((each) => each.close()));
      await video.close();
      await speech.close();
      await allocations.close();
      await close();
      await tracing?.close();
      memory.close();
      log.flush();
    },
  };
}

interface EndpointParts extends Parts {
  minting: Mint;
  poolTotal: PoolTotal;
  operator: Omit<OperatorFigureParts, 'consoleLimiter'>;
  /** The least that is paid with a call; null where none is. */
  perCallMinimumNanoUsd: number | null;
  readiness: Readiness;
  webhooks: WebhookSender;
  rules: GatewayRules;
  config: Config;
  log: Logger;
  now: () => number;
}

/** The endpoints, in the order of `routes`; those of the stand-ins after them. */
function endpointsOf({
  db,
  auth,
  meter,
  storeStatus,
  allocations,
  paidCalls,
  minting,
  mintTokens,
  networks,
  chat,
  speech,
  video,
  payments,
  poolTotal,
  operator,
  perCallMinimumNanoUsd,
  readiness,
  sandbox,
  webhooks,
  rules,
  config,
  log,
  now,
}: EndpointParts): Endpoint[] {
  const { rails } = payments;
  const { publicUrls, limits } = config;
  const addressLimiter = new AddressLimiter(limits.publicRequestsPerMinutePerIp);
  // Of one address to what the console asks for again and again.
  const consoleLimiter = new AddressLimiter(limits.consoleRequestsPerMinutePerIp);
  const seen = new SeenReports();
  const access = new AttestationAccess(db, limits, now);
  const catalogues = { auth, chat: chat.models, speech: speech.models, video: video.models, seen };
  const { attestation: policy, attestationServices: services } = config.inference;
  const { requestBytesMax } = config.rpc;
  const description = apiDescription(routes, {
    pricePerCreditUsd: config.pricePerCreditUsd,
    networks: networks.slugs,
    perCallMinimumUsd: perCallMinimumNanoUsd === null ? null : formatUsd(perCallMinimumNanoUsd, 6),
  });
  const pricePerCreditNanoUsd = parseUsd(config.pricePerCreditUsd);
  return [
    rpcProxy({ paidCalls, networks, pricePerCreditNanoUsd, requestBytesMax, log }),
    rpcNetworks({ networks, addressLimiter }),
    chatCompletions({ paidCalls, chat }),
    chatResponses({ paidCalls, chat }),
    chatMessages({ paidCalls, chat }),
    countMessageTokens({ auth, chat }),
    audioSpeech({ paidCalls, speech }),
    videoQueue({ paidCalls, video }),
    videoRetrieve({ auth, video }),
    videoComplete({ auth, video }),
    models(catalogues),
    model(catalogues),
    teeAttestation({
      auth,
      models: chat.models,
      access,
      attestation: { endorsements: new Endorsements({ services, policy, log }), policy, seen, now, log },
    }),
    teeSignature({ auth, models: chat.models, access, seen, log }),
    generateWeb3Key({
      minting,
      tokens: mintTokens,
      allocations,
      networks,
      webhooks: { config: config.webhooks, sender: webhooks },
      addressLimiter,
      rules,
      now,
    }),
    apiKeys({ auth, db, meter, networks, webhooks: { config: config.webhooks, sender: webhooks }, now }),
    billingBalance({ auth, allocations, db, now }),
    billingUsage({ auth, db, now }),
    topUp({ payments, rails, rules, addressLimiter }),
    walletBalance({ auth, allocations, offer: rails, db, now }),
    walletTransactions({ auth, db, now }),
    openapi({ description, rules }),
    health({ storeStatus }),
    networkHealth({ networks, consoleLimiter }),
    settings({ config, rules, networks, rails, consoleLimiter }),
    stakingPool({ staking: config.staking, total: poolTotal, consoleLimiter }),
    paymentChain({ networks, rails, consoleLimiter, log }),
    operatorFigures({ ...operator, consoleLimiter }),
    ...notOffered,
    ...elsewhere({ rules }),
    livez(),
    readyz({ readiness }),
    ...discovery({
      rules,
      description,
      listing: { routes, networks: networks.slugs, takesCallPayments: perCallMinimumNanoUsd !== null },
    }),
    ...(sandbox
      ? [
          sandboxDescription({ sandbox, origin: rules.origin, publicUrls, attestationRoots: policy.roots }),
          sandboxFaucet({ sandbox, publicUrls }),
          sandboxWalletRpc({ networks, publicUrls, requestBytesMax, log }),
        ]
      : []),
  ];
}

/** How the gateways on the data folder do: those that others ask by a socket, and this one, which need not have any. */
async function allFigures(dataDir: string, own: () => GatewayFigures): Promise<OperatorFigures['gateways']> {
  const asked = await askGateways(dataDir, 'status', gatewayFiguresSchema);
  const others = asked.filter(({ pid }) => pid !== process.pid).map(({ pid, answer }) => ({ pid, figures: answer }));
  return [{ pid: process.pid, figures: own() }, ...others];
}

/** A wallet may be a contract on any chain where it can have its stake. */
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

/** The least that is paid with a call, in nano-USD; null where calls are paid for from a balance alone. */
function perCallMinimum({ payments: { perCall } }: Config): number | null {
  return perCall.minimumUsd === null ? null : Math.round(perCall.minimumUsd * 1e9);
}

const LOCAL_HOSTS = ['127.0.0.1', '0.0.0.0', '::', '::1'];

/** Where people reach the gateway: as configured, else this machine by its usual name, as the start-up line shows it. */
function originOf({ publicUrls, host, port }: Config): string {
  const [publicUrl] = publicUrls;
  if (publicUrl) return publicUrl.replace(/\/$/, '');
  if (LOCAL_HOSTS.includes(host)) return `http://localhost:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
