import type { Logger } from 'pino';
import { parseUsd } from '@/lib/protocol/pricing';
import { ContractChecks } from './auth/contract-checks';
import { signInRules } from './auth/sign-in-rules';
import { SignInVerifier } from './auth/sign-in-verifier';
import { PersonalSignatures } from './auth/verify-signature';
import type { Config } from './config/load';
import { endpoints, sandboxEndpoints } from './api';
import type { Endpoint } from './http/endpoint';
import { Router } from './http/router';
import type { ServedGateway } from './http/served-gateway';
import { Inference } from './chat/inference';
import { AddressLimiter } from './http/rate-limit/address-limiter';
import { DailyAllocations } from './billing/allocation/daily-allocations';
import { CallerLimiter } from './http/rate-limit/caller-limiter';
import { startForgetting } from './billing/forget-expired';
import { type MeteredStore, openMeteredStore } from './billing/open-metered-store';
import { MintTokens } from './auth/minting/mint-tokens';
import { type DocumentOptions, openApiDocument } from './api/openapi/document';
import { createPayments } from './payments/create-payments';
import type { RailTerms } from './payments/rails';
import { RpcNetworks } from './upstreams/nodes/networks';
import { SandboxAccess } from './api/sandbox/sandbox-access';
import { Speech } from './speech/speech';
import { chainStakeReader } from './staking/chain-stake-reader';
import { provideDemoAccount } from './db/demo-account';
import { Video } from './video/video';

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

/**
 * Opens the store and puts the parts together.
 * @throws ConfigError, DataFolderInUse or DatabaseUnreachable; nothing is left open then.
 */
export async function createGateway(config: Config, standIns: StandIns | null, log: Logger): Promise<ServedGateway> {
  const store = await openMeteredStore(config, log);
  try {
    return await assemble(store, config, standIns, log);
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function assemble({ db, meter, close }: MeteredStore, config: Config, standIns: StandIns | null, log: Logger): Promise<ServedGateway> {
  const rpc = new RpcNetworks(config, standIns?.networks, log);
  const served = standIns ? [...endpoints, ...sandboxEndpoints] : endpoints;
  const demoKey = standIns && (await provideDemoAccount(db, standIns.demoSecret));
  const origin = originOf(config);
  const stake = chainStakeReader(rpc, config.staking.deployments);
  const now = (): number => Date.now();
  const hasAccount = async (wallet: string): Promise<boolean> => (await meter.findWallet(wallet)) !== null;
  const contractChecks = new ContractChecks({ perMinute: config.limits.contractSignaturesPerMinutePerIp, hasAccount, now });
  const signatures = new PersonalSignatures(rpc, contractChecks);
  const stopForgetting = startForgetting(db, log);
  const prepare = standIns?.prepareRail;
  const payments = createPayments(config.payments, { rpc, db, log, contractChecks, exclusive: config.databaseUrl === null, ...(prepare ? { prepare } : {}) });
  await payments.start();
  const video = await Video.open(config, { db, log, now });
  const inference = new Inference(config.inference, log);
  const speech = new Speech(config.speech, log);
  const allocations = new DailyAllocations({ meter, db, stake, dailyPoolNanoUsd: parseUsd(config.staking.dailyPoolUsd), now, log });
  return {
    config,
    log,
    meter,
    db,
    mintTokens: new MintTokens(config.secret),
    rpc,
    inference,
    video,
    speech,
    stake,
    allocations,
    signatures,
    signIn: new SignInVerifier(signInRules(config, origin), signatures),
    rails: payments.rails,
    payments,
    endpoints: served,
    apiDescription: describing(served, { baseUrl: `${origin}/api/v1`, pricePerCreditUsd: config.pricePerCreditUsd }),
    router: new Router(served),
    addressLimiter: new AddressLimiter(config.limits.publicRequestsPerMinutePerIp),
    consoleLimiter: new AddressLimiter(config.limits.consoleRequestsPerMinutePerIp),
    callerLimiter: new CallerLimiter(config.limits.requestsPerMinute),
    sandbox: standIns && demoKey ? new SandboxAccess(standIns.url, demoKey) : null,
    profileHeader: standIns ? 'sandbox' : null,
    pricePerCreditNanoUsd: parseUsd(config.pricePerCreditUsd),
    now,
    origin,
    close: async () => {
      stopForgetting();
      await payments.close();
      await rpc.close();
      await inference.close();
      await video.close();
      await speech.close();
      await allocations.close();
      await close();
      log.flush();
    },
  };
}

function describing(served: readonly Endpoint[], options: DocumentOptions): () => string {
  let text: string | null = null;
  return () => (text ??= JSON.stringify(openApiDocument(served, options)));
}

const LOCAL_HOSTS = ['127.0.0.1', '0.0.0.0', '::', '::1'];

/** Where people reach the gateway: as configured, else this machine by its usual name, as the start-up line shows it. */
function originOf({ publicUrls, host, port }: Config): string {
  const [publicUrl] = publicUrls;
  if (publicUrl) return publicUrl.replace(/\/$/, '');
  if (LOCAL_HOSTS.includes(host)) return `http://localhost:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
