import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findPostgres, TestPostgres } from '@/test/test-postgres';
import { type Fault, hold, holdThat, NotMade, type Stage } from './fault';
import { recovered, start } from './process-faults';

const MIB = 1024 * 1024;
const BACK_WITHIN_MS = 60_000;

async function onPostgres(stage: Stage) {
  if (!findPostgres()) throw new NotMade('No Postgres is installed here.');
  const postgres = stage.track(await TestPostgres.start(), (each) => each.remove());
  return { postgres, ...(await start(stage, { databaseUrl: await postgres.createDatabase() })) };
}

export const postgresRestart: Fault = {
  name: 'postgres-restart',
  title: 'Postgres crashes and is started again, with a call under way',
  run: async (stage) => {
    const { postgres, node, gateway, price } = await onPostgres(stage);
    node.behaviour = { do: 'answer', afterMs: 1_000 };
    const asked = node.calls;
    const underWay = gateway.call();
    while (node.calls === asked) await sleep(10);
    await postgres.crash();
    hold('/livez, /readyz meanwhile', [await gateway.status('/livez'), await gateway.status('/readyz')], [200, 503]);
    await postgres.restart();
    node.behaviour = { do: 'answer' };
    const { status } = await underWay;
    hold('the call under way', status, 200);
    const backMs = await gateway.callUntil((answer) => answer.status === 200, BACK_WITHIN_MS);
    await recovered(gateway, 3n, price);
    return {
      callers: 'the call under way is answered; in between 503 `STORE_UNAVAILABLE`',
      charged: 'what was answered, once',
      operator: '`/readyz` 503 for as long as it lasts, `/livez` 200',
      ends: `by itself, ${backMs} ms after Postgres is back`,
    };
  },
};

export const postgresAway: Fault = {
  name: 'postgres-away',
  title: 'Postgres is away for a minute',
  run: async (stage) => {
    const { postgres, node, gateway, price } = await onPostgres(stage);
    await postgres.crash();
    const asked = node.calls;
    const until = performance.now() + stage.awaySeconds * 1000;
    const slowest: number[] = [];
    for (let call = 0; performance.now() < until; call++) {
      const { status, code, ms } = await gateway.call(call % gateway.keys.length);
      hold('a call meanwhile', [status, code], [503, 'STORE_UNAVAILABLE']);
      slowest.push(ms);
      await sleep(500);
    }
    hold('/livez meanwhile', await gateway.status('/livez'), 200);
    hold('/readyz meanwhile', await gateway.status('/readyz'), 503);
    hold('calls that the upstream was asked meanwhile', node.calls - asked, 0);
    hold(
      'refusals that the metrics count',
      await gateway.metric('turnpike_http_refusals_total', { code: 'STORE_UNAVAILABLE' }),
      slowest.length,
    );
    await postgres.restart();
    const backMs = await gateway.callUntil((answer) => answer.status === 200, BACK_WITHIN_MS);
    await recovered(gateway, 2n, price);
    return {
      callers: `503 \`STORE_UNAVAILABLE\`, each within ${Math.max(...slowest)} ms; no upstream is asked`,
      charged: 'nothing',
      operator: '`/readyz` 503, `/livez` 200; TurnpikeStoreUnavailable',
      ends: `by itself, ${backMs} ms after Postgres is back`,
    };
  },
};

export const diskFull: Fault = {
  name: 'disk-full',
  title: 'the disk of the data folder is full (SQLite)',
  run: async (stage) => {
    const disk = stage.track(mountDisk(48), unmount);
    const { node, gateway, price } = await start(stage, {
      dataDir: join(disk, 'data'),
      config: { diskFreeBytesMin: 4 * MIB },
    });
    fill(join(disk, 'filler'));
    await gateway.callUntil(({ code }) => code === 'STORE_FULL', BACK_WITHIN_MS);
    const asked = node.calls;
    for (let call = 0; call < 5; call++)
      hold('a call meanwhile', (({ status, code }) => [status, code])(await gateway.call(call)), [503, 'STORE_FULL']);
    hold('calls that the upstream was asked meanwhile', node.calls - asked, 0);
    hold('/livez, /readyz', [await gateway.status('/livez'), await gateway.status('/readyz')], [200, 503]);
    const charged = gateway.charged();
    // The gateway writes one line when the disk becomes full, in addition to a limited number of lines for failed
    // requests.
    hold('lines of the log that say so', gateway.log.filter((line) => line.includes('"store":"full"')).length, 1);
    hold('lines with a stack trace', gateway.log.filter((line) => line.includes('"stack"')).length, 0);
    holdThat(
      'the metrics count its refusals',
      Number(await gateway.metric('turnpike_http_refusals_total', { code: 'STORE_FULL' })) >= 6,
    );
    rmSync(join(disk, 'filler'));
    const backMs = await gateway.callUntil((answer) => answer.status === 200, BACK_WITHIN_MS);
    await recovered(gateway, charged / price + 1n, price);
    hold('charges while it was full', charged % price, 0n);
    return {
      callers: '503 `STORE_FULL` with `Retry-After`; no upstream is asked',
      charged: 'nothing',
      operator:
        '`/readyz` 503, `/livez` 200; `turnpike_http_refusals_total{code="STORE_FULL"}`; one line of the log, without a stack trace, beside those of failed requests',
      ends: `by itself, ${backMs} ms after there is room`,
    };
  },
};

function mountDisk(megabytes: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { stdio: 'pipe' });
  } catch (error) {
    rmdirSync(folder);
    throw new NotMade('A small disk cannot be mounted here, because this requires root (mount -t tmpfs).', {
      cause: error,
    });
  }
  return folder;
}

function unmount(folder: string): void {
  execFileSync('umount', [folder]);
  rmdirSync(folder);
}

/** Writes until the disk is full. */
function fill(file: string): void {
  const block = Buffer.alloc(64 * 1024);
  try {
    for (;;) writeFileSync(file, block, { flag: 'a' });
  } catch (error) {
    if ((error as { code?: string }).code !== 'ENOSPC') throw error;
  }
}
