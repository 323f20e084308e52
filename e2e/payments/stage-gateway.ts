import { createHmac } from 'node:crypto';
import { NETWORKS, SANDBOX_TESTNET } from '@/lib/protocol/networks';
import { type DeriveKey, prepareSandboxRail, sandboxRails } from '@/lib/sandbox/payment-rails';
import { loadConfig } from '@/lib/server/config/load';
import { paymentsConfig, paymentsSchema } from '@/lib/server/config/payments';
import { Secret } from '@/lib/server/config/secret';
import { createGateway } from '@/lib/server/create-gateway';
import type { Gateway } from '@/lib/server/create-gateway';
import { createLog } from '@/lib/server/telemetry/log';

/** Keys of a stage, which all its gateways share. */
export const stageKeys: DeriveKey = (label) => createHmac('sha256', 'stage').update(label).digest();

export interface StageSettings {
  sandboxUrl: string;
  dataDir: string;
  databaseUrl?: string;
  /** Payment settings. Rails are the sandbox's by default. */
  payments?: object;
  /** Longest wait of the payer for the answer. */
  answerWithinMs?: number;
}

/** Creates a gateway for the stand-ins of a running sandbox, so that it can be killed and restarted without them. */
export function createStageGateway({
  sandboxUrl,
  dataDir,
  databaseUrl,
  payments = {},
  answerWithinMs,
}: StageSettings): Promise<Gateway> {
  const environment = {
    TURNPIKE_PROFILE: 'live',
    TURNPIKE_SECRET: 's'.repeat(32),
    TURNPIKE_DATA_DIR: dataDir,
    CHAT_UPSTREAM_URL: `${sandboxUrl}/guide/v1`,
    SPEECH_UPSTREAM_URL: `${sandboxUrl}/speech/v1`,
  };
  const config = loadConfig({ ...environment, ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}) }, dataDir);
  const networks = { ...config.networks };
  for (const { slug, kind } of [...NETWORKS, SANDBOX_TESTNET]) {
    if (kind !== 'starknet')
      networks[slug] = {
        ...networks[slug],
        upstreams: [{ url: new Secret(`${sandboxUrl}/${kind}/${slug}`), headers: {} }],
      };
  }
  const rails = paymentsConfig(
    paymentsSchema.parse({
      rails: sandboxRails(stageKeys),
      resumeIntervalMs: 500,
      ...(answerWithinMs ? { answerWithinMs } : {}),
      ...payments,
    }),
  );
  return createGateway(
    { ...config, networks, payments: rails, limits: { ...config.limits, publicRequestsPerMinutePerIp: 1_000_000 } },
    {
      url: sandboxUrl,
      networks: new Set(Object.keys(networks)),
      demoSecret: 'demo',
      prepareRail: ({ network }) => prepareSandboxRail(sandboxUrl, network, stageKeys),
    },
    createLog(process.env.STAGE_LOG ?? 'silent'),
  );
}
