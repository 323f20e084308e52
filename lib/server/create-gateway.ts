import type { Logger } from 'pino';
import { askGateways } from './admin/control-socket';
import { pageBrandOf } from './api/brand-images';
import { openCallers, openSignatures } from './api/capabilities/callers';
import { type Capability, groundOf, reloaded, served } from './api/capabilities/capability';
import { openChat } from './api/capabilities/chat';
import { openConsole } from './api/capabilities/console';
import { openDiscovery } from './api/capabilities/discovery';
import {
  openEmbeddings,
  openImages,
  openModels,
  openSpeech,
  openTranscriptions,
  openVideo,
} from './api/capabilities/model-services';
import {
  measureModelServers,
  measureQueues,
  openHistory,
  openTracing,
  watchRequests,
} from './api/capabilities/observation';
import { openKeyAlerts, openKeys } from './api/capabilities/keys';
import { openOperator, openProbes } from './api/capabilities/operator';
import { openPaidCalls, openReceipts } from './api/capabilities/paid-calls';
import { openPayments, openWithdrawals } from './api/capabilities/payments';
import { openRetention, openStore } from './api/capabilities/store';
import { openRpc } from './api/capabilities/rpc';
import { openSandbox, type StandIns } from './api/capabilities/sandbox';
import { openStaking } from './api/capabilities/staking';
import type { StakeReader } from './billing/allocation/stake-reader';
import { ReceiptKeys } from './billing/receipts/receipt-keys';
import type { Config } from './config/load';

/** Running gateway. A reload replaces `config`, `endpoints` and `router`. */
export type Gateway = Awaited<ReturnType<typeof assemble>>;

export interface GatewayOptions {
  now?: () => number;
  stake?: StakeReader;
  /** Set to false to run SQLite without its checkpoint thread. Starting that thread takes longer than most tests. */
  checkpointThread?: boolean;
  opened?: AsyncDisposableStack;
}

/**
 * Opens all capabilities, such as chat and RPC. Closing the gateway closes them in reverse order.
 * @throws ConfigError, DataFolderInUse, DatabaseUnreachable or DatabaseOfOtherProfile; in that case nothing stays open
 */
export async function createGateway(
  config: Config,
  standIns: StandIns | null,
  log: Logger,
  { opened = new AsyncDisposableStack(), ...options }: GatewayOptions = {},
): Promise<Gateway> {
  try {
    return await assemble(config, standIns, log, opened, options);
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

async function assemble(
  config: Config,
  standIns: StandIns | null,
  log: Logger,
  opened: AsyncDisposableStack,
  { now = Date.now, stake: substituteStake, checkpointThread }: Omit<GatewayOptions, 'opened'>,
) {
  const capabilities: Capability[] = [];
  const open = <C extends Capability>(capability: C): C => {
    capabilities.push(capability);
    opened.defer(() => capability.close?.());
    return capability;
  };
  const ground = groundOf(config, log, now);
  const { metrics, memory } = ground;
  opened.defer(() => log.flush());
  opened.defer(() => memory.close());

  const { tracing } = open(await openTracing(ground));
  const store = open(await openStore(ground, checkpointThread));
  const { db, meter } = store;
  const { history } = open(openHistory(ground, store));
  const { networks } = open(openRpc(ground, standIns?.networks));
  const { sandbox } = open(await openSandbox(ground, { db, networks, standIns }));
  const { signatures, contractChecks } = open(openSignatures(ground, { meter, networks }));
  open(openRetention(ground, { db }));
  const { webhooks } = open(openKeyAlerts(ground, { db }));
  const { stake, allocations } = open(openStaking(ground, { db, meter, networks }, substituteStake));
  const { rails, callPayments, perCallMinimumNanoUsd } = open(
    await openPayments(ground, { db, networks, contractChecks, allocations, prepare: standIns?.prepareRail }),
  );
  open(await openWithdrawals(ground, { db, meter, networks, signatures, rails }));
  const { auth, challenge, signIn } = open(openCallers(ground, { meter, signatures, rails, perCallMinimumNanoUsd }));
  open(openKeys(ground, { db, meter, networks, signatures, stake, allocations, webhooks }));
  const receiptKeys = await ReceiptKeys.open(db, config.secret);
  const chat = open(openChat(ground, { db, receiptKeys }));
  const { speech } = open(openSpeech(ground));
  const transcriptions = open(openTranscriptions(ground));
  const embeddings = open(openEmbeddings(ground, chat));
  const images = open(openImages(ground));
  const { video } = open(await openVideo(ground, { db }));
  open(openModels(chat, { speech, transcriptions, embeddings, images, video }));
  const { notes: receipts } = open(openReceipts(ground, { db, receiptKeys, chat }));
  const { paidCalls, openCalls } = open(
    openPaidCalls(ground, { db, meter, auth, challenge, allocations, callPayments, receipts }),
  );
  const { drain } = open(openProbes(ground, { store, networks }));
  const operatorParts = { db, signIn, drain, openCalls, networks, requests: () => requests, askGateways };
  const { figures } = open(openOperator(ground, operatorParts));
  open(openConsole(ground, { networks, rails }));
  open(openDiscovery(ground, { networks, receiptKeys, perCallMinimumNanoUsd }));

  let current = served(capabilities, { config, auth, paidCalls });
  const { requests, observer } = watchRequests(ground, { endpoints: current.endpoints, tracing, history });
  measureQueues(metrics, { memory, speech });
  measureModelServers(metrics, () => ({
    chat: chat.current.upstreams,
    embeddings: embeddings.models.upstreams,
    images: images.models.upstreams,
    transcriptions: transcriptions.models.upstreams,
  }));
  const parts = { db, meter, networks, auth, allocations, openCalls, chat, speech, video, sandbox, history };
  return {
    ...parts,
    origin: ground.rules.origin,
    log,
    metrics,
    memory,
    drain,
    observer,
    figures,
    get config() {
      return current.config;
    },
    get endpoints() {
      return current.endpoints;
    },
    get router() {
      return current.router;
    },
    profileHeader: standIns ? 'sandbox' : null,
    brand: pageBrandOf(config.brand),
    trustProxyHops: config.trustProxyHops,
    hasWalletConnect: config.walletConnectProjectId !== undefined,
    /**
     * Applies a new configuration to new calls. Running calls keep the old configuration. If this throws, nothing has
     * changed.
     */
    reload: async (next: Config, changed: readonly string[]): Promise<void> => {
      await reloaded(capabilities, next, changed);
      current = served(capabilities, { config: next, auth, paidCalls });
    },
    close: () => opened.disposeAsync(),
  };
}
