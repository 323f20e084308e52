import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';

export interface TestChain {
  url: string;
  /** Stops all answers until the end of the test. Connections stay open. */
  suspend(): void;
}

const LISTENING = /Listening on 127\.0\.0\.1:(\d+)/;

/** Starts an empty anvil chain on a free loopback port until the end of the test. */
export async function testChain(chainId: number): Promise<TestChain> {
  const home = createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json');
  const child = spawn(
    process.execPath,
    [path.join(path.dirname(home), 'bin.mjs'), '--port', '0', '--chain-id', String(chainId)],
    { stdio: ['ignore', 'pipe', 'ignore'], detached: true },
  );
  const pid = child.pid as number;
  onTestFinished(() => {
    process.kill(-pid, 'SIGKILL');
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const port = LISTENING.exec(line)?.[1];
    if (port === undefined) continue;
    child.stdout.resume();
    return { url: `http://127.0.0.1:${port}`, suspend: () => void process.kill(-pid, 'SIGSTOP') };
  }
  await once(child, 'exit');
  throw new Error('anvil ended before it listened.');
}
