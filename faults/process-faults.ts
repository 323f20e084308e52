import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Fault, hold, holdThat, type Stage } from './fault';
import { Gateway, type Settings } from './gateway';
import { ScriptedNode } from './scripted-node';

const CALLS = 8;
const UPSTREAM_MS = 3_000;
const HOUR_MS = 3_600_000;

/** Starts a node and a gateway over it. Also returns the price of one call in nano-USD. */
export async function start(
  stage: Stage,
  settings: Partial<Settings> = {},
): Promise<{ node: ScriptedNode; gateway: Gateway; price: bigint }> {
  const node = stage.track(await ScriptedNode.start(), (each) => each.stop());
  const gateway = stage.track(await Gateway.start({ upstream: node.url, ...settings }), (each) => each.remove());
  hold('a call before the fault', (await gateway.call()).status, 200);
  return { node, gateway, price: gateway.charged() };
}

async function inFlight(node: ScriptedNode, gateway: Gateway): Promise<Promise<{ status: number; code: string }>[]> {
  node.behaviour = { do: 'answer', afterMs: UPSTREAM_MS };
  const before = node.calls;
  const calls = Array.from({ length: CALLS }, (_none, caller) => gateway.call(caller));
  while (node.calls < before + CALLS) await sleep(20);
  return calls;
}

export const killed: Fault = {
  name: 'kill-9',
  title: 'kill -9 with calls under way',
  run: async (stage) => {
    const { node, gateway, price } = await start(stage);
    const calls = await inFlight(node, gateway);
    await gateway.end('SIGKILL');
    hold(
      'statuses of the calls under way',
      (await Promise.all(calls)).map(({ status }) => status),
      Array(CALLS).fill(0),
    );
    node.behaviour = { do: 'answer' };
    hold('metrics of a process that is gone', await gateway.metric('up'), null);
    await gateway.start();
    hold('a call after the start', (await gateway.call()).status, 200);
    hold('charged', gateway.charged(), 2n * price);
    hold('faults of the books', gateway.books(), []);
    return {
      callers: `${CALLS} of ${CALLS} calls under way: the connection ends, no answer`,
      charged: 'nothing of them; what was answered before, once',
      operator: 'the process is gone: TurnpikeDown',
      ends: 'with the next start; nothing to repair',
    };
  },
};

/** Number of parallel callers. Each caller pauses between calls, so that kills hit all steps of a call. */
const CALLERS = 16;
const PAUSE_MS = 5;
const RETRY_MS = 100;
const ANSWERED_WITHIN_MS = 60_000;

export const killedUnderLoad: Fault = {
  name: 'kill-9-under-load',
  title: 'kill -9, again and again, with callers who repeat what was not answered under the same Idempotency-Key',
  run: async (stage) => {
    // A long run makes more calls with idempotency keys than the default allows per caller.
    const config = { idempotency: { callerKeysMax: 10_000_000 } };
    const { gateway, price } = await start(stage, { config });
    let isOver = false;
    const answered = Array<number>(CALLERS).fill(0);
    let repeated = 0;
    const callOn = async (caller: number): Promise<void> => {
      for (let turn = 1; !isOver; turn++) {
        const address = 1_000_000 * (caller + 1) + turn;
        const deadline = performance.now() + ANSWERED_WITHIN_MS;
        while ((await gateway.read(caller, address, `call-${address}`)).status !== 200) {
          if (performance.now() > deadline) throw new Error(`Call ${address} was not answered.`);
          repeated++;
          await sleep(RETRY_MS);
        }
        answered[caller] = turn;
        await sleep(PAUSE_MS);
      }
    };
    const callers = Promise.all(answered.map((_none, caller) => callOn(caller)));
    const residentBytes: number[] = [];
    for (let kill = 0; kill < stage.kills; kill++) {
      await Promise.race([sleep(stage.killEverySeconds * 1_000), callers]);
      residentBytes.push(gateway.rss());
      await gateway.end('SIGKILL');
      await gateway.start();
      process.stderr.write(`  kill ${kill + 1} of ${stage.kills}: ${mebibytes(residentBytes.at(-1) ?? 0)} MiB\n`);
    }
    isOver = true;
    await callers;
    const calls = answered.reduce((sum, count) => sum + count, 0);
    // Each call must be charged once, including the one that `start` made.
    hold('charged', gateway.charged(), BigInt(calls + 1) * price);
    hold('faults of the books', gateway.books(), []);
    return {
      callers: `${calls} calls answered, ${repeated} repetitions`,
      charged: 'each call once',
      operator: `${stage.kills} kills; resident memory before each ${mebibytes(Math.min(...residentBytes))} to ${mebibytes(Math.max(...residentBytes))} MiB`,
      ends: 'with the next start; nothing to repair',
    };
  },
};

function mebibytes(bytes: number): number {
  return Math.round(bytes / 1_048_576);
}

export const terminated: Fault = {
  name: 'sigterm',
  title: 'SIGTERM with calls under way',
  run: async (stage) => {
    const { node, gateway, price } = await start(stage, { config: { drain: { delaySeconds: 2, timeoutSeconds: 60 } } });
    hold('/readyz before', await gateway.status('/readyz'), 200);
    const calls = await inFlight(node, gateway);
    const ended = gateway.end('SIGTERM');
    await sleep(200);
    hold(
      '/readyz, /livez after the signal',
      [await gateway.status('/readyz'), await gateway.status('/livez')],
      [503, 200],
    );
    const answers = await Promise.all(calls);
    hold(
      'statuses of the calls under way',
      answers.map(({ status }) => status),
      Array(CALLS).fill(200),
    );
    hold('exit code', await ended, 0);
    hold('charged', gateway.charged(), BigInt(CALLS + 1) * price);
    hold('faults of the books', gateway.books(), []);
    return {
      callers: `${CALLS} of ${CALLS} calls under way: answered; new ones too, for \`drain.delaySeconds\`, then no connection`,
      charged: 'each of them, once',
      operator: '`/readyz` 503 at once, exit code 0',
      ends: 'by itself once the last answer is out',
    };
  },
};

const CLOCK = `import { readFileSync } from 'node:fs';
const Real = Date;
const now = Real.now.bind(Real);
let offset = 0;
const look = () => { try { offset = Number(readFileSync(process.env.CLOCK_OFFSET_FILE, 'utf8')); } catch {} };
look();
setInterval(look, 50).unref();
globalThis.Date = class extends Real {
  constructor(...given) { if (given.length === 0) super(now() + offset); else super(...given); }
  static now() { return now() + offset; }
};
`;

export const clockJump: Fault = {
  name: 'clock-jump',
  title: "the gateway's clock jumps an hour ahead, then two back",
  run: async (stage) => {
    const folder = stage.track(mkdtempSync(join(tmpdir(), 'turnpike-fault-')), (each) =>
      rmSync(each, { recursive: true, force: true }),
    );
    const [program, offset] = [join(folder, 'clock.mjs'), join(folder, 'offset')];
    writeFileSync(program, CLOCK);
    writeFileSync(offset, '0');
    const { gateway, price } = await start(stage, {
      env: { NODE_OPTIONS: `--import=${program}`, CLOCK_OFFSET_FILE: offset },
    });
    for (const [index, offsetMs] of [HOUR_MS, -HOUR_MS, 0].entries()) {
      writeFileSync(offset, String(offsetMs));
      await sleep(500);
      for (let call = 0; call < 3; call++) hold(`call after jump ${index + 1}`, (await gateway.call()).status, 200);
      hold(
        `the doctor's verdict on the clock after jump ${index + 1}`,
        await gateway.diagnosed('clock'),
        offsetMs === 0 ? 'ok' : 'fault',
      );
    }
    hold('charged', gateway.charged(), 10n * price);
    hold('faults of the books', gateway.books(), []);
    return {
      callers: 'answers as before; expiry of keys and sign-ins goes by the new time',
      charged: 'each call, once',
      operator: '`admin doctor`: by how much the clock is wrong; times of the log',
      ends: 'nothing to repair: charges of that time have its dates',
    };
  },
};

/** Checks that a gateway has recovered: it answers, and the ledger agrees with the answered calls. */
export async function recovered(gateway: Gateway, answered: bigint, price: bigint): Promise<void> {
  hold('charged', gateway.charged(), answered * price);
  hold('faults of the books', gateway.books(), []);
  holdThat('the gateway answers', (await gateway.status('/livez')) === 200);
}
