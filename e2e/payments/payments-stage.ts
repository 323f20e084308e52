import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { NETWORKS, SANDBOX_TESTNET } from '@/lib/protocol/networks';
import { type DeriveKey, prepareSandboxRail, sandboxRails } from '@/lib/sandbox/payment-rails';
import { loadConfig } from '@/lib/server/config/load';
import { paymentsConfig, paymentsSchema } from '@/lib/server/config/payments';
import { Secret } from '@/lib/server/config/secret';
import { createGateway } from '@/lib/server/create-gateway';
import type { Gateway } from '@/lib/server/gateway';
import { nodeListener } from '@/lib/server/http/node-adapter';
import { createLog } from '@/lib/server/telemetry/log';
import { serve } from '@/lib/server/testing/test-gateway';

/** Keys of a stage: the same for every gateway on it. */
export const stageKeys: DeriveKey = (label) => createHmac('sha256', 'stage').update(label).digest();

export interface Stage {
  gateway: Gateway;
  origin: string;
}

/** A gateway in this process, on the stand-ins of a sandbox that runs. Closed with the test. */
export async function openStage(sandboxUrl: string, settings: { dataDir?: string; databaseUrl?: string; payments?: object } = {}): Promise<Stage> {
  const folder = settings.dataDir ?? mkdtempSync(join(tmpdir(), 'turnpike-payments-'));
  const config = loadConfig({ TURNPIKE_PROFILE: 'live', TURNPIKE_SECRET: 's'.repeat(32), TURNPIKE_DATA_DIR: folder, ...(settings.databaseUrl ? { DATABASE_URL: settings.databaseUrl } : {}) }, folder);
  const networks = { ...config.networks };
  for (const { slug, kind } of [...NETWORKS, SANDBOX_TESTNET]) {
    if (kind !== 'starknet') networks[slug] = { ...networks[slug], upstreams: [{ url: new Secret(`${sandboxUrl}/${kind}/${slug}`), headers: {} }] };
  }
  const payments = paymentsConfig(paymentsSchema.parse({ rails: sandboxRails(stageKeys), resumeIntervalMs: 500, ...settings.payments }));
  const gateway = await createGateway(
    { ...config, networks, payments, limits: { ...config.limits, publicRequestsPerMinutePerIp: 1_000_000 } },
    { url: sandboxUrl, networks: new Set(Object.keys(networks)), demoSecret: 'demo', prepareRail: ({ network }) => prepareSandboxRail(sandboxUrl, network, stageKeys) },
    createLog(process.env.STAGE_LOG ?? 'silent'),
  );
  onTestFinished(async () => {
    await gateway.close();
    if (!settings.dataDir) rmSync(folder, { recursive: true, force: true });
  });
  const { origin } = await serve(nodeListener(gateway));
  return { gateway, origin };
}
