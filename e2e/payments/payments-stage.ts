import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Gateway } from '@/lib/server/create-gateway';
import { nodeListener } from '@/lib/server/http/node-adapter';
import { serve } from '@/test/test-gateway';
import { createStageGateway, type StageSettings } from './stage-gateway';

export interface Stage {
  gateway: Gateway;
  origin: string;
}

/** Opens a gateway in this process on the stand-ins of a running sandbox. The end of the test closes the gateway. */
export async function openStage(
  sandboxUrl: string,
  settings: Partial<Omit<StageSettings, 'sandboxUrl'>> = {},
): Promise<Stage> {
  const folder = settings.dataDir ?? mkdtempSync(join(tmpdir(), 'turnpike-payments-'));
  const gateway = await createStageGateway({ ...settings, sandboxUrl, dataDir: folder });
  onTestFinished(async () => {
    await gateway.close();
    if (!settings.dataDir) rmSync(folder, { recursive: true, force: true });
  });
  const { origin } = await serve(nodeListener(gateway));
  return { gateway, origin };
}
