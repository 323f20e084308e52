import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EXPIRED } from './expired-certificate';
import { type Fault, hold, holdThat, type Stage } from './fault';
import { Gateway } from './gateway';
import { recovered, start } from './process-faults';
import { type Behaviour, ScriptedNode } from './scripted-node';

const TIMEOUT_MS = 2_000;
const RPC = {
  timeoutMs: TIMEOUT_MS,
  attemptTimeoutMs: TIMEOUT_MS,
  connectTimeoutMs: 1_000,
  healthChecks: { intervalMs: 1_000 },
};
const BACK_WITHIN_MS = 60_000;
/** Longer than two checks. The gateway checks a single upstream only at every sixth interval of `healthChecks`. */
const ALERTED_WITHIN_MS = 30_000;
/** Metrics of the alert TurnpikeUpstreamFailing. */
const CUT_OFF = ['turnpike_upstream_failing', 'turnpike_upstream_breaker_open'];

interface Told {
  name: string;
  title: string;
  behaviour: Behaviour;
  within: string;
}

/**
 * Returns a fault of the only upstream. Each call must fail in bounded time without a charge. Calls must succeed again
 * once the upstream answers well.
 */
function troubled({ name, title, behaviour, within }: Told): Fault {
  return {
    name,
    title,
    run: async (stage) => {
      const { node, gateway, price } = await start(stage, { config: { rpc: RPC } });
      node.behaviour = behaviour;
      const answers = [await gateway.call(), await gateway.call(1)];
      for (const { status, code } of answers) hold('a call meanwhile', [status >= 500, code], [true, code]);
      holdThat(
        `each call ends within ${2 * TIMEOUT_MS} ms`,
        answers.every(({ ms }) => ms < 2 * TIMEOUT_MS),
      );
      await alerted(gateway, CUT_OFF);
      hold('charged meanwhile', gateway.charged(), price);
      node.behaviour = { do: 'answer' };
      const backMs = await gateway.callUntil((answer) => answer.status === 200, BACK_WITHIN_MS);
      await recovered(gateway, 2n, price);
      return {
        callers: `${told(answers)}, ${within}`,
        charged: 'nothing',
        operator: 'TurnpikeUpstreamFailing, after some calls: `turnpike_upstream_breaker_open`',
        ends: `by itself, ${backMs} ms after the upstream is well`,
      };
    },
  };
}

export const slow = troubled({
  name: 'upstream-slow',
  title: 'the only upstream does not answer in time',
  behaviour: { do: 'nothing' },
  within: 'after `rpc.timeoutMs`',
});
export const garbage = troubled({
  name: 'upstream-garbage',
  title: 'the only upstream answers with a web page',
  behaviour: { do: 'garbage' },
  within: 'at once',
});
export const halfOpen = troubled({
  name: 'upstream-half-open',
  title: 'the only upstream stops in the middle of its answers',
  behaviour: { do: 'half' },
  within: 'after `rpc.timeoutMs`',
});

export const wrongChain: Fault = {
  name: 'upstream-wrong-chain',
  title: 'the only upstream is of another chain',
  run: async (stage) => {
    const { node, gateway, answer } = await unusable(stage, async () => {
      const node = await ScriptedNode.start();
      node.chainId = '0x5';
      return node;
    });
    hold('calls that the upstream was asked', node.calls, 0);
    const health = await gateway.text('/api/network-health');
    await alerted(gateway, ['turnpike_upstream_wrong_chain']);
    node.chainId = '0x1';
    const backMs = await gateway.callUntil(({ status }) => status === 200, BACK_WITHIN_MS);
    hold('faults of the books', gateway.books(), []);
    return {
      callers: `${told([answer])}; the upstream is never asked`,
      charged: 'nothing',
      operator: `\`/api/network-health\`: ${stateOf(health)}; TurnpikeUpstreamWrongChain`,
      ends: `by itself, ${backMs} ms after it is of the right one`,
    };
  },
};

export const certificateExpired: Fault = {
  name: 'certificate-expired',
  title: "the only upstream's certificate has expired",
  run: async (stage) => {
    const folder = stage.track(mkdtempSync(join(tmpdir(), 'turnpike-fault-')), (each) =>
      rmSync(each, { recursive: true, force: true }),
    );
    const authority = join(folder, 'authority.pem');
    writeFileSync(authority, EXPIRED.cert);
    const { node, gateway, answer } = await unusable(stage, () => ScriptedNode.start(EXPIRED), {
      NODE_EXTRA_CA_CERTS: authority,
    });
    hold('calls that the upstream was asked', node.calls, 0);
    await alerted(gateway, CUT_OFF);
    hold('faults of the books', gateway.books(), []);
    return {
      callers: `${told([answer])}; nothing is sent to it`,
      charged: 'nothing',
      operator: 'TurnpikeUpstreamFailing',
      ends: 'with a new certificate there, by itself',
    };
  },
};

export const dnsGone: Fault = {
  name: 'dns-gone',
  title: "the only upstream's name resolves to nothing",
  run: async (stage) => {
    const gateway = stage.track(
      await Gateway.start({ upstream: 'http://upstream.invalid', config: { rpc: RPC } }),
      (each) => each.remove(),
    );
    const answers = [await gateway.call(), await gateway.call(1)];
    for (const { status } of answers) hold('a call', status >= 500, true);
    hold('charged', gateway.charged(), 0n);
    await alerted(gateway, CUT_OFF);
    hold('faults of the books', gateway.books(), []);
    return {
      callers: told(answers),
      charged: 'nothing',
      operator: 'TurnpikeUpstreamFailing',
      ends: 'once the name resolves, by itself',
    };
  },
};

/** Makes calls until the metrics trigger an alert in ops/alerts.yml. */
async function alerted(gateway: Gateway, metrics: readonly string[]): Promise<void> {
  const until = Date.now() + ALERTED_WITHIN_MS;
  let calls = 0;
  while (Date.now() < until) {
    const values = await Promise.all(metrics.map((metric) => gateway.metric(metric)));
    if (values.some((value) => Number(value) > 0)) return;
    calls += (await Promise.all(gateway.keys.slice(0, 4).map((_key, caller) => gateway.call(caller)))).length;
    await sleep(250);
  }
  throw new Error(
    `The alert's metrics did not trigger it after ${calls} calls in ${ALERTED_WITHIN_MS / 1_000} s: ${metrics.join(', ')}.`,
  );
}

async function unusable(
  stage: Stage,
  upstream: () => Promise<ScriptedNode>,
  env: Readonly<Record<string, string>> = {},
) {
  const node = stage.track(await upstream(), (each) => each.stop());
  const gateway = stage.track(await Gateway.start({ upstream: node.url, config: { rpc: RPC }, env }), (each) =>
    each.remove(),
  );
  const answer = await gateway.call();
  hold('a call fails', answer.status >= 500, true);
  hold('charged', gateway.charged(), 0n);
  return { node, gateway, answer };
}

function told(answers: readonly { status: number; code: string }[]): string {
  return [...new Set(answers.map(({ status, code }) => `${status} \`${code}\``))].join(', ');
}

/** Returns the health state of the first network with an upstream. */
function stateOf(health: string): string {
  const states = [...health.matchAll(/"state":"(\w+)"/g)].map(([, state]) => state);
  return `\`${states.find((state) => state !== 'unknown' && state !== 'ok' && state !== 'notConfigured') ?? states[0] ?? 'none'}\``;
}
