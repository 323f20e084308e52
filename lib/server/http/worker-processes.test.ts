import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from 'esbuild';
import { describe, expect, it, onTestFinished } from 'vitest';
import { tempFolder } from '@/test/temp-folder';

/** Serves its process id, reports that it is ready, and ends as a gateway does. */
const SERVER = `
import { createServer } from 'node:http';
const server = createServer({ keepAliveTimeout: 1 }, (request, response) => {
  response.setHeader('connection', 'close');
  response.end(String(process.pid));
  if (request.url === '/die') setImmediate(() => process.kill(process.pid, 'SIGKILL'));
});
server.listen(0, '127.0.0.1', () => process.send({ type: 'ready', url: server.address().port }));
process.on('SIGHUP', () => undefined);
process.on('SIGTERM', () => server.close(() => process.exit(0)));
process.on('disconnect', () => process.exit(0));
`;

interface Supervised {
  primary: ChildProcess;
  port: number;
  /** Asks until this many processes have answered, and returns their ids. */
  until(count: number, without?: number): Promise<Set<number>>;
  ask(path?: string): Promise<number>;
}

async function supervise(server = SERVER): Promise<Supervised> {
  const folder = tempFolder();
  writeFileSync(join(folder, 'server.mjs'), server);
  await build({
    stdin: {
      contents: `import { superviseWorkers } from './lib/server/http/worker-processes';\nsuperviseWorkers({ exec: ${JSON.stringify(join(folder, 'server.mjs'))}, count: 2, restartMs: 10 });`,
      resolveDir: process.cwd(),
      loader: 'ts',
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: join(folder, 'primary.mjs'),
  });
  const primary = spawn(process.execPath, [join(folder, 'primary.mjs')], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  onTestFinished(() => void primary.kill('SIGKILL'));
  const [message] = (await Promise.race([
    once(primary, 'message'),
    once(primary, 'exit').then(() => [{ url: 0 }]),
  ])) as [{ url: number }];
  const ask = (path = '/'): Promise<number> =>
    new Promise((resolve) => {
      // A process that dies with a new connection does not answer.
      const asking = request({ port: message.url, host: '127.0.0.1', path, agent: false, timeout: 500 }, (response) => {
        response.setEncoding('utf8').once('data', (text: string) => resolve(Number(text)));
        response.once('error', () => resolve(0));
      });
      asking
        .once('timeout', () => asking.destroy())
        .once('error', () => resolve(0))
        .end();
    });
  const until = async (count: number, without = 0): Promise<Set<number>> => {
    const found = new Set<number>();
    for (let i = 0; i < 2_000 && found.size < count; i++) {
      const pid = await ask();
      if (pid !== 0 && pid !== without) found.add(pid);
    }
    return found;
  };
  return { primary, port: message.url, until, ask };
}

describe('several processes of a gateway', () => {
  it('share a port, and one that dies is replaced', async () => {
    const { until, ask } = await supervise();
    const before = await until(2);
    expect(before.size).toBe(2);
    const dead = await ask('/die');
    const after = await until(2, dead);
    expect(after.size).toBe(2);
    expect([...after].filter((pid) => !before.has(pid))).toHaveLength(1);
  });

  it('are still replaced after a reload by SIGHUP', async () => {
    const { primary, until, ask } = await supervise();
    const before = await until(2);
    primary.kill('SIGHUP');
    await sleep(100);
    const dead = await ask('/die');
    const after = await until(2, dead);
    expect([...after].filter((pid) => !before.has(pid))).toHaveLength(1);
  });

  it('are all told to stop, and their primary ends with them', async () => {
    const { primary, until } = await supervise();
    const pids = await until(2);
    primary.kill('SIGTERM');
    expect(await once(primary, 'exit')).toEqual([0, null]);
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  it('of which one ends for its configuration go on without it', async () => {
    const { primary, until, ask } = await supervise(
      SERVER.replace("process.kill(process.pid, 'SIGKILL')", 'process.exit(78)'),
    );
    const before = await until(2);
    const dead = await ask('/die');
    const [left] = [...before].filter((pid) => pid !== dead);
    await sleep(300);
    expect([...(await until(1, dead))]).toEqual([left]);
    await ask('/die');
    if (primary.exitCode === null) await once(primary, 'exit');
    expect(primary.exitCode).toBe(78);
  });

  it('of which the first does not start end at once, with 1', async () => {
    const { primary } = await supervise(
      "process.send({ type: 'failed', message: 'no store' }, () => process.exit(1));",
    );
    if (primary.exitCode === null) await once(primary, 'exit');
    expect(primary.exitCode).toBe(1);
  });
});
