import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type Fault, hold, holdThat, NotMade } from './fault';
import { sumOf } from './gateway';
import { make, table, told } from './outcome';
import { type Behaviour, ScriptedNode } from './scripted-node';

const SEEN = { callers: 'an answer', charged: 'once', operator: 'nothing', ends: 'by itself' };
const EXTENT = { awaySeconds: 60, kills: 1, killEverySeconds: 1 };
const fault = (run: Fault['run']): Fault => ({ name: 'some-fault', title: 'some fault', run });

describe('what comes of a fault', () => {
  it('is held where all holds, and all that was started is ended in the opposite order', async () => {
    const ended: string[] = [];
    const outcome = await make(
      fault((stage) => {
        for (const name of ['first', 'second']) stage.track(name, (thing) => ended.push(thing));
        return Promise.resolve(SEEN);
      }),
      EXTENT,
    );
    expect([outcome, told(outcome), ended]).toEqual([
      { fault: 'some-fault', seen: SEEN, error: null, notMade: null },
      'some-fault: held',
      ['second', 'first'],
    ]);
    expect(table([outcome])).toContain('| `some-fault` | an answer | once | nothing | by itself |');
  });

  it('is not held where something does not hold, and what was started is ended all the same, also where one end fails', async () => {
    const ended: string[] = [];
    const outcome = await make(
      fault((stage) => {
        stage.track('first', (thing) => ended.push(thing));
        stage.track('second', () => {
          throw new Error('it does not end');
        });
        hold('charged', 2n, 1n);
        return Promise.resolve(SEEN);
      }),
      EXTENT,
    );
    expect([outcome.seen, outcome.error, ended]).toEqual([null, 'charged: expected "1", got "2"', ['first']]);
    expect(table([outcome])).toContain('| `some-fault` | DID NOT HOLD: charged: expected "1", got "2" | | | |');
  });

  it('is neither where the machine does not give what it takes', async () => {
    const outcome = await make(
      fault(() => Promise.reject(new NotMade('It takes root.'))),
      EXTENT,
    );
    expect(outcome).toEqual({ fault: 'some-fault', seen: null, error: null, notMade: 'It takes root.' });
    expect([told(outcome), table([outcome])]).toEqual([
      'some-fault: NOT MADE: It takes root.',
      expect.stringContaining('| NOT MADE: It takes root. |'),
    ]);
  });

  it('holds equal values of any kind, and nothing else', () => {
    expect(() => hold('statuses', [200, 'A', 1n], [200, 'A', 1n])).not.toThrow();
    for (const [actual, expected] of [
      [[200], [503]],
      [1n, 2n],
      [null, 0],
      ['', null],
    ])
      expect(() => hold('it', actual, expected)).toThrow(/^it: expected /);
    expect(() => holdThat('it', false)).toThrow('Not true: it');
  });
});

describe('the node that does as it is told', () => {
  const nodes: ScriptedNode[] = [];
  afterEach(async () => void (await Promise.all(nodes.splice(0).map((node) => node.stop()))));
  const ask = async (behaviour: Behaviour, method: string, timeoutMs = 5_000) => {
    const node = await ScriptedNode.start();
    nodes.push(node);
    node.behaviour = behaviour;
    const text = fetch(node.url, {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id: 7, method, params: [] }),
      signal: AbortSignal.timeout(timeoutMs),
    }).then((response) => response.text());
    return { node, text };
  };

  it('says of its chain what it is whatever it does with calls, and counts the calls of callers alone', async () => {
    const { node, text } = await ask({ do: 'nothing' }, 'eth_chainId');
    expect([JSON.parse(await text), node.calls]).toEqual([{ jsonrpc: '2.0', id: 7, result: '0x1' }, 0]);
    const answered = await ask({ do: 'answer', logsBytes: 1024 }, 'eth_getLogs');
    expect([(await answered.text).length, answered.node.calls]).toEqual([
      1024 + JSON.stringify({ jsonrpc: '2.0', id: 7, result: '0x' }).length,
      1,
    ]);
  });

  it('answers with a web page, stops in the middle, or never answers', async () => {
    expect(await (await ask({ do: 'garbage' }, 'eth_getBalance')).text).toContain('<html>');
    for (const behaviour of ['half', 'nothing'] as const)
      await expect((await ask({ do: behaviour }, 'eth_getBalance', 300)).text).rejects.toThrow('timeout');
  });
});

describe('the node that is given up on', () => {
  it.each([
    ['in the middle of a call', 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 50\r\n\r\n{"jsonrpc":'],
    ['before its first byte', 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 50\r\n\r\n'],
    ['with a call of nothing', 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n'],
  ])('%s counts no call, and answers the next', async (_when, text) => {
    const node = await ScriptedNode.start();
    try {
      const socket = connect(Number(new URL(node.url).port), '127.0.0.1');
      await new Promise<void>((resolve) => socket.write(text, () => resolve()));
      setTimeout(() => socket.destroy(), 50);
      await once(socket, 'close');
      const answer = await fetch(node.url, {
        method: 'POST',
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getBalance', params: [] }),
      });
      expect([await answer.json(), node.calls]).toEqual([{ jsonrpc: '2.0', id: 1, result: '0x64' }, 1]);
    } finally {
      await node.stop();
    }
  });
});

describe('metrics', () => {
  it('are added up over the series that have the labels, and over no other of a longer name', () => {
    const text =
      '# TYPE a_total counter\na_total{code="X",kind="one"} 2\na_total{code="X",kind="two"} 3\na_total{code="Y"} 5\na_total_more{code="X"} 7\nb 1e3\n';
    expect([sumOf(text, 'a_total', { code: 'X' }), sumOf(text, 'a_total'), sumOf(text, 'b'), sumOf(text, 'c')]).toEqual(
      [5, 10, 1000, 0],
    );
  });
});
