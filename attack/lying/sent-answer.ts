import type { ServerResponse } from 'node:http';
import { edited, TRAP } from './hostile-values';
import { sendLarge } from './large-body';
import type { Delivery, LargeForm, Lie, StreamForm } from './lies';
import type { Answer } from './scenario';

/** Answer to send, after the endpoint's own lies. */
interface Outgoing {
  status: number;
  headers: [name: string, value: string][];
  bytes: Buffer;
  delivery: Delivery | null;
  /** Endless body that replaces `bytes`. */
  large: LargeForm | null;
}

const LATE_MS = 150;
/**
 * Number of bytes that are sent in a second piece. In an event stream, the piece begins inside the end marker, before
 * `NE]`.
 */
const SPLIT_BYTES = 5;
const SPLIT_MS = 20;
const DRIP_MS = 2;
/** Time after which an endless body is cut. The client should disconnect earlier. */
const ENDLESS_MS = 4_000;
const ONE_BYTE_CHUNKS_MAX = 3_000;

/** Applies general lies in order. @param trapUrl origin that replaces the trap's placeholder */
export function outgoing(answer: Answer, lies: readonly Lie[], trapUrl: string): Outgoing {
  const body = lies.reduce<unknown>(
    (value, lie) => (lie.kind === 'members' ? lie.edits.reduce(edited, value) : value),
    structuredClone(answer.json),
  );
  const isJson = answer.bytes === undefined;
  const out: Outgoing = {
    status: answer.status,
    headers: Object.entries({ ...(isJson && { 'content-type': 'application/json' }), ...answer.headers }),
    bytes: answer.bytes ?? Buffer.from(JSON.stringify(body) ?? ''),
    delivery: null,
    large: null,
  };
  for (const lie of lies) apply(lie, out);
  out.bytes = out.bytes.includes(TRAP) ? Buffer.from(out.bytes.toString('utf8').replaceAll(TRAP, trapUrl)) : out.bytes;
  out.headers = out.headers.map(([name, value]) => [
    name,
    value.replaceAll(TRAP, trapUrl).replace(/^\/\/trap\.invalid/, trapUrl.replace('http:', '')),
  ]);
  return out;
}

function apply(lie: Lie, out: Outgoing): void {
  switch (lie.kind) {
    case 'text':
      out.bytes = Buffer.from(lie.text);
      return;
    case 'refusal':
      out.status = lie.status;
      out.bytes = Buffer.from(JSON.stringify(lie.body) ?? '');
      setHeader(out, 'content-type', 'application/json');
      return;
    case 'status':
      out.status = lie.status;
      return;
    case 'header':
      return setHeader(out, lie.name, lie.value);
    case 'redirect':
      out.status = lie.status;
      return setHeader(out, 'location', lie.to);
    case 'large':
      out.large = lie.form;
      return;
    case 'delivery':
      out.delivery = lie.delivery;
      return;
    case 'stream':
      out.bytes = restreamed(out.bytes, lie.form, lie.at);
      return;
    default:
  }
}

function setHeader(out: Outgoing, name: string, value: string): void {
  out.headers = [...out.headers.filter(([each]) => each !== name), [name, value]];
}

/** Rewrites the text of an event stream. */
function restreamed(bytes: Buffer, form: StreamForm, at: number): Buffer {
  const text = bytes.toString('utf8');
  const events = text.split('\n\n').filter(Boolean);
  const where = at % Math.max(events.length, 1);
  const joined = (list: readonly string[]): Buffer => Buffer.from(list.map((event) => `${event}\n\n`).join(''));
  switch (form) {
    case 'forged':
      return joined(events.map((event) => event.replace(/answer|nothing/, 'forgery')));
    case 'crlf':
      return Buffer.from(text.replaceAll('\n', '\r\n'));
    case 'cr':
      return Buffer.from(text.replaceAll('\n', '\r'));
    case 'early-end':
      return joined([...events.slice(0, where), 'data: [DONE]']);
    case 'twice':
      return joined([...events, ...events]);
    case 'no-end':
      return joined(events.slice(0, -1));
    case 'goes-on':
      return joined([...events, ...events.slice(where)]);
    case 'no-empty-line':
      return Buffer.from(text.replace(/\n+$/, at % 2 === 0 ? '\n' : ''));
    case 'comments':
      return joined(events.flatMap((event) => [': ping', event]));
    case 'bom':
      return Buffer.from(`\ufeff${text}`);
    case 'other-fields':
      return joined(events.map((event) => `id: 1\nevent: message\nretry: 1\n${event}`));
    case 'two-data-lines':
      return joined(events.map((event, index) => (index === where ? event.replace(/,/, ',\ndata: ') : event)));
    case 'no-space':
      return joined(events.map((event) => event.replace(/^data: /, 'data:')));
    case 'error-event':
      return joined([
        ...events.slice(0, where),
        'data: {"error":{"message":"\\u001b[2Jbroken","type":"x"}}',
        ...events.slice(where),
      ]);
    case 'swapped':
      return joined([...events.slice(where), ...events.slice(0, where)]);
    case 'dropped':
      return joined(events.filter((_, index) => index !== where));
    case 'invalid-utf8':
      return Buffer.concat([
        bytes.subarray(0, at % bytes.length),
        Buffer.from([0xff, 0xfe]),
        bytes.subarray(at % bytes.length),
      ]);
  }
}

/** Sends an answer. Headers that Node would refuse are written directly to the socket. */
export async function send(out: Outgoing, response: ServerResponse): Promise<void> {
  const { socket } = response;
  if (socket === null) return;
  if (out.large !== null) return sendLarge(socket, out.status, out.headers, out.large);
  const { bytes, delivery } = out;
  const isFramed =
    delivery === null ||
    delivery === 'truncated' ||
    delivery === 'reset' ||
    delivery === 'late' ||
    delivery === 'split-end';
  const length = delivery === 'wrong-length' ? bytes.length + 10 : bytes.length;
  const own = out.headers.filter(
    ([name]) => name !== 'transfer-encoding' || value(out, 'transfer-encoding') !== 'chunked',
  );
  const framing = isFramed || delivery === 'wrong-length' ? `content-length: ${length}` : 'transfer-encoding: chunked';
  const head = `HTTP/1.1 ${out.status} Any\r\n${own.map(([name, text]) => `${name}: ${text}\r\n`).join('')}${framing}\r\nconnection: close\r\n\r\n`;
  if (delivery === 'never') return void (await pause(ENDLESS_MS, socket), socket.destroy());
  if (delivery === 'late') await pause(LATE_MS, socket);
  socket.write(Buffer.from(head, 'latin1'));
  if (delivery === 'reset') return void socket.destroy();
  if (delivery === 'truncated') return void socket.end(bytes.subarray(0, Math.floor(bytes.length / 2)));
  if (delivery === 'one-byte-chunks')
    return void socket.end(
      `${Array.from(bytes.subarray(0, ONE_BYTE_CHUNKS_MAX), chunkOf).join('')}${bytes.length > ONE_BYTE_CHUNKS_MAX ? chunk(bytes.subarray(ONE_BYTE_CHUNKS_MAX)) : ''}0\r\n\r\n`,
      'latin1',
    );
  if (delivery === 'split-end') {
    socket.write(bytes.subarray(0, -SPLIT_BYTES));
    await pause(SPLIT_MS, socket);
    return void socket.end(bytes.subarray(-SPLIT_BYTES));
  }
  if (delivery === 'never-ends') return endless(socket, bytes);
  socket.end(bytes);
}

async function endless(socket: NonNullable<ServerResponse['socket']>, bytes: Buffer): Promise<void> {
  socket.write(chunk(bytes), 'latin1');
  const untilMs = performance.now() + ENDLESS_MS;
  while (!socket.destroyed && performance.now() < untilMs) {
    socket.write(chunk(Buffer.from(' ')), 'latin1');
    await pause(DRIP_MS, socket);
  }
  socket.destroy();
}

const chunkOf = (byte: number): string => chunk(Buffer.of(byte));
const chunk = (bytes: Buffer): string => `${bytes.length.toString(16)}\r\n${bytes.toString('latin1')}\r\n`;
const value = (out: Outgoing, name: string): string | undefined => out.headers.find(([each]) => each === name)?.[1];

function pause(ms: number, socket: NonNullable<ServerResponse['socket']>): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      socket.removeListener('close', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    socket.once('close', end);
  });
}
