import { type Asked, type AskedItem, type NodeScript, resultOf } from './scripted-node';

/** Faults of nodes, for single calls and batches. */
export const NODE_FAULTS = {
  'accepts and stays silent': () => undefined,
  'resets in mid-body': (_asked, response) => {
    response.writeHead(200, { 'content-length': 100 });
    response.write('{"jsonrpc":"2.0","id"', () => response.socket?.resetAndDestroy());
  },
  'answers 429 with Retry-After': (_asked, response) => void response.writeHead(429, { 'retry-after': '30' }).end('{}'),
  'answers 500': (_asked, response) => void response.writeHead(500).end('oops'),
  'answers 503 with Retry-After': (_asked, response) => void response.writeHead(503, { 'retry-after': '30' }).end(),
  'answers HTML': () => '<html><body>It works!</body></html>',
  'answers truncated JSON': (asked) => answers(asked, (item) => resultOf(item, '{"a":[1,2')).slice(0, -1),
  'answers under a wrong id': (asked) => answers(asked, ({ id }) => resultOf({ id: id + 1_000_000 }, '"wrong"')),
  'answers another request': previousAnswer(),
  'answers with 100 MB': (_asked, response) => {
    const chunk = Buffer.alloc(1_000_000, 0x20);
    let left = 100;
    const more = (): void => {
      while (left-- > 0) if (!response.write(chunk)) return;
      response.end();
    };
    response.on('drain', more);
    more();
  },
  drips: (_asked, response) => {
    const drip = setInterval(() => response.write(' '), 10);
    response.on('close', () => clearInterval(drip));
  },
} satisfies Readonly<Record<string, NodeScript>>;

/** Answers each item. A batch gets an array. */
function answers({ batch, items }: Asked, answer: (item: AskedItem) => string): string {
  const texts = items.map(answer);
  return batch ? `[${texts.join(',')}]` : (texts[0] as string);
}

/** Answers each request with the id of the previous request. A repeated request still counts as the same request. */
function previousAnswer(): NodeScript {
  let [previous, current] = [0, 0];
  return (asked) => {
    const { id } = asked.items[0] as AskedItem;
    if (id !== current) [previous, current] = [current, id];
    return answers(asked, () => resultOf({ id: previous }, '"of another"'));
  };
}
